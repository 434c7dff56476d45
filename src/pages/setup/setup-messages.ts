import type { Language } from '../../contract/languages.ts';
import type { NameFault } from '../../contract/person-operations.ts';

export interface SetupMessages {
  title: string;
  invitation(company: string): string;
  email: string;
  firstName: string;
  lastName: string;
  submit: string;
  faults: Record<NameFault, string>;
  doneTitle: string;
  done(company: string): string;
  toConsole: string;
  invalidLinkTitle: string;
  invalidLink: string;
  refusedTitle: string;
  refused: string;
  tooManyTitle: string;
  tooMany: string;
  unavailableTitle: string;
  unavailable: string;
}

export const setupMessages: Record<Language, SetupMessages> = {
  en: {
    title: 'Finish your setup',
    invitation: (company) => `You are invited to administer the security awareness programme of ${company}.`,
    email: 'E-mail address',
    firstName: 'First name',
    lastName: 'Last name',
    submit: 'Finish setup',
    faults: {
      empty: 'Please enter a name.',
      too_long: 'Please use no more than 200 characters.',
      not_text: 'Please use ordinary characters only.',
      web_address: 'Please enter your name, not a web address.',
    },
    doneTitle: 'You are all set',
    done: (company) => `Your administrator account at ${company} is active.`,
    toConsole: 'Go to the console',
    invalidLinkTitle: 'This link does not work',
    invalidLink:
      'It might have been used already, been replaced by a newer link, or be older than seven days. If you have finished the setup, there is nothing left to do. Otherwise, please ask for a new invitation.',
    refusedTitle: 'The request could not be read',
    refused: 'Please open the link in your invitation again.',
    tooManyTitle: 'Too many attempts',
    tooMany: 'Please wait a minute, then open the link in your invitation again.',
    unavailableTitle: 'Something is not working',
    unavailable: 'Please try again in a few minutes. Your link remains valid.',
  },
  de: {
    title: 'Einrichtung abschließen',
    invitation: (company) => `Sie sind eingeladen, das Security-Awareness-Programm von ${company} zu verwalten.`,
    email: 'E-Mail-Adresse',
    firstName: 'Vorname',
    lastName: 'Nachname',
    submit: 'Einrichtung abschließen',
    faults: {
      empty: 'Bitte geben Sie einen Namen ein.',
      too_long: 'Bitte verwenden Sie höchstens 200 Zeichen.',
      not_text: 'Bitte verwenden Sie nur gewöhnliche Zeichen.',
      web_address: 'Bitte geben Sie Ihren Namen ein, keine Internetadresse.',
    },
    doneTitle: 'Alles fertig',
    done: (company) => `Ihr Administratorkonto bei ${company} ist aktiv.`,
    toConsole: 'Zur Konsole',
    invalidLinkTitle: 'Dieser Link funktioniert nicht',
    invalidLink:
      'Er wurde vielleicht schon benutzt, durch einen neueren ersetzt oder ist älter als sieben Tage. Wenn Sie die Einrichtung abgeschlossen haben, ist nichts mehr zu tun; sonst lassen Sie sich bitte erneut einladen.',
    refusedTitle: 'Das war nicht lesbar',
    refused: 'Bitte öffnen Sie den Link aus Ihrer Einladung noch einmal.',
    tooManyTitle: 'Zu viele Versuche',
    tooMany: 'Bitte warten Sie eine Minute und öffnen Sie den Link aus Ihrer Einladung dann noch einmal.',
    unavailableTitle: 'Etwas funktioniert gerade nicht',
    unavailable: 'Bitte versuchen Sie es in ein paar Minuten noch einmal. Ihr Link bleibt gültig.',
  },
  fr: {
    title: 'Terminer la configuration',
    invitation: (company) =>
      `Vous êtes invité(e) à administrer le programme de sensibilisation à la sécurité chez ${company}.`,
    email: 'Adresse e-mail',
    firstName: 'Prénom',
    lastName: 'Nom',
    submit: 'Terminer la configuration',
    faults: {
      empty: 'Veuillez saisir un nom.',
      too_long: 'Veuillez utiliser 200 caractères au plus.',
      not_text: 'Veuillez n’utiliser que des caractères ordinaires.',
      web_address: 'Veuillez saisir votre nom, et non une adresse web.',
    },
    doneTitle: 'C’est terminé',
    done: (company) => `Votre compte d’administration chez ${company} est actif.`,
    toConsole: 'Aller à la console',
    invalidLinkTitle: 'Ce lien ne fonctionne pas',
    invalidLink:
      'Il a peut-être déjà servi, été remplacé par un plus récent, ou il a plus de sept jours. Si vous avez terminé la configuration, il ne reste rien à faire ; sinon, veuillez demander une nouvelle invitation.',
    refusedTitle: 'Cela n’a pas pu être lu',
    refused: 'Veuillez rouvrir le lien de votre invitation.',
    tooManyTitle: 'Trop de tentatives',
    tooMany: 'Veuillez patienter une minute, puis rouvrir le lien de votre invitation.',
    unavailableTitle: 'Quelque chose ne fonctionne pas',
    unavailable: 'Veuillez réessayer dans quelques minutes. Votre lien reste valable.',
  },
};
