import type { Language } from '../../../contract/languages.ts';
import type { ColumnName, FILTERS } from './people-query.ts';

/** Texts of the list of people. */
export interface PeopleListMessages {
  title: string;
  name: string;
  filterLabel: string;
  filters: Record<(typeof FILTERS)[number], string>;
  columns: Record<ColumnName, string>;
  columnsTitle: string;
  columnsLabel: string;
  any: string;
  active: string;
  inactive: string;
  overdue: string;
  notOverdue: string;
  apply: string;
  reset: string;
  shown: (people: string, hasMore: boolean) => string;
  managerUnknown: string;
  noMatch: string;
  nobody: string;
  nobodyOfManager: string;
  moreGroups: (count: number) => string;
  pages: string;
  first: string;
  next: string;
}

export const peopleListMessages: Record<Language, PeopleListMessages> = {
  en: {
    title: 'People',
    name: 'Name',
    filterLabel: 'Filter people',
    filters: {
      q: 'Name, address or employee number',
      groupId: 'Group',
      department: 'Department',
      manager: 'Manager (e-mail address)',
      riskScoreLevel: 'Risk',
      overdue: 'Assignments',
      state: 'State',
      mailStatus: 'Mail delivery',
    },
    columns: {
      email: 'E-mail address',
      externalLearnerId: 'Employee number',
      department: 'Department',
      jobTitle: 'Job title',
      location: 'Place of work',
      country: 'Country',
      groups: 'Groups',
      riskScoreLevel: 'Risk',
      state: 'State',
      mailStatus: 'Mail delivery',
      absentUntil: 'Absent until',
      updatedAt: 'Changed on',
    },
    columnsTitle: 'Choose columns',
    columnsLabel: 'Columns of the list',
    any: 'All',
    active: 'active',
    inactive: 'inactive',
    overdue: 'with overdue assignments',
    notOverdue: 'with nothing overdue',
    apply: 'Apply',
    reset: 'Show everyone',
    shown: (people, hasMore) =>
      hasMore ? `This page shows ${people} people. More are on the next pages.` : `People on this page: ${people}`,
    managerUnknown:
      'Nobody in your organisation has this manager’s address. Check it, or search for the manager first.',
    noMatch: 'Nobody matches these filters.',
    nobody: 'There is nobody here yet.',
    nobodyOfManager:
      'There is nobody here. You see your people if your e-mail address belongs to an active learner who manages others.',
    moreGroups: (count) => `${count} more`,
    pages: 'Pages of the list',
    first: 'First page',
    next: 'Next page',
  },
  de: {
    title: 'Personen',
    name: 'Name',
    filterLabel: 'Personen filtern',
    filters: {
      q: 'Name, Adresse oder Personalnummer',
      groupId: 'Gruppe',
      department: 'Abteilung',
      manager: 'Führungskraft (E-Mail-Adresse)',
      riskScoreLevel: 'Risiko',
      overdue: 'Aufgaben',
      state: 'Status',
      mailStatus: 'Zustellung von E-Mails',
    },
    columns: {
      email: 'E-Mail-Adresse',
      externalLearnerId: 'Personalnummer',
      department: 'Abteilung',
      jobTitle: 'Funktion',
      location: 'Arbeitsort',
      country: 'Land',
      groups: 'Gruppen',
      riskScoreLevel: 'Risiko',
      state: 'Status',
      mailStatus: 'Zustellung von E-Mails',
      absentUntil: 'Abwesend bis',
      updatedAt: 'Geändert am',
    },
    columnsTitle: 'Spalten auswählen',
    columnsLabel: 'Spalten der Liste',
    any: 'Alle',
    active: 'aktiv',
    inactive: 'inaktiv',
    overdue: 'mit Überfälligem',
    notOverdue: 'ohne Überfälliges',
    apply: 'Anwenden',
    reset: 'Alle anzeigen',
    shown: (people, hasMore) =>
      hasMore
        ? `Diese Seite zeigt ${people} Personen. Weitere stehen auf den nächsten Seiten.`
        : `Personen auf dieser Seite: ${people}`,
    managerUnknown:
      'Niemand in Ihrer Organisation hat diese Adresse. Prüfen Sie sie, oder suchen Sie zuerst die Führungskraft.',
    noMatch: 'Auf diese Filter passt niemand.',
    nobody: 'Hier ist noch niemand.',
    nobodyOfManager:
      'Hier ist niemand. Sie sehen Ihre Mitarbeitenden, wenn Ihre E-Mail-Adresse die eines aktiven Lernenden ist, der andere leitet.',
    moreGroups: (count) => `${count} weitere`,
    pages: 'Seiten der Liste',
    first: 'Erste Seite',
    next: 'Nächste Seite',
  },
  fr: {
    title: 'Personnes',
    name: 'Nom',
    filterLabel: 'Filtrer les personnes',
    filters: {
      q: 'Nom, adresse ou matricule',
      groupId: 'Groupe',
      department: 'Service',
      manager: 'Responsable (adresse e-mail)',
      riskScoreLevel: 'Risque',
      overdue: 'Tâches',
      state: 'État',
      mailStatus: 'Distribution des e-mails',
    },
    columns: {
      email: 'Adresse e-mail',
      externalLearnerId: 'Matricule',
      department: 'Service',
      jobTitle: 'Fonction',
      location: 'Lieu de travail',
      country: 'Pays',
      groups: 'Groupes',
      riskScoreLevel: 'Risque',
      state: 'État',
      mailStatus: 'Distribution des e-mails',
      absentUntil: 'En congé jusqu’au',
      updatedAt: 'Modification',
    },
    columnsTitle: 'Choisir les colonnes',
    columnsLabel: 'Colonnes de la liste',
    any: 'Tous',
    active: 'actif',
    inactive: 'inactif',
    overdue: 'avec du retard',
    notOverdue: 'sans retard',
    apply: 'Appliquer',
    reset: 'Afficher tout le monde',
    shown: (people, hasMore) =>
      hasMore
        ? `Cette page affiche ${people} personnes. Les autres sont sur les pages suivantes.`
        : `Personnes sur cette page : ${people}`,
    managerUnknown:
      'Personne dans votre organisation n’a cette adresse. Vérifiez-la, ou cherchez d’abord le responsable.',
    noMatch: 'Personne ne correspond à ces filtres.',
    nobody: 'Il n’y a encore personne ici.',
    nobodyOfManager:
      'Il n’y a personne ici. Vous voyez votre équipe si votre adresse e-mail est celle d’un apprenant actif qui gère d’autres personnes.',
    moreGroups: (count) => (count === 1 ? '1 autre' : `${count} autres`),
    pages: 'Pages de la liste',
    first: 'Première page',
    next: 'Page suivante',
  },
};
