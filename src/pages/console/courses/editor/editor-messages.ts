import type { Language } from '../../../../contract/languages.ts';

export interface EditorMessages {
  title(name: string): string;
  open: string;
  back: string;
  toSteps: string;
  startAbout: string;
  source: string;
  empty: string;
  start: string;
  packageNote: string;
  firstSummary: string;
  firstLesson: string;
  firstAsk: string;
  draftNote: string;
  publishedNote(version: number): string;
  steps: string;
  columns: [part: string, kind: string, findings: string];
  lesson: string;
  question: string;
  preview: string;
  up(title: string): string;
  down(title: string): string;
  remove: string;
  removeTitle: string;
  removeAbout(title: string): string;
  keepStep: string;
  addLesson: string;
  lessonTitle: string;
  addQuestion: string;
  kind: string;
  kinds: Record<'one' | 'many' | 'mail' | 'scenario', string>;
  after: string;
  atEnd: string;
  publish: string;
  publishTitle: string;
  changes: string;
  changeKinds: Record<'added' | 'changed' | 'removed', string>;
  noChanges: string;
  underWay(count: number): string;
  finished(count: number): string;
  discard: string;
  discardTitle: string;
  discardAbout: string;
  keep: string;
  notices: Record<'saved' | 'started' | 'published' | 'discarded' | 'conflict', string>;
}

