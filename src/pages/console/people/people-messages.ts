import type { Language } from '../../../contract/languages.ts';

/** Texts of the pages of managers. */
export interface PeopleMessages {
  overview: string;
  about: string;
  overdue: (people: number) => string;
  noTasks: string;
  all: string;
  cut: string;
  tasks: string;
  taskHead: readonly [name: string, overdue: string, open: string, due: string];
  training: string;
  policies: string;
  nothing: string;
}

export const peopleMessages: Record<Language, PeopleMessages> = {
  en: {
    overview: 'Overview',
    about: 'You see your direct reports and the members of the groups that you manage.',
    overdue: (people) => (people === 0 ? 'Nobody is overdue.' : `Overdue people: ${people}`),
    noTasks: 'Your people have no open assignments.',
    all: 'All your people',
    cut: 'There are more than this page shows.',
    tasks: 'Open assignments of your people',
    taskHead: ['Name', 'Overdue', 'Open', 'First due on'],
    training: 'Training finished',
    policies: 'Policies signed',
    nothing: 'none yet',
  },
  de: {
    overview: 'Übersicht',
    about: 'Sie sehen die Personen, die direkt an Sie berichten, und die Mitglieder der Gruppen, die Sie leiten.',
    overdue: (people) => (people === 0 ? 'Niemand ist im Rückstand.' : `Personen mit Überfälligem: ${people}`),
    noTasks: 'Ihre Mitarbeitenden haben keine offenen Aufgaben.',
    all: 'Alle Ihre Mitarbeitenden',
    cut: 'Es gibt mehr, als diese Seite zeigt.',
    tasks: 'Offene Aufgaben Ihrer Mitarbeitenden',
    taskHead: ['Name', 'Überfällig', 'Offen', 'Zuerst fällig am'],
    training: 'Schulungen abgeschlossen',
    policies: 'Richtlinien unterschrieben',
    nothing: 'noch keine',
  },
  fr: {
    overview: 'Vue d’ensemble',
    about: 'Vous voyez vos collaborateurs directs et les membres des groupes que vous gérez.',
    overdue: (people) => (people === 0 ? 'Personne n’est en retard.' : `Personnes en retard : ${people}`),
    noTasks: 'Votre équipe n’a aucune tâche en cours.',
    all: 'Toute votre équipe',
    cut: 'Il y en a plus que cette page n’en montre.',
    tasks: 'Tâches en cours de votre équipe',
    taskHead: ['Nom', 'En retard', 'En cours', 'Première échéance'],
    training: 'Formations terminées',
    policies: 'Politiques signées',
    nothing: 'aucune pour l’instant',
  },
};
