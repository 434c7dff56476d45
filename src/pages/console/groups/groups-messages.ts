import type { Language } from '../../../contract/languages.ts';

export interface GroupsMessages {
  title: string;
  about: string;
  none: string;
  pages: string;
  columns: [name: string, people: string, managers: string];
  create: string;
  name: string;
  createButton: string;
  back: string;
  people(count: number): string;
  addPeople: string;
  edit: string;
  managers: string;
  managersHint: string;
  unknown(addresses: string): string;
  save: string;
  deleteLink: string;
  deleteTitle: string;
  deleteAbout: string;
  deleteButton: string;
  keep: string;
  codes: Record<'group_name_taken', string>;
  notices: Record<'created' | 'saved' | 'deleted' | 'conflict', string>;
}

export const groupsMessages: Record<Language, GroupsMessages> = {
  en: {
    title: 'Groups',
    about: 'Use groups to choose people for campaigns, policies and simulations, and to compare teams in reports.',
    none: 'There are no groups yet.',
    pages: 'Pages of groups',
    columns: ['Name', 'People', 'Managers'],
    create: 'Create a group',
    name: 'Name',
    createButton: 'Create group',
    back: 'All groups',
    people: (count) => (count === 1 ? 'One member' : `${count} members`),
    addPeople: 'Choose people to add',
    edit: 'Name and managers',
    managers: 'Managers',
    managersHint: 'E-mail addresses, one per line. Managers see who in the group is late.',
    unknown: (addresses) => `No active person has this address: ${addresses}`,
    save: 'Save',
    deleteLink: 'Delete the group',
    deleteTitle: 'Delete this group?',
    deleteAbout:
      'The members are kept, with everything recorded about them. Campaigns no longer reach them through this group.',
    deleteButton: 'Delete group',
    keep: 'Keep the group',
    codes: { group_name_taken: 'Another group has this name. Please choose a different one.' },
    notices: {
      created: 'The group has been created.',
      saved: 'The group has been saved.',
      deleted: 'The group has been deleted.',
      conflict: 'Somebody has changed this group in the meantime. Please check it and try again.',
    },
  },
  de: {
    title: 'Gruppen',
    about:
      'Mit Gruppen wählen Sie Personen für Kampagnen, Richtlinien und Simulationen aus und vergleichen Teams in Berichten.',
    none: 'Es gibt noch keine Gruppen.',
    pages: 'Seiten mit Gruppen',
    columns: ['Name', 'Personen', 'Vorgesetzte'],
    create: 'Gruppe anlegen',
    name: 'Name',
    createButton: 'Gruppe anlegen',
    back: 'Alle Gruppen',
    people: (count) => (count === 1 ? 'Ein Mitglied' : `${count} Mitglieder`),
    addPeople: 'Personen zum Hinzufügen auswählen',
    edit: 'Name und Vorgesetzte',
    managers: 'Vorgesetzte',
    managersHint: 'E-Mail-Adressen, eine pro Zeile. Vorgesetzte sehen, wer in der Gruppe im Verzug ist.',
    unknown: (addresses) => `Keine aktive Person hat diese Adresse: ${addresses}`,
    save: 'Speichern',
    deleteLink: 'Gruppe löschen',
    deleteTitle: 'Diese Gruppe löschen?',
    deleteAbout:
      'Die Mitglieder bleiben, und alles, was über sie erfasst ist, bleibt ebenfalls. Kampagnen erreichen sie nicht mehr über diese Gruppe.',
    deleteButton: 'Gruppe löschen',
    keep: 'Gruppe behalten',
    codes: { group_name_taken: 'Eine andere Gruppe hat diesen Namen. Bitte wählen Sie einen anderen.' },
    notices: {
      created: 'Die Gruppe ist angelegt.',
      saved: 'Die Gruppe ist gespeichert.',
      deleted: 'Die Gruppe ist gelöscht.',
      conflict: 'Inzwischen hat jemand diese Gruppe geändert. Bitte prüfen Sie sie, und versuchen Sie es noch einmal.',
    },
  },
  fr: {
    title: 'Groupes',
    about:
      'Les groupes servent à choisir les personnes des campagnes, des politiques et des simulations, et à comparer les équipes dans les rapports.',
    none: 'Il n’y a pas encore de groupe.',
    pages: 'Pages de groupes',
    columns: ['Nom', 'Personnes', 'Responsables'],
    create: 'Créer un groupe',
    name: 'Nom',
    createButton: 'Créer le groupe',
    back: 'Tous les groupes',
    people: (count) => (count === 1 ? 'Un membre' : `${count} membres`),
    addPeople: 'Choisir des personnes à ajouter',
    edit: 'Nom et responsables',
    managers: 'Responsables',
    managersHint: 'Adresses e-mail, une par ligne. Les responsables voient qui est en retard dans le groupe.',
    unknown: (addresses) => `Aucune personne active n’a cette adresse : ${addresses}`,
    save: 'Enregistrer',
    deleteLink: 'Supprimer le groupe',
    deleteTitle: 'Supprimer ce groupe ?',
    deleteAbout:
      'Les membres restent, ainsi que tout ce qui est enregistré à leur sujet. Les campagnes ne les atteignent plus par ce groupe.',
    deleteButton: 'Supprimer le groupe',
    keep: 'Garder le groupe',
    codes: { group_name_taken: 'Un autre groupe porte ce nom. Veuillez en choisir un autre.' },
    notices: {
      created: 'Le groupe a été créé.',
      saved: 'Le groupe a été enregistré.',
      deleted: 'Le groupe a été supprimé.',
      conflict: 'Quelqu’un a modifié ce groupe entre-temps. Veuillez le vérifier, puis réessayer.',
    },
  },
};
