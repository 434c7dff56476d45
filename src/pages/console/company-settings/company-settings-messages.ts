import type { Language } from '../../../contract/languages.ts';

export interface CompanySettingsMessages {
  title: string;
  reporting: string;
  reportingAbout: string;
  address: string;
  phone: string;
  instructions: string;
  instructionsHint: string;
  figures: string;
  timeZone: string;
  timeZoneHint: string;
  utc: string;
  minGroupSize: string;
  minGroupSizeHint: string;
  learning: string;
  gapAnalysisFollowUp: string;
  followUps: Record<'off' | 'propose' | 'enrol', string>;
  none: string;
  save: string;
  fields: Record<'address' | 'phone' | 'instructions' | 'timeZone' | 'minGroupSize' | 'gapAnalysisFollowUp', string>;
  saved: string;
}

export const companySettingsMessages: Record<Language, CompanySettingsMessages> = {
  en: {
    title: 'Organisation',
    reporting: 'How people report a suspicious message',
    reportingAbout: 'Courses and the page after a simulation show this to everybody.',
    address: 'E-mail address',
    phone: 'Telephone number',
    instructions: 'Instructions',
    instructionsHint: 'For example the name of the button in your mail program, and where to find it.',
    figures: 'Reports',
    timeZone: 'Time zone',
    timeZoneHint: 'Days of reports begin and end in this zone, and e-mails keep to its working hours.',
    utc: 'UTC',
    minGroupSize: 'Smallest group for which a mean is shown',
    minGroupSizeHint: 'Reports hide the mean of smaller groups. Enter 2 to 100; if you leave it empty, five applies.',
    learning: 'Learning',
    gapAnalysisFollowUp: 'After a gap analysis',
    followUps: {
      off: 'Do nothing',
      propose: 'Propose courses on the subjects with the lowest scores',
      enrol: 'Enrol the person in these courses',
    },
    none: 'Not set',
    save: 'Save',
    fields: {
      address: 'Please enter an e-mail address, such as report@example.com.',
      phone: 'Please enter at most 50 ordinary characters.',
      instructions: 'Please enter at most 1,000 ordinary characters in one paragraph.',
      timeZone: 'Please choose a time zone from the list.',
      minGroupSize: 'Please enter a number from 2 to 100.',
      gapAnalysisFollowUp: 'Please choose one.',
    },
    saved: 'The settings have been saved.',
  },
  de: {
    title: 'Organisation',
    reporting: 'So meldet man eine verdächtige Nachricht',
    reportingAbout: 'Kurse und die Seite nach einer Simulation zeigen das allen.',
    address: 'E-Mail-Adresse',
    phone: 'Telefonnummer',
    instructions: 'Anleitung',
    instructionsHint: 'Zum Beispiel der Name der Schaltfläche im Mailprogramm und wo sie sich befindet.',
    figures: 'Berichte',
    timeZone: 'Zeitzone',
    timeZoneHint:
      'In dieser Zone beginnen und enden die Tage der Berichte, und E-Mails halten sich an ihre Arbeitszeit.',
    utc: 'UTC',
    minGroupSize: 'Kleinste Gruppe mit Durchschnitt',
    minGroupSizeHint:
      'Berichte verbergen den Durchschnitt von weniger Personen, von 2 bis 100. Bleibt das Feld leer, sind es fünf.',
    learning: 'Lernen',
    gapAnalysisFollowUp: 'Nach einer Gap-Analyse',
    followUps: {
      off: 'Nichts tun',
      propose: 'Die Kurse vorschlagen, deren Themen am schlechtesten liefen',
      enrol: 'Die Person in diese Kurse einschreiben',
    },
    none: 'Nicht gesetzt',
    save: 'Speichern',
    fields: {
      address: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel melden@example.com.',
      phone: 'Bitte geben Sie höchstens 50 gewöhnliche Zeichen ein.',
      instructions: 'Bitte geben Sie höchstens 1.000 gewöhnliche Zeichen in einem Absatz ein.',
      timeZone: 'Bitte wählen Sie eine Zeitzone aus der Liste.',
      minGroupSize: 'Bitte geben Sie eine Zahl von 2 bis 100 ein.',
      gapAnalysisFollowUp: 'Bitte wählen Sie etwas aus.',
    },
    saved: 'Die Einstellungen sind gespeichert.',
  },
  fr: {
    title: 'Organisation',
    reporting: 'Comment signaler un message suspect',
    reportingAbout: 'Les cours et la page qui suit une simulation montrent ceci à tout le monde.',
    address: 'Adresse e-mail',
    phone: 'Numéro de téléphone',
    instructions: 'Instructions',
    instructionsHint: 'Par exemple le nom du bouton de la messagerie et son emplacement.',
    figures: 'Rapports',
    timeZone: 'Fuseau horaire',
    timeZoneHint:
      'Les jours des rapports commencent et finissent dans ce fuseau, et les e-mails en respectent les heures de travail.',
    utc: 'UTC',
    minGroupSize: 'Plus petit groupe avec moyenne',
    minGroupSizeHint:
      'Les rapports cachent la moyenne de groupes plus petits, de 2 à 100. Cinq si le champ reste vide.',
    learning: 'Formation',
    gapAnalysisFollowUp: 'Après une analyse des lacunes',
    followUps: {
      off: 'Ne rien faire',
      propose: 'Proposer les cours dont les sujets ont posé le plus de difficultés',
      enrol: 'Inscrire la personne à ces cours',
    },
    none: 'Non défini',
    save: 'Enregistrer',
    fields: {
      address: 'Veuillez saisir une adresse e-mail, par exemple signaler@example.com.',
      phone: 'Veuillez saisir 50 caractères ordinaires au plus.',
      instructions: 'Veuillez saisir 1 000 caractères ordinaires au plus, en un seul paragraphe.',
      timeZone: 'Veuillez choisir un fuseau horaire de la liste.',
      minGroupSize: 'Veuillez saisir un nombre de 2 à 100.',
      gapAnalysisFollowUp: 'Veuillez choisir.',
    },
    saved: 'Les paramètres ont été enregistrés.',
  },
};
