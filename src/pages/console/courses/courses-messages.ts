import type { Language } from '../../../contract/languages.ts';

/** Texts of the course list, and of the page of one course. */
export interface CoursesMessages {
  title: string;
  about: string;
  none: string;
  noMatch: string;
  create: string;
  filters: string;
  name: string;
  source: string;
  all: string;
  sources: Readonly<Record<string, string>>;
  apply: string;
  reset: string;
  showRetired: string;
  subject: string;
  enrolled: string;
  started: string;
  finished: string;
  passed: string;
  pages: string;
  back: string;
  retired: string;
  gapAnalysis: string;
  languages: string;
  duration: string;
  minutes(count: number): string;
  passMark: string;
  validity: string;
  months(count: number): string;
  forGood: string;
  description: string;
  noValue: string;
  participation: string;
  assign: string;
  remind: string;
  withdraw: string;
  exportTitle: string;
  exportAbout: string;
  exportFormat: string;
  exportButton: string;
  preview: string;
  previewAbout: string;
  previewIn(language: string): string;
  steps: string;
  lesson: string;
  questions: string;
  notHere: string;
  /** The note above a step of the preview. */
  previewNote: string;
  showAnswers: string;
  again: string;
  previous: string;
  next: string;
  toCourse: string;
  stepOf(number: number, count: number): string;
  notices: Readonly<Record<'created' | 'deleted' | 'packageSaved' | 'packageDeleted', string>>;
}

