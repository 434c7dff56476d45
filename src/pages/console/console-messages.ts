import type { Language } from '../../contract/languages.ts';
import { commonMessages, type SignInMessages } from '../shared/sign-in-messages.ts';

/** Texts of all console pages, and of the sign-in. */
export interface ConsoleMessages extends SignInMessages {
  pages: Record<
    | ('overview' | 'people' | 'simulations' | 'keys' | 'sources' | 'applications' | 'admins' | 'signIn')
    | ('signIns' | 'passkeys' | 'sessions'),
    string
  >;
}

export const consoleMessages: Record<Language, ConsoleMessages> = {
  en: {
    ...commonMessages.en,
    pages: {
      overview: 'Overview',
      people: 'Your people',
      simulations: 'Simulations',
      keys: 'API keys',
      sources: 'Sources',
      applications: 'Applications',
      admins: 'Admins',
      signIn: 'Authentication',
      passkeys: 'Passkeys',
      signIns: 'Sign-in log',
      sessions: 'Sessions',
    },
    askTitle: 'Sign in as an admin',
    ask: 'You do not need a password. Enter the e-mail address that you were invited with, and we will send you a link that signs you in.',
    asked:
      'If this is the address of an admin, an e-mail with a link is on its way to you. The link works once, for 30 minutes. Check your junk folder, too.',
    enter: (company, name) =>
      `You are about to sign in to the security awareness programme of ${company} as the admin ${name}.`,
    notYou: 'If this is not you, or you did not ask for this link, close this page.',
    signedOut: 'Your session has ended, for example because you were inactive for half an hour.',
    link: 'It has already been used, or is older than 30 minutes. Request a new one: it takes a minute.',
    signIn: 'Sign in',
    missing: 'What you are looking for might have been removed.',
    refusedTitle: 'That could not be done',
    back: 'Go to the console',
  },
  de: {
    ...commonMessages.de,
    pages: {
      overview: 'Übersicht',
      people: 'Ihre Mitarbeitenden',
      simulations: 'Simulationen',
      keys: 'API-Schlüssel',
      sources: 'Quellen',
      applications: 'Anwendungen',
      admins: 'Administratoren',
      signIn: 'Authentifizierung',
      passkeys: 'Passkeys',
      signIns: 'Anmeldeprotokoll',
      sessions: 'Sitzungen',
    },
    askTitle: 'Als Administrator anmelden',
    ask: 'Es gibt kein Passwort. Geben Sie die E-Mail-Adresse ein, mit der Sie eingeladen wurden, und wir senden Ihnen einen Link, der Sie anmeldet.',
    asked:
      'Wenn das die Adresse eines Administrators ist, ist eine E-Mail mit einem Link zu Ihnen unterwegs. Der Link funktioniert einmal, 30 Minuten lang. Sehen Sie auch im Ordner für unerwünschte E-Mails nach.',
    enter: (company, name) =>
      `Sie melden sich beim Security-Awareness-Programm von ${company} als Administrator ${name} an.`,
    notYou: 'Sind Sie das nicht, oder haben Sie diesen Link nicht angefordert? Dann schließen Sie diese Seite.',
    signedOut: 'Ihr Besuch ist beendet, zum Beispiel weil eine halbe Stunde lang nichts geschehen ist.',
    link: 'Er wurde schon benutzt oder ist älter als 30 Minuten. Fordern Sie einen neuen an, das dauert eine Minute.',
    signIn: 'Anmelden',
    missing: 'Was Sie suchen, wurde vielleicht entfernt.',
    refusedTitle: 'Das war nicht möglich',
    back: 'Zur Konsole',
  },
  fr: {
    ...commonMessages.fr,
    pages: {
      overview: 'Vue d’ensemble',
      people: 'Votre équipe',
      simulations: 'Simulations',
      keys: 'Clés d’API',
      sources: 'Sources',
      applications: 'Applications',
      admins: 'Administrateurs',
      signIn: 'Authentification',
      passkeys: 'Clés d’accès',
      signIns: 'Journal des connexions',
      sessions: 'Sessions',
    },
    askTitle: 'Se connecter en tant qu’administrateur',
    ask: 'Il n’y a pas de mot de passe. Saisissez l’adresse e-mail de votre invitation, et nous vous envoyons un lien de connexion.',
    asked:
      'Si cette adresse est celle d’un administrateur, un e-mail avec un lien vous parviendra. Le lien fonctionne une fois, pendant 30 minutes. Regardez aussi dans le dossier des courriers indésirables.',
    enter: (company, name) =>
      `Vous allez vous connecter au programme de sensibilisation à la sécurité de ${company} en tant qu’administrateur ${name}.`,
    notYou: 'Ce n’est pas vous, ou vous n’avez pas demandé ce lien ? Fermez alors cette page.',
    signedOut: 'Votre visite est terminée, par exemple parce qu’il ne s’est rien passé pendant une demi-heure.',
    link: 'Il a déjà servi, ou il a plus de 30 minutes. Demandez-en un nouveau : cela prend une minute.',
    signIn: 'Se connecter',
    missing: 'Ce que vous cherchez a peut-être été supprimé.',
    refusedTitle: 'Cela n’a pas pu être fait',
    back: 'Vers la console',
  },
};
