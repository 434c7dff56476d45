import type { Language } from '../../contract/languages.ts';
import { commonMessages, type SignInMessages } from '../shared/sign-in-messages.ts';

export interface LearnMessages extends SignInMessages {
  myTraining: string;
  signOutEverywhere: string;
}

export const learnMessages: Record<Language, LearnMessages> = {
  en: {
    ...commonMessages.en,
    myTraining: 'My training',
    signOutEverywhere: 'Sign out on all devices',
    askTitle: 'Sign in to your training',
    ask: 'You do not need a password. Enter your work e-mail address, and we will send you a link that signs you in.',
    asked:
      'If this address belongs to a programme, an e-mail with a link is on its way to you. It can take a few minutes. Check your junk folder, too.',
    enter: (company, name) => `You are about to sign in to the security awareness training of ${company} as ${name}.`,
    notYou: 'If this is not you, close this page and let the sender of the link know.',
    signedOut:
      'Your session has ended, for example because you were inactive for a while. What was saved is still there.',
    link: 'It might be incomplete, or too old. Request a new one: it takes a minute.',
    signIn: 'Request a new link',
    missing: 'It might have been removed, or is not meant for you.',
    refusedTitle: 'The request could not be read',
    back: 'Go to my training',
  },
  de: {
    ...commonMessages.de,
    myTraining: 'Meine Schulungen',
    signOutEverywhere: 'Auf allen Geräten abmelden',
    askTitle: 'Bei Ihren Schulungen anmelden',
    ask: 'Es gibt kein Passwort. Geben Sie Ihre dienstliche E-Mail-Adresse ein, und wir senden Ihnen einen Link, der Sie anmeldet.',
    asked:
      'Wenn ein Programm diese Adresse kennt, ist eine E-Mail mit einem Link zu Ihnen unterwegs. Das kann einige Minuten dauern. Sehen Sie auch im Ordner für unerwünschte E-Mails nach.',
    enter: (company, name) => `Sie melden sich bei der Security-Awareness-Schulung von ${company} als ${name} an.`,
    notYou: 'Das sind nicht Sie? Dann schließen Sie diese Seite und sagen Sie dem Absender des Links Bescheid.',
    signedOut:
      'Ihr Besuch ist beendet, zum Beispiel weil eine Weile nichts geschehen ist. Was gespeichert wurde, ist noch da.',
    link: 'Er ist vielleicht unvollständig oder zu alt. Fordern Sie einen neuen an, das dauert eine Minute.',
    signIn: 'Neuen Link anfordern',
    missing: 'Sie wurde vielleicht entfernt oder ist nicht für Sie bestimmt.',
    refusedTitle: 'Das war nicht lesbar',
    back: 'Zu meinen Schulungen',
  },
  fr: {
    ...commonMessages.fr,
    myTraining: 'Ma formation',
    signOutEverywhere: 'Se déconnecter de tous les appareils',
    askTitle: 'Accéder à votre formation',
    ask: 'Il n’y a pas de mot de passe. Saisissez votre adresse e-mail professionnelle, et nous vous envoyons un lien de connexion.',
    asked:
      'Si un programme connaît cette adresse, un e-mail avec un lien vous parviendra. Cela peut prendre quelques minutes. Regardez aussi dans le dossier des courriers indésirables.',
    enter: (company, name) =>
      `Vous allez vous connecter à la formation à la sécurité de ${company} en tant que ${name}.`,
    notYou: 'Ce n’est pas vous ? Fermez alors cette page et prévenez la personne qui vous a envoyé le lien.',
    signedOut:
      'Votre visite est terminée, par exemple parce qu’il ne s’est rien passé pendant un moment. Ce qui a été enregistré est toujours là.',
    link: 'Il est peut-être incomplet ou trop ancien. Demandez-en un nouveau : cela prend une minute.',
    signIn: 'Demander un nouveau lien',
    missing: 'Elle a peut-être été supprimée, ou ne vous est pas destinée.',
    refusedTitle: 'Cela n’a pas pu être lu',
    back: 'Vers ma formation',
  },
};