export const coursesMessages: Record<Language, CoursesMessages> = {
  en: {
    title: 'Courses',
    about: 'The courses of the library, and your own.',
    none: 'There are no courses yet.',
    noMatch: 'No course matches these filters.',
    create: 'Create a course',
    filters: 'Filter courses',
    name: 'Name',
    source: 'Source',
    all: 'All',
    sources: { managed: 'Library', custom: 'Own' },
    apply: 'Apply',
    reset: 'Show all',
    showRetired: 'With retired courses',
    subject: 'Subject',
    enrolled: 'Enrolled',
    started: 'Started',
    finished: 'Finished',
    passed: 'Passed',
    pages: 'Pages of the list',
    back: 'All courses',
    retired: 'Retired',
    gapAnalysis: 'Gap analysis',
    languages: 'Languages',
    duration: 'Duration',
    minutes: (count) => (count === 1 ? 'one minute' : `${count} minutes`),
    passMark: 'Pass mark',
    validity: 'Valid for',
    months: (count) => (count === 1 ? 'one month' : `${count} months`),
    forGood: 'Without limit',
    description: 'Description',
    noValue: '–',
    participation: 'Participation',
    assign: 'Enrol people',
    remind: 'Remind people',
    withdraw: 'Unenrol people',
    exportTitle: 'Export for another learning system',
    exportAbout:
      'The file contains the published course and marks the answers in the browser. Results in the other system do not appear here.',
    exportFormat: 'Format',
    exportButton: 'Download',
    preview: 'Preview',
    previewAbout: 'Each step as learners see it. Nothing is recorded.',
    previewIn: (language) => `In ${language}`,
    steps: 'Steps',
    lesson: 'Lesson',
    questions: 'Question',
    notHere: 'This course has no content here. Learners take it elsewhere, or in the package below.',
    previewNote: 'This is a preview. Nothing that you answer is recorded.',
    showAnswers: 'Answer',
    again: 'Answer again',
    previous: 'Previous step',
    next: 'Next step',
    toCourse: 'Back to the course',
    stepOf: (number, count) => `Step ${number} of ${count}`,
    notices: {
      created: 'The course has been created. You can now upload its package.',
      deleted: 'The course has been deleted.',
      packageSaved: 'The package has been checked and stored.',
      packageDeleted: 'The package has been deleted.',
    },
  },
  de: {
    title: 'Kurse',
    about: 'Die Kurse der Bibliothek und Ihre eigenen.',
    none: 'Es gibt noch keine Kurse.',
    noMatch: 'Kein Kurs entspricht diesen Filtern.',
    create: 'Kurs anlegen',
    filters: 'Kurse filtern',
    name: 'Name',
    source: 'Herkunft',
    all: 'Alle',
    sources: { managed: 'Bibliothek', custom: 'Eigener Kurs' },
    apply: 'Anwenden',
    reset: 'Alle anzeigen',
    showRetired: 'Mit zurückgezogenen Kursen',
    subject: 'Thema',
    enrolled: 'Eingeschrieben',
    started: 'Begonnen',
    finished: 'Abgeschlossen',
    passed: 'Bestanden',
    pages: 'Seiten der Liste',
    back: 'Alle Kurse',
    retired: 'Zurückgezogen',
    gapAnalysis: 'Standortbestimmung',
    languages: 'Sprachen',
    duration: 'Dauer',
    minutes: (count) => (count === 1 ? 'eine Minute' : `${count} Minuten`),
    passMark: 'Bestanden ab',
    validity: 'Gültig für',
    months: (count) => (count === 1 ? 'einen Monat' : `${count} Monate`),
    forGood: 'Unbegrenzt',
    description: 'Beschreibung',
    noValue: '–',
    participation: 'Teilnahme',
    assign: 'Personen einschreiben',
    remind: 'Personen erinnern',
    withdraw: 'Personen austragen',
    exportTitle: 'Für ein anderes Lernsystem exportieren',
    exportAbout:
      'Die Datei enthält den veröffentlichten Kurs und wertet die Antworten im Browser aus. Ergebnisse aus dem anderen System erscheinen hier nicht.',
    exportFormat: 'Format',
    exportButton: 'Herunterladen',
    preview: 'Vorschau',
    previewAbout: 'Jeder Schritt, wie Lernende ihn sehen. Nichts wird aufgezeichnet.',
    previewIn: (language) => `Auf ${language}`,
    steps: 'Schritte',
    lesson: 'Lektion',
    questions: 'Frage',
    notHere: 'Dieser Kurs hat hier keinen Inhalt. Lernende nehmen anderswo teil oder im Paket weiter unten.',
    previewNote: 'Das ist eine Vorschau. Ihre Antworten werden nicht aufgezeichnet.',
    showAnswers: 'Antworten',
    again: 'Noch einmal antworten',
    previous: 'Voriger Schritt',
    next: 'Nächster Schritt',
    toCourse: 'Zurück zum Kurs',
    stepOf: (number, count) => `Schritt ${number} von ${count}`,
    notices: {
      created: 'Der Kurs ist angelegt. Sie können jetzt sein Paket hochladen.',
      deleted: 'Der Kurs wurde gelöscht.',
      packageSaved: 'Das Paket ist geprüft und gespeichert.',
      packageDeleted: 'Das Paket wurde gelöscht.',
    },
  },
  fr: {
    title: 'Cours',
    about: 'Les cours de la bibliothèque, et les vôtres.',
    none: 'Il n’y a pas encore de cours.',
    noMatch: 'Aucun cours ne correspond à ces filtres.',
    create: 'Créer un cours',
    filters: 'Filtrer les cours',
    name: 'Nom',
    source: 'Origine',
    all: 'Tous',
    sources: { managed: 'Bibliothèque', custom: 'Cours propre' },
    apply: 'Appliquer',
    reset: 'Tout afficher',
    showRetired: 'Avec les cours retirés',
    subject: 'Thème',
    enrolled: 'Inscrits',
    started: 'Commencés',
    finished: 'Terminés',
    passed: 'Réussis',
    pages: 'Pages de la liste',
    back: 'Tous les cours',
    retired: 'Retiré',
    gapAnalysis: 'État des lieux',
    languages: 'Langues',
    duration: 'Durée',
    minutes: (count) => (count === 1 ? 'une minute' : `${count} minutes`),
    passMark: 'Seuil de réussite',
    validity: 'Valable',
    months: (count) => (count === 1 ? 'un mois' : `${count} mois`),
    forGood: 'Sans limite',
    description: 'Description',
    noValue: '–',
    participation: 'Participation',
    assign: 'Inscrire des personnes',
    remind: 'Relancer des personnes',
    withdraw: 'Désinscrire des personnes',
    exportTitle: 'Exporter vers un autre système de formation',
    exportAbout:
      'Le fichier contient le cours publié et corrige les réponses dans le navigateur. Les résultats de l’autre système n’apparaissent pas ici.',
    exportFormat: 'Format',
    exportButton: 'Télécharger',
    preview: 'Aperçu',
    previewAbout: 'Chaque étape telle que les apprenants la voient. Rien n’est enregistré.',
    previewIn: (language) => `En ${language}`,
    steps: 'Étapes',
    lesson: 'Leçon',
    questions: 'Question',
    notHere: 'Ce cours n’a pas de contenu ici. Il est suivi ailleurs, ou dans le paquet ci-dessous.',
    previewNote: 'Ceci est un aperçu. Vos réponses ne sont pas enregistrées.',
    showAnswers: 'Répondre',
    again: 'Répondre à nouveau',
    previous: 'Étape précédente',
    next: 'Étape suivante',
    toCourse: 'Retour au cours',
    stepOf: (number, count) => `Étape ${number} sur ${count}`,
    notices: {
      created: 'Le cours est créé. Vous pouvez maintenant importer son paquet.',
      deleted: 'Le cours a été supprimé.',
      packageSaved: 'Le paquet est vérifié et enregistré.',
      packageDeleted: 'Le paquet a été supprimé.',
    },
  },
};