export const editorMessages: Record<Language, EditorMessages> = {
  en: {
    title: (name) => `Edit “${name}”`,
    open: 'Edit the content',
    back: 'Back to the course',
    toSteps: 'All parts of the course',
    startAbout:
      'Write the lessons and questions of this course here. Begin with an empty course, or with a copy of a course from the catalogue that you then change.',
    source: 'Begin with',
    empty: 'An empty course',
    start: 'Begin',
    packageNote: 'The course has a SCORM package. Once you publish content, the content replaces the package.',
    firstSummary: 'What people learn in this course.',
    firstLesson: 'First lesson',
    firstAsk: 'What do you do?',
    draftNote: 'You are looking at a draft. Learners see nothing of it until you publish it.',
    publishedNote: (version) => `Version ${version} is published. Your first change creates a draft.`,
    steps: 'Parts of the course',
    columns: ['Part', 'Kind', 'To correct'],
    lesson: 'Lesson',
    question: 'Question',
    preview: 'Preview',
    up: (title) => `Move “${title}” up`,
    down: (title) => `Move “${title}” down`,
    remove: 'Remove',
    removeTitle: 'Remove this part?',
    removeAbout: (title) =>
      `“${title}” will be removed from the draft in all languages. The questions of a lesson are kept and move to the end of the course.`,
    keepStep: 'Keep it',
    addLesson: 'Add a lesson',
    lessonTitle: 'Title of the lesson',
    addQuestion: 'Add a question',
    kind: 'Kind of question',
    kinds: {
      one: 'One correct answer',
      many: 'Several correct answers',
      mail: 'E-mail to inspect',
      scenario: 'Scenario',
    },
    after: 'Asked after',
    atEnd: 'All lessons (at the end)',
    publish: 'Publish',
    publishTitle: 'Publish this draft?',
    changes: 'What changes',
    changeKinds: { added: 'new', changed: 'changed', removed: 'removed' },
    noChanges: 'Learners already see these lessons and questions.',
    underWay: (count) =>
      count === 0
        ? 'Nobody is in the middle of this course.'
        : `Learners in the middle of this course: ${count}. They keep their progress, and see changed parts again.`,
    finished: (count) => `Finished: ${count}. Results and certificates are kept.`,
    discard: 'Discard the draft',
    discardTitle: 'Discard the draft?',
    discardAbout: 'All changes since the last publication will be lost. The published content is kept.',
    keep: 'Back to the draft',
    notices: {
      saved: 'The draft has been saved.',
      started: 'The draft has been created.',
      published: 'The course has been published.',
      discarded: 'The draft has been discarded.',
      conflict: 'Somebody else has changed this course in the meantime. Please check it and try again.',
    },
  },
  de: {
    title: (name) => `„${name}“ bearbeiten`,
    open: 'Inhalt bearbeiten',
    back: 'Zurück zum Kurs',
    toSteps: 'Alle Teile des Kurses',
    startAbout:
      'Schreiben Sie hier die Lektionen und Fragen dieses Kurses. Beginnen Sie mit einem leeren Kurs oder mit der Kopie eines Kurses aus dem Katalog, die Sie dann ändern.',
    source: 'Beginnen mit',
    empty: 'Einem leeren Kurs',
    start: 'Beginnen',
    packageNote: 'Der Kurs hat ein SCORM-Paket. Sobald Sie einen Inhalt veröffentlichen, ersetzt er das Paket.',
    firstSummary: 'Was man in diesem Kurs lernt.',
    firstLesson: 'Erste Lektion',
    firstAsk: 'Was tun Sie?',
    draftNote: 'Das ist ein Entwurf. Lernende sehen davon nichts, bis Sie ihn veröffentlichen.',
    publishedNote: (version) =>
      `Version ${version} ist veröffentlicht. Mit Ihrer ersten Änderung entsteht ein Entwurf.`,
    steps: 'Teile des Kurses',
    columns: ['Teil', 'Art', 'Zu korrigieren'],
    lesson: 'Lektion',
    question: 'Frage',
    preview: 'Vorschau',
    up: (title) => `„${title}“ nach oben`,
    down: (title) => `„${title}“ nach unten`,
    remove: 'Entfernen',
    removeTitle: 'Diesen Teil entfernen?',
    removeAbout: (title) =>
      `„${title}“ wird in allen Sprachen aus dem Entwurf entfernt. Die Fragen einer Lektion bleiben und stehen dann am Ende des Kurses.`,
    keepStep: 'Behalten',
    addLesson: 'Lektion hinzufügen',
    lessonTitle: 'Titel der Lektion',
    addQuestion: 'Frage hinzufügen',
    kind: 'Art der Frage',
    kinds: {
      one: 'Eine richtige Antwort',
      many: 'Mehrere richtige Antworten',
      mail: 'E-Mail zum Prüfen',
      scenario: 'Szenario',
    },
    after: 'Gestellt nach',
    atEnd: 'Allen Lektionen (am Ende)',
    publish: 'Veröffentlichen',
    publishTitle: 'Diesen Entwurf veröffentlichen?',
    changes: 'Was sich ändert',
    changeKinds: { added: 'neu', changed: 'geändert', removed: 'entfernt' },
    noChanges: 'Lernende sehen diese Lektionen und Fragen bereits.',
    underWay: (count) =>
      count === 0
        ? 'Niemand hat diesen Kurs begonnen und noch nicht abgeschlossen.'
        : `Lernende mitten in diesem Kurs: ${count}. Ihr Fortschritt bleibt erhalten, und sie sehen geänderte Teile noch einmal.`,
    finished: (count) => `Abgeschlossen: ${count}. Ergebnisse und Zertifikate bleiben erhalten.`,
    discard: 'Entwurf verwerfen',
    discardTitle: 'Entwurf verwerfen?',
    discardAbout:
      'Alle Änderungen seit der letzten Veröffentlichung gehen verloren. Der veröffentlichte Inhalt bleibt.',
    keep: 'Zurück zum Entwurf',
    notices: {
      saved: 'Der Entwurf wurde gespeichert.',
      started: 'Der Entwurf wurde angelegt.',
      published: 'Der Kurs wurde veröffentlicht.',
      discarded: 'Der Entwurf wurde verworfen.',
      conflict:
        'Jemand anderes hat diesen Kurs inzwischen geändert. Bitte prüfen Sie ihn und versuchen Sie es noch einmal.',
    },
  },
  fr: {
    title: (name) => `Modifier « ${name} »`,
    open: 'Modifier le contenu',
    back: 'Retour au cours',
    toSteps: 'Toutes les parties du cours',
    startAbout:
      'Rédigez ici les leçons et les questions de ce cours. Partez d’un cours vide, ou de la copie d’un cours du catalogue, que vous modifierez ensuite.',
    source: 'Partir de',
    empty: 'Un cours vide',
    start: 'Commencer',
    packageNote: 'Ce cours contient un paquet SCORM. Dès que vous publierez un contenu, celui-ci remplacera le paquet.',
    firstSummary: 'Ce que l’on apprend dans ce cours.',
    firstLesson: 'Première leçon',
    firstAsk: 'Que faites-vous ?',
    draftNote: 'Ceci est un brouillon. Il reste invisible tant que vous ne l’avez pas publié.',
    publishedNote: (version) => `La version ${version} est publiée. Votre première modification créera un brouillon.`,
    steps: 'Parties du cours',
    columns: ['Partie', 'Type', 'À corriger'],
    lesson: 'Leçon',
    question: 'Question',
    preview: 'Aperçu',
    up: (title) => `Monter « ${title} »`,
    down: (title) => `Descendre « ${title} »`,
    remove: 'Retirer',
    removeTitle: 'Retirer cette partie ?',
    removeAbout: (title) =>
      `« ${title} » est retiré du brouillon dans toutes les langues. Les questions d’une leçon sont conservées, à la fin du cours.`,
    keepStep: 'Conserver',
    addLesson: 'Ajouter une leçon',
    lessonTitle: 'Titre de la leçon',
    addQuestion: 'Ajouter une question',
    kind: 'Type de question',
    kinds: {
      one: 'Une seule bonne réponse',
      many: 'Plusieurs bonnes réponses',
      mail: 'Courriel à examiner',
      scenario: 'Scénario',
    },
    after: 'Posée après',
    atEnd: 'Toutes les leçons (à la fin)',
    publish: 'Publier',
    publishTitle: 'Publier ce brouillon ?',
    changes: 'Ce qui change',
    changeKinds: { added: 'nouveau', changed: 'modifié', removed: 'retiré' },
    noChanges: 'Les apprenants voient déjà ces leçons et ces questions.',
    underWay: (count) =>
      count === 0
        ? 'Personne n’est en train de suivre ce cours.'
        : `Apprenants en train de suivre ce cours : ${count}. Leur progression est conservée ; les parties modifiées leur seront présentées à nouveau.`,
    finished: (count) => `Terminé : ${count}. Les résultats et les certificats sont conservés.`,
    discard: 'Abandonner le brouillon',
    discardTitle: 'Abandonner le brouillon ?',
    discardAbout:
      'Toutes les modifications depuis la dernière publication seront perdues. Le contenu publié reste inchangé.',
    keep: 'Retour au brouillon',
    notices: {
      saved: 'Le brouillon a été enregistré.',
      started: 'Le brouillon a été créé.',
      published: 'Le cours a été publié.',
      discarded: 'Le brouillon a été abandonné.',
      conflict: 'Une autre personne a modifié ce cours entre-temps. Vérifiez-le et réessayez.',
    },
  },
};
