import type { Language } from '../../languages.ts';

/** What all pages of admins say, and those that sign in. */
export interface ConsoleWords {
  skip: string;
  navigation: string;
  pages: Record<'overview' | 'keys' | 'sources' | 'applications' | 'admins' | 'passkeys', string>;
  signOut: string;
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
  signIn: string;
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

export const consoleWords: Record<Language, ConsoleWords> = {
  en: {
    skip: 'Skip to the content',
    navigation: 'Pages',
    pages: {
      overview: 'Overview',
      keys: 'API keys',
      sources: 'Sources',
      applications: 'Applications',
      admins: 'Admins',
      passkeys: 'Passkeys',
    },
    signOut: 'Sign out',
    askTitle: 'Sign in as an admin',
    ask: 'There is no password. Enter the e-mail address that you were invited with, and we send you a link that signs you in.',
    email: 'E-mail address',
    send: 'Send me a link',
    emailFault: 'Please enter an e-mail address, such as name@company.example.',
    askedTitle: 'Look into your mailbox',
    asked:
      'If this is the address of an admin, a mail with a link is on its way to you. The link works once, for 30 minutes. Look into the folder for junk mail, too.',
    again: 'Enter another address',
    enterTitle: 'Sign in',
    enter: (company, name) =>
      `You are about to sign in to the security awareness programme of ${company} as the admin ${name}.`,
    notYou: 'Is this not you, or have you not asked for this link? Then close this page.',
    enterButton: 'Sign in',
    signedOutTitle: 'You are not signed in',
    signedOut: 'Your visit has ended, for example because nothing happened for half an hour.',
    linkTitle: 'This link does not work',
    link: 'It was used already, or is older than 30 minutes. Ask for a new one: it takes a minute.',
    signIn: 'Sign in',
    staleTitle: 'This form is out of date',
    stale: 'You may have signed in again in another window. Open the page again, and send the form from there.',
    missingTitle: 'There is no such page',
    missing: 'What you are looking for may have been removed.',
    refusedTitle: 'That could not be done',
    refused: 'Please go back, open the page again, and try once more.',
    tooManyTitle: 'Too many attempts',
    tooMany: 'Please wait a minute, then try again.',
    unavailableTitle: 'Something is not working',
    unavailable: 'Please try again in a few minutes.',
    back: 'To the console',
  },
  de: {
    skip: 'Zum Inhalt springen',
    navigation: 'Seiten',
    pages: {
      overview: 'Übersicht',
      keys: 'API-Schlüssel',
      sources: 'Quellen',
      applications: 'Anwendungen',
      admins: 'Administratoren',
      passkeys: 'Passkeys',
    },
    signOut: 'Abmelden',
    askTitle: 'Als Administrator anmelden',
    ask: 'Es gibt kein Passwort. Geben Sie die E-Mail-Adresse ein, mit der Sie eingeladen wurden, und wir senden Ihnen einen Link, der Sie anmeldet.',
    email: 'E-Mail-Adresse',
    send: 'Link zusenden',
    emailFault: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel name@firma.example.',
    askedTitle: 'Sehen Sie in Ihr Postfach',
    asked:
      'Wenn das die Adresse eines Administrators ist, ist eine E-Mail mit einem Link zu Ihnen unterwegs. Der Link funktioniert einmal, 30 Minuten lang. Sehen Sie auch im Ordner für unerwünschte E-Mails nach.',
    again: 'Eine andere Adresse eingeben',
    enterTitle: 'Anmelden',
    enter: (company, name) =>
      `Sie melden sich beim Security-Awareness-Programm von ${company} als Administrator ${name} an.`,
    notYou: 'Sind Sie das nicht, oder haben Sie diesen Link nicht angefordert? Dann schließen Sie diese Seite.',
    enterButton: 'Anmelden',
    signedOutTitle: 'Sie sind nicht angemeldet',
    signedOut: 'Ihr Besuch ist beendet, zum Beispiel weil eine halbe Stunde lang nichts geschehen ist.',
    linkTitle: 'Dieser Link funktioniert nicht',
    link: 'Er wurde schon benutzt oder ist älter als 30 Minuten. Fordern Sie einen neuen an, das dauert eine Minute.',
    signIn: 'Anmelden',
    staleTitle: 'Dieses Formular ist veraltet',
    stale:
      'Vielleicht haben Sie sich in einem anderen Fenster neu angemeldet. Öffnen Sie die Seite noch einmal, und senden Sie das Formular von dort.',
    missingTitle: 'Diese Seite gibt es nicht',
    missing: 'Was Sie suchen, wurde vielleicht entfernt.',
    refusedTitle: 'Das war nicht möglich',
    refused: 'Bitte gehen Sie zurück, öffnen Sie die Seite neu und versuchen Sie es noch einmal.',
    tooManyTitle: 'Zu viele Versuche',
    tooMany: 'Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    unavailableTitle: 'Etwas funktioniert gerade nicht',
    unavailable: 'Bitte versuchen Sie es in ein paar Minuten noch einmal.',
    back: 'Zur Konsole',
  },
  fr: {
    skip: 'Aller au contenu',
    navigation: 'Pages',
    pages: {
      overview: 'Vue d’ensemble',
      keys: 'Clés d’API',
      sources: 'Sources',
      applications: 'Applications',
      admins: 'Administrateurs',
      passkeys: 'Clés d’accès',
    },
    signOut: 'Se déconnecter',
    askTitle: 'Se connecter en tant qu’administrateur',
    ask: 'Il n’y a pas de mot de passe. Saisissez l’adresse e-mail de votre invitation, et nous vous envoyons un lien de connexion.',
    email: 'Adresse e-mail',
    send: 'M’envoyer un lien',
    emailFault: 'Veuillez saisir une adresse e-mail, par exemple nom@societe.example.',
    askedTitle: 'Consultez votre messagerie',
    asked:
      'Si cette adresse est celle d’un administrateur, un e-mail avec un lien vous parviendra. Le lien fonctionne une fois, pendant 30 minutes. Regardez aussi dans le dossier des courriers indésirables.',
    again: 'Saisir une autre adresse',
    enterTitle: 'Se connecter',
    enter: (company, name) =>
      `Vous allez vous connecter au programme de sensibilisation à la sécurité de ${company} en tant qu’administrateur ${name}.`,
    notYou: 'Ce n’est pas vous, ou vous n’avez pas demandé ce lien ? Fermez alors cette page.',
    enterButton: 'Se connecter',
    signedOutTitle: 'Vous n’êtes pas connecté(e)',
    signedOut: 'Votre visite est terminée, par exemple parce qu’il ne s’est rien passé pendant une demi-heure.',
    linkTitle: 'Ce lien ne fonctionne pas',
    link: 'Il a déjà servi, ou il a plus de 30 minutes. Demandez-en un nouveau : cela prend une minute.',
    signIn: 'Se connecter',
    staleTitle: 'Ce formulaire n’est plus à jour',
    stale:
      'Vous vous êtes peut-être reconnecté(e) dans une autre fenêtre. Rouvrez la page, et envoyez le formulaire depuis celle-ci.',
    missingTitle: 'Cette page n’existe pas',
    missing: 'Ce que vous cherchez a peut-être été supprimé.',
    refusedTitle: 'Cela n’a pas pu être fait',
    refused: 'Veuillez revenir en arrière, rouvrir la page et réessayer.',
    tooManyTitle: 'Trop de tentatives',
    tooMany: 'Veuillez patienter une minute, puis réessayer.',
    unavailableTitle: 'Quelque chose ne fonctionne pas',
    unavailable: 'Veuillez réessayer dans quelques minutes.',
    back: 'Vers la console',
  },
};
