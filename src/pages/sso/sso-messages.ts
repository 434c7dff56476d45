import type { Language } from '../../contract/languages.ts';
import type { SignInFaultReason } from '../../identity/providers/sign-in-fault.ts';

interface SsoMessages {
  startTitle: string;
  start(company: string, host: string): string;
  continueWith(provider: string): string;
  resend: string;
  signedOutTitle: string;
  signedOut(provider: string): string;
  signOutThere(provider: string): string;
  signedOutThere(provider: string): string;
  signedOutInPart(provider: string): string;
  signInAgain: string;
  faultTitle: string;
  attempt: string;
  off: string;
  unavailable: string;
  refused: string;
  notPermitted: string;
  unconfirmed: string;
  code: string;
  testTitle: string;
  test(provider: string): string;
  subject: string;
  email: string;
  firstName: string;
  lastName: string;
  groups: string;
  none: string;
  back: string;
}

type FaultMessage = 'attempt' | 'off' | 'unavailable' | 'refused' | 'notPermitted' | 'unconfirmed';

/** Names the message for each reason. */
export const FAULT_MESSAGES: Record<SignInFaultReason, FaultMessage> = {
  attempt_unknown: 'attempt',
  provider_off: 'off',
  provider_unavailable: 'unavailable',
  response_invalid: 'unavailable',
  provider_refused: 'refused',
  email_missing: 'notPermitted',
  email_unverified: 'notPermitted',
  person_unknown: 'notPermitted',
  identity_differs: 'notPermitted',
  role_missing: 'notPermitted',
  learner_refused: 'notPermitted',
  person_differs: 'unconfirmed',
  sign_in_not_recent: 'unconfirmed',
};

