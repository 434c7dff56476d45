import type { Language } from '../../../../contract/languages.ts';

export interface ExclusionsMessages {
  title: string;
  about: string;
  none: string;
  pages: string;
  columns: [who: string, note: string];
  aPerson: string;
  aGroup: string;
  days: (from: string, to: string) => string;
  remove: string;
  add: string;
  email: string;
  emailHint: string;
  group: string;
  noGroup: string;
  from: string;
  to: string;
  note: string;
  addButton: string;
  back: string;
  unknown: string;
  oneKind: string;
  notices: Record<'added' | 'removed', string>;
}

export const exclusionsMessages: Record<Language, ExclusionsMessages> = {
  en: {
    title: 'People and days without simulations',
    about: 'An exclusion takes effect at once, also in running simulations.',
    none: 'Nobody is excluded, and no days are.',
    pages: 'Pages of exclusions',
    columns: ['Who or when', 'Purpose'],
    aPerson: 'A person',
    aGroup: 'A group',
    days: (from, to) => `${from} to ${to}`,
    remove: 'Remove',
    add: 'Add an exclusion',
    email: 'E-mail address of a person',
    emailHint: 'Fill in a person, a group or days.',
    group: 'Group',
    noGroup: 'No group',
    from: 'First day',
    to: 'Last day',
    note: 'Purpose',
    addButton: 'Add exclusion',
    back: 'Settings of simulations',
    unknown: 'Nobody has this e-mail address.',
    oneKind: 'Please fill in either a person, or a group, or both days.',
    notices: { added: 'The exclusion has been added.', removed: 'The exclusion has been removed.' },
  },
  de: {
    title: 'Personen und Tage ohne Simulationen',
    about: 'Eine Ausnahme gilt sofort, auch für laufende Simulationen.',
    none: 'Niemand ist ausgenommen, und kein Tag.',
    pages: 'Seiten mit Ausnahmen',
    columns: ['Wer oder wann', 'Zweck'],
    aPerson: 'Eine Person',
    aGroup: 'Eine Gruppe',
    days: (from, to) => `${from} bis ${to}`,
    remove: 'Entfernen',
    add: 'Ausnahme hinzufügen',
    email: 'E-Mail-Adresse einer Person',
    emailHint: 'Geben Sie eine Person, eine Gruppe oder Tage an.',
    group: 'Gruppe',
    noGroup: 'Keine Gruppe',
    from: 'Erster Tag',
    to: 'Letzter Tag',
    note: 'Zweck',
    addButton: 'Ausnahme hinzufügen',
    back: 'Einstellungen der Simulationen',
    unknown: 'Niemand hat diese Adresse.',
    oneKind: 'Bitte geben Sie entweder eine Person, eine Gruppe oder beide Tage an.',
    notices: { added: 'Die Ausnahme ist hinzugefügt.', removed: 'Die Ausnahme ist entfernt.' },
  },
  fr: {
    title: 'Personnes et jours sans simulation',
    about: 'Une exception s’applique tout de suite, aussi aux simulations en cours.',
    none: 'Aucune personne et aucun jour ne sont exclus.',
    pages: 'Pages d’exceptions',
    columns: ['Qui ou quand', 'Motif'],
    aPerson: 'Une personne',
    aGroup: 'Un groupe',
    days: (from, to) => `du ${from} au ${to}`,
    remove: 'Retirer',
    add: 'Ajouter une exception',
    email: 'Adresse e-mail d’une personne',
    emailHint: 'Indiquez une personne, un groupe ou des jours.',
    group: 'Groupe',
    noGroup: 'Aucun groupe',
    from: 'Premier jour',
    to: 'Dernier jour',
    note: 'Motif',
    addButton: 'Ajouter l’exception',
    back: 'Paramètres des simulations',
    unknown: 'Personne n’a cette adresse.',
    oneKind: 'Veuillez indiquer une personne, un groupe ou les deux jours.',
    notices: { added: 'L’exception a été ajoutée.', removed: 'L’exception a été retirée.' },
  },
};
