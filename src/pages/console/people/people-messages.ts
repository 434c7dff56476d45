import type { Language } from '../../../contract/languages.ts';

/** Texts of the pages of managers. */
export interface PeopleMessages {
  overview: string;
  title: string;
  about: string;
  overdue: (people: number) => string;
  noTasks: string;
  nobody: string;
  all: string;
  cut: string;
  tasks: string;
  taskHead: readonly [name: string, overdue: string, open: string, due: string];
  peopleHead: readonly [name: string, email: string, department: string, risk: string];
  training: string;
  policies: string;
  risk: string;
  nothing: string;
  courses: string;
  noCourses: string;
  courseHead: readonly [course: string, enrolled: string, finished: string, score: string];
}

export const peopleMessages: Record<Language, PeopleMessages> = {
  en: {
    overview: 'Overview',
    title: 'Your people',
    about: 'You see your direct reports and the members of the groups that you manage.',
    overdue: (people) => (people === 0 ? 'Nobody has anything overdue.' : `People with something overdue: ${people}`),
    noTasks: 'Your people have no open assignments.',
    nobody:
      'There is nobody here. You see your people if your e-mail address is that of an active learner who manages others.',
    all: 'All your people',
    cut: 'There are more than this page shows.',
    tasks: 'Open assignments of your people',
    taskHead: ['Name', 'Overdue', 'Open', 'First due on'],
    peopleHead: ['Name', 'E-mail address', 'Department', 'Risk'],
    training: 'Training finished',
    policies: 'Policies signed',
    risk: 'Risk',
    nothing: 'none yet',
    courses: 'Courses',
    noCourses: 'There are no courses yet.',
    courseHead: ['Course', 'Enrolled on', 'Finished on', 'Score'],
  },
  de: {
    overview: 'Übersicht',
    title: 'Ihre Mitarbeitenden',
    about: 'Sie sehen die Personen, die direkt an Sie berichten, und die Mitglieder der Gruppen, die Sie leiten.',
    overdue: (people) => (people === 0 ? 'Niemand ist im Rückstand.' : `Personen mit Überfälligem: ${people}`),
    noTasks: 'Ihre Mitarbeitenden haben keine offenen Aufgaben.',
    nobody:
      'Hier ist niemand. Sie sehen Ihre Mitarbeitenden, wenn Ihre E-Mail-Adresse die eines aktiven Lernenden ist, der andere leitet.',
    all: 'Alle Ihre Mitarbeitenden',
    cut: 'Es gibt mehr, als diese Seite zeigt.',
    tasks: 'Offene Aufgaben Ihrer Mitarbeitenden',
    taskHead: ['Name', 'Überfällig', 'Offen', 'Zuerst fällig am'],
    peopleHead: ['Name', 'E-Mail-Adresse', 'Abteilung', 'Risiko'],
    training: 'Schulungen abgeschlossen',
    policies: 'Richtlinien unterschrieben',
    risk: 'Risiko',
    nothing: 'noch keine',
    courses: 'Kurse',
    noCourses: 'Es gibt noch keine Kurse.',
    courseHead: ['Kurs', 'Eingeschrieben am', 'Abgeschlossen am', 'Ergebnis'],
  },
  fr: {
    overview: 'Vue d’ensemble',
    title: 'Votre équipe',
    about: 'Vous voyez vos collaborateurs directs et les membres des groupes que vous gérez.',
    overdue: (people) => (people === 0 ? 'Personne n’est en retard.' : `Personnes en retard : ${people}`),
    noTasks: 'Votre équipe n’a aucune tâche en cours.',
    nobody:
      'Il n’y a personne ici. Vous voyez votre équipe si votre adresse e-mail est celle d’un apprenant actif qui gère d’autres personnes.',
    all: 'Toute votre équipe',
    cut: 'Il y en a plus que cette page n’en montre.',
    tasks: 'Tâches en cours de votre équipe',
    taskHead: ['Nom', 'En retard', 'En cours', 'Première échéance'],
    peopleHead: ['Nom', 'Adresse e-mail', 'Service', 'Risque'],
    training: 'Formations terminées',
    policies: 'Politiques signées',
    risk: 'Risque',
    nothing: 'aucune pour l’instant',
    courses: 'Cours',
    noCourses: 'Il n’y a pas encore de cours.',
    courseHead: ['Cours', 'Inscription', 'Fin', 'Score'],
  },
};