export const ssoMessages: Record<Language, SsoMessages> = {
  en: {
    startTitle: 'Sign in',
    start: (company, host) => `You are about to sign in to the security awareness programme of ${company}, at ${host}.`,
    continueWith: (provider) => `Continue with ${provider}`,
    resend: 'Continue',
    signedOutTitle: 'You are signed out',
    signedOut: (provider) =>
      `You are signed out here. If others use this device, also sign out of ${provider}; otherwise they could sign in as you.`,
    signOutThere: (provider) => `Sign out of ${provider}`,
    signedOutThere: (provider) => `You are signed out here and at ${provider}.`,
    signedOutInPart: (provider) =>
      `You are signed out here. ${provider} reports that it did not end all your sessions; if others use this device, close the browser.`,
    signInAgain: 'Sign in again',
    faultTitle: 'You are not signed in',
    attempt: 'This sign-in has expired, or was started in another browser. Please start again.',
    off: 'You cannot sign in here with this service of your organisation. Please use the sign-in page.',
    unavailable:
      'The sign-in service of your organisation did not respond as expected. Please try again in a few minutes.',
    refused: 'The sign-in service of your organisation did not sign you in.',
    notPermitted:
      'The sign-in service of your organisation knows you, but you have no access to this programme. Please ask the people who run the programme.',
    unconfirmed:
      'The sign-in service of your organisation did not confirm that it is you. Sign in there again, as yourself; or sign out here, and sign in again.',
    code: 'Reason for them:',
    testTitle: 'The test was successful',
    test: (provider) => `${provider} has identified you. You can now switch it on.`,
    subject: 'Id at the provider',
    email: 'E-mail address',
    firstName: 'First name',
    lastName: 'Last name',
    groups: 'Groups',
    none: 'none',
    back: 'Back to the settings',
  },
  de: {
    startTitle: 'Anmelden',
    start: (company, host) => `Sie melden sich beim Security-Awareness-Programm von ${company} an, bei ${host}.`,
    continueWith: (provider) => `Weiter mit ${provider}`,
    resend: 'Weiter',
    signedOutTitle: 'Sie sind abgemeldet',
    signedOut: (provider) =>
      `Hier sind Sie abgemeldet. Wenn andere dieses Gerät benutzen, melden Sie sich auch bei ${provider} ab; sonst könnten sie sich als Sie anmelden.`,
    signOutThere: (provider) => `Bei ${provider} abmelden`,
    signedOutThere: (provider) => `Sie sind hier und bei ${provider} abgemeldet.`,
    signedOutInPart: (provider) =>
      `Hier sind Sie abgemeldet. ${provider} meldet, dass nicht alle Ihre Sitzungen beendet wurden; wenn andere dieses Gerät benutzen, schließen Sie den Browser.`,
    signInAgain: 'Wieder anmelden',
    faultTitle: 'Sie sind nicht angemeldet',
    attempt:
      'Diese Anmeldung ist abgelaufen oder wurde in einem anderen Browser begonnen. Bitte beginnen Sie noch einmal.',
    off: 'Mit diesem Dienst Ihrer Organisation können Sie sich hier nicht anmelden. Bitte verwenden Sie die Anmeldeseite.',
    unavailable:
      'Der Anmeldedienst Ihrer Organisation hat nicht wie erwartet geantwortet. Bitte versuchen Sie es in einigen Minuten noch einmal.',
    refused: 'Der Anmeldedienst Ihrer Organisation hat Sie nicht angemeldet.',
    notPermitted:
      'Der Anmeldedienst Ihrer Organisation kennt Sie, aber Sie haben keinen Zugang zu diesem Programm. Bitte wenden Sie sich an die Verantwortlichen des Programms.',
    unconfirmed:
      'Der Anmeldedienst Ihrer Organisation hat nicht bestätigt, dass Sie es sind. Melden Sie sich dort noch einmal an, mit Ihrem eigenen Konto; oder melden Sie sich hier ab und wieder an.',
    code: 'Grund für die Verantwortlichen:',
    testTitle: 'Der Test war erfolgreich',
    test: (provider) => `${provider} hat Sie erkannt. Sie können den Dienst jetzt einschalten.`,
    subject: 'Kennung beim Anbieter',
    email: 'E-Mail-Adresse',
    firstName: 'Vorname',
    lastName: 'Nachname',
    groups: 'Gruppen',
    none: 'keine',
    back: 'Zurück zu den Einstellungen',
  },
  fr: {
    startTitle: 'Se connecter',
    start: (company, host) => `Vous allez vous connecter au programme de sensibilisation de ${company}, chez ${host}.`,
    continueWith: (provider) => `Continuer avec ${provider}`,
    resend: 'Continuer',
    signedOutTitle: 'Vous êtes déconnecté(e)',
    signedOut: (provider) =>
      `Vous êtes déconnecté(e) ici. Si d’autres personnes utilisent cet appareil, déconnectez-vous aussi de ${provider} ; sinon, elles pourraient se connecter à votre place.`,
    signOutThere: (provider) => `Se déconnecter de ${provider}`,
    signedOutThere: (provider) => `Vous êtes déconnecté(e) ici et de ${provider}.`,
    signedOutInPart: (provider) =>
      `Vous êtes déconnecté(e) ici. ${provider} signale que certaines de vos sessions restent ouvertes ; si d’autres personnes utilisent cet appareil, fermez le navigateur.`,
    signInAgain: 'Se reconnecter',
    faultTitle: 'Vous n’êtes pas connecté(e)',
    attempt: 'Cette connexion a expiré ou a été commencée dans un autre navigateur. Veuillez recommencer.',
    off: 'Ce service de votre organisation ne permet pas de se connecter ici. Veuillez utiliser la page de connexion.',
    unavailable:
      'Le service de connexion de votre organisation n’a pas répondu comme prévu. Veuillez réessayer dans quelques minutes.',
    refused: 'Le service de connexion de votre organisation ne vous a pas connecté(e).',
    notPermitted:
      'Le service de connexion de votre organisation vous connaît, mais vous n’avez pas accès à ce programme. Veuillez vous adresser à ses responsables.',
    unconfirmed:
      'Le service de connexion de votre organisation n’a pas confirmé votre identité. Reconnectez-vous à ce service, avec votre propre compte ; ou déconnectez-vous ici, puis reconnectez-vous.',
    code: 'Motif à leur transmettre :',
    testTitle: 'Le test a réussi',
    test: (provider) => `${provider} vous a reconnu(e). Vous pouvez maintenant activer ce service.`,
    subject: 'Identifiant chez le fournisseur',
    email: 'Adresse e-mail',
    firstName: 'Prénom',
    lastName: 'Nom',
    groups: 'Groupes',
    none: 'aucun',
    back: 'Retour aux réglages',
  },
};
