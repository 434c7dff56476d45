import type { Language } from '../../contract/languages.ts';

export interface ConfirmMessages {
  title: string;
  about: string;
  withPasskey: string;
  passkeyFault: string;
  needsScript: string;
  providerAbout: string;
  withProvider: string;
  linkAbout: string;
  sendLink: string;
  linkSent: string;
  none: string;
  continue: string;
  doneTitle: string;
  done: string;
}

/** Texts of the pages on which an admin confirms who they are. */
export const confirmMessages: Record<Language, ConfirmMessages> = {
  en: {
    title: 'Confirm that it is you',
    about:
      'This action needs a sign-in or a confirmation within the last ten minutes. Everything that you have entered is kept.',
    withPasskey: 'Confirm with a passkey',
    passkeyFault: 'You have not confirmed that it is you. Please try again, with a passkey of your own.',
    needsScript: 'Passkeys need JavaScript, which is switched off in your browser.',
    providerAbout:
      'Confirm that it is you with the sign-in service of your organisation. Then come back here, and continue.',
    withProvider: 'Open the sign-in service in a new tab',
    linkAbout:
      'We will send you an e-mail with a link. Open the link in this browser. Then come back here, and continue.',
    sendLink: 'Send me a link',
    linkSent:
      'An e-mail with a link is on its way to you. Open the link in this browser, within 30 minutes. Then come back here, and continue.',
    none: 'You can no longer confirm that it is you in this session. Please sign out, and sign in again.',
    continue: 'Continue',
    doneTitle: 'You have confirmed that it is you',
    done: 'Go back to the page that asked you to confirm, and press “Continue”. You can close this page.',
  },
  de: {
    title: 'Bestätigen Sie, dass Sie es sind',
    about:
      'Diese Aktion braucht eine Anmeldung oder eine Bestätigung aus den letzten zehn Minuten. Ihre Eingaben bleiben erhalten.',
    withPasskey: 'Mit einem Passkey bestätigen',
    passkeyFault: 'Sie haben nicht bestätigt, dass Sie es sind. Bitte versuchen Sie es noch einmal, mit Ihrem Passkey.',
    needsScript: 'Passkeys brauchen JavaScript, das in Ihrem Browser ausgeschaltet ist.',
    providerAbout:
      'Bestätigen Sie es mit dem Anmeldedienst Ihrer Organisation. Kommen Sie dann hierher zurück, und machen Sie weiter.',
    withProvider: 'Anmeldedienst in neuem Tab öffnen',
    linkAbout:
      'Wir senden Ihnen eine E-Mail mit einem Link. Öffnen Sie den Link in diesem Browser. Kommen Sie dann hierher zurück, und machen Sie weiter.',
    sendLink: 'Link zusenden',
    linkSent:
      'Eine E-Mail mit einem Link ist zu Ihnen unterwegs. Öffnen Sie den Link innerhalb von 30 Minuten in diesem Browser. Kommen Sie dann hierher zurück, und machen Sie weiter.',
    none: 'In dieser Sitzung können Sie es nicht mehr bestätigen. Bitte melden Sie sich ab und wieder an.',
    continue: 'Weiter',
    doneTitle: 'Sie haben bestätigt, dass Sie es sind',
    done: 'Gehen Sie zurück zu der Seite, auf der Sie gefragt wurden, und klicken Sie auf „Weiter“. Diese Seite können Sie schließen.',
  },
  fr: {
    title: 'Confirmez votre identité',
    about:
      'Cette action demande une connexion, ou une confirmation, des dix dernières minutes. Ce que vous avez saisi est conservé.',
    withPasskey: 'Confirmer avec une clé d’accès',
    passkeyFault: 'Votre identité n’est pas confirmée. Veuillez réessayer, avec votre propre clé d’accès.',
    needsScript: 'Les clés d’accès ont besoin de JavaScript, qui est désactivé dans votre navigateur.',
    providerAbout:
      'Confirmez-la avec le service de connexion de votre organisation. Revenez ensuite ici, et continuez.',
    withProvider: 'Ouvrir le service de connexion dans un nouvel onglet',
    linkAbout:
      'Nous vous enverrons un e-mail avec un lien. Ouvrez le lien dans ce navigateur. Revenez ensuite ici, et continuez.',
    sendLink: 'M’envoyer un lien',
    linkSent:
      'Un e-mail avec un lien est en route. Ouvrez le lien dans ce navigateur, dans les 30 minutes. Revenez ensuite ici, et continuez.',
    none: 'Vous ne pouvez plus la confirmer dans cette session. Veuillez vous déconnecter, puis vous reconnecter.',
    continue: 'Continuer',
    doneTitle: 'Votre identité est confirmée',
    done: 'Revenez à la page qui vous l’a demandé, et appuyez sur « Continuer ». Vous pouvez fermer celle-ci.',
  },
};
