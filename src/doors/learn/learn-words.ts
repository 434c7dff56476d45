import type { Language } from '../../languages.ts';

/** What all pages of learners say. */
export interface LearnWords {
  skip: string;
  navigation: string;
  myTraining: string;
  signOut: string;
  signOutEverywhere: string;
  askTitle: string;
  ask: string;
  email: string;
  send: string;
  emailFault: string;
  askedTitle: string;
  asked: string;
  again: string;
  enterTitle: string;
  enter(company: string, name: string): string;
  notYou: string;
  enterButton: string;
  signedOutTitle: string;
  signedOut: string;
  linkTitle: string;
  link: string;
  askForLink: string;
  staleTitle: string;
  stale: string;
  missingTitle: string;
  missing: string;
  refusedTitle: string;
  refused: string;
  tooManyTitle: string;
  tooMany: string;
  unavailableTitle: string;
  unavailable: string;
  back: string;
}

export const learnWords: Record<Language, LearnWords> = {
  en: {
    skip: 'Skip to the content',
    navigation: 'Pages',
    myTraining: 'My training',
    signOut: 'Sign out',
    signOutEverywhere: 'Sign out on all devices',
    askTitle: 'Sign in to your training',
    ask: 'There is no password. Enter your work e-mail address, and we send you a link that signs you in.',
    email: 'E-mail address',
    send: 'Send me a link',
    emailFault: 'Please enter an e-mail address, such as name@company.example.',
    askedTitle: 'Look into your mailbox',
    asked:
      'If a programme knows this address, a mail with a link is on its way to you. It can take a few minutes. Look into the folder for junk mail, too.',
    again: 'Enter another address',
    enterTitle: 'Sign in',
    enter: (company, name) => `You are about to sign in to the security awareness training of ${company} as ${name}.`,
    notYou: 'Is this not you? Then close this page, and tell whoever sent you the link.',
    enterButton: 'Sign in',
    signedOutTitle: 'You are not signed in',
    signedOut: 'Your visit has ended, for example because nothing happened for a while. What was saved is still there.',
    linkTitle: 'This link does not work',
    link: 'It may be incomplete, or too old. Ask for a new one: it takes a minute.',
    askForLink: 'Ask for a new link',
    staleTitle: 'This form is out of date',
    stale: 'You may have signed in again in another window. Open the page again, and send the form from there.',
    missingTitle: 'There is no such page',
    missing: 'It may have been removed, or is not meant for you.',
    refusedTitle: 'That could not be read',
    refused: 'Please go back, open the page again, and try once more.',
    tooManyTitle: 'Too many attempts',
    tooMany: 'Please wait a minute, then try again.',
    unavailableTitle: 'Something is not working',
    unavailable: 'Please try again in a few minutes.',
    back: 'To my training',
  },
  de: {
    skip: 'Zum Inhalt springen',
    navigation: 'Seiten',
    myTraining: 'Meine Schulungen',
    signOut: 'Abmelden',
    signOutEverywhere: 'Auf allen Geräten abmelden',
    askTitle: 'Bei Ihren Schulungen anmelden',
    ask: 'Es gibt kein Passwort. Geben Sie Ihre dienstliche E-Mail-Adresse ein, und wir senden Ihnen einen Link, der Sie anmeldet.',
    email: 'E-Mail-Adresse',
    send: 'Link zusenden',
    emailFault: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@firma.example.',
    askedTitle: 'Sehen Sie in Ihr Postfach',
    asked:
      'Wenn ein Programm diese Adresse kennt, ist eine E-Mail mit einem Link zu Ihnen unterwegs. Das kann einige Minuten dauern. Sehen Sie auch im Ordner für unerwünschte E-Mails nach.',
    again: 'Eine andere Adresse eingeben',
    enterTitle: 'Anmelden',
    enter: (company, name) => `Sie melden sich bei der Security-Awareness-Schulung von ${company} als ${name} an.`,
    notYou: 'Das sind nicht Sie? Dann schließen Sie diese Seite und sagen Sie dem Absender des Links Bescheid.',
    enterButton: 'Anmelden',
    signedOutTitle: 'Sie sind nicht angemeldet',
    signedOut:
      'Ihr Besuch ist beendet, zum Beispiel weil eine Weile nichts geschehen ist. Was gespeichert wurde, ist noch da.',
    linkTitle: 'Dieser Link funktioniert nicht',
    link: 'Er ist vielleicht unvollständig oder zu alt. Fordern Sie einen neuen an, das dauert eine Minute.',
    askForLink: 'Neuen Link anfordern',
    staleTitle: 'Dieses Formular ist veraltet',
    stale:
      'Vielleicht haben Sie sich in einem anderen Fenster neu angemeldet. Öffnen Sie die Seite noch einmal, und senden Sie das Formular von dort.',
    missingTitle: 'Diese Seite gibt es nicht',
    missing: 'Sie wurde vielleicht entfernt oder ist nicht für Sie bestimmt.',
    refusedTitle: 'Das war nicht lesbar',
    refused: 'Bitte gehen Sie zurück, öffnen Sie die Seite neu und versuchen Sie es noch einmal.',
    tooManyTitle: 'Zu viele Versuche',
    tooMany: 'Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    unavailableTitle: 'Etwas funktioniert gerade nicht',
    unavailable: 'Bitte versuchen Sie es in ein paar Minuten noch einmal.',
    back: 'Zu meinen Schulungen',
  },
  fr: {
    skip: 'Aller au contenu',
    navigation: 'Pages',
    myTraining: 'Ma formation',
    signOut: 'Se déconnecter',
    signOutEverywhere: 'Se déconnecter de tous les appareils',
    askTitle: 'Accéder à votre formation',
    ask: 'Il n’y a pas de mot de passe. Saisissez votre adresse e-mail professionnelle, et nous vous envoyons un lien de connexion.',
    email: 'Adresse e-mail',
    send: 'M’envoyer un lien',
    emailFault: 'Veuillez saisir une adresse e-mail, par exemple nom@societe.example.',
    askedTitle: 'Consultez votre messagerie',
    asked:
      'Si un programme connaît cette adresse, un e-mail avec un lien vous parviendra. Cela peut prendre quelques minutes. Regardez aussi dans le dossier des courriers indésirables.',
    again: 'Saisir une autre adresse',
    enterTitle: 'Se connecter',
    enter: (company, name) =>
      `Vous allez vous connecter à la formation à la sécurité de ${company} en tant que ${name}.`,
    notYou: 'Ce n’est pas vous ? Fermez alors cette page et prévenez la personne qui vous a envoyé le lien.',
    enterButton: 'Se connecter',
    signedOutTitle: 'Vous n’êtes pas connecté(e)',
    signedOut:
      'Votre visite est terminée, par exemple parce qu’il ne s’est rien passé pendant un moment. Ce qui a été enregistré est toujours là.',
    linkTitle: 'Ce lien ne fonctionne pas',
    link: 'Il est peut-être incomplet ou trop ancien. Demandez-en un nouveau : cela prend une minute.',
    askForLink: 'Demander un nouveau lien',
    staleTitle: 'Ce formulaire n’est plus à jour',
    stale:
      'Vous vous êtes peut-être reconnecté(e) dans une autre fenêtre. Rouvrez la page, et envoyez le formulaire depuis celle-ci.',
    missingTitle: 'Cette page n’existe pas',
    missing: 'Elle a peut-être été supprimée, ou ne vous est pas destinée.',
    refusedTitle: 'Cela n’a pas pu être lu',
    refused: 'Veuillez revenir en arrière, rouvrir la page et réessayer.',
    tooManyTitle: 'Trop de tentatives',
    tooMany: 'Veuillez patienter une minute, puis réessayer.',
    unavailableTitle: 'Quelque chose ne fonctionne pas',
    unavailable: 'Veuillez réessayer dans quelques minutes.',
    back: 'Vers ma formation',
  },
};
