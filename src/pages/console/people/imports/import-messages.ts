import type { Language } from '../../../../contract/languages.ts';
import type { Schemas } from '../../../../contract/contract.ts';

export type ImportField = Schemas['LearnerImportFieldInput'];
type Fate = Schemas['LearnerImportFateFilter'];
type UndoOutcome = 'deactivated' | 'restored' | 'partly_restored' | 'kept';

/** Texts of the import page. */
export interface ImportMessages {
  fields: Record<ImportField, string>;
  otherFields: Record<'managerId' | 'groupIds', string>;
  mapping: string;
  mappingAbout: string;
  ignore: string;
  column: (number: string) => string;
  example: (text: string) => string;
  check: string;
  unidentified: string;
  duplicate: string;
  counts: Record<Exclude<Fate, 'unchecked'> | 'rows', string>;
  fates: Record<Fate, string>;
  rows: string;
  rowsAbout: string;
  head: readonly [row: string, person: string, fate: string, details: string];
  all: string;
  filter: string;
  show: string;
  pages: string;
  noRows: string;
  change: (field: string, from: string, to: string) => string;
  added: (field: string, to: string) => string;
  empty: string;
  apply: (news: number, changed: number) => string;
  applyAbout: string;
  rejectedAbout: (count: number) => string;
  nothing: string;
  undo: string;
  undoAbout: (time: string) => string;
  undoOver: string;
  undone: (counts: { deleted: number; deactivated: number; restored: number; partly: number; kept: number }) => string;
  outcomes: Record<UndoOutcome, string>;
  keptFields: (fields: string) => string;
  /** Reasons why undoing an import keeps a new person. */
  keptPerson: string;
  notices: { checked: string; applied: string; undone: string };
  ended: string;
}

/** Joins a number with the singular or plural of a word. */
const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const importMessages: Record<Language, ImportMessages> = {
  en: {
    fields: {
      email: 'E-mail address',
      firstName: 'First name',
      lastName: 'Last name',
      externalLearnerId: 'Employee number',
      department: 'Department',
      jobTitle: 'Job title',
      manager: 'Manager (e-mail address or employee number)',
      groups: 'Groups (names)',
      location: 'Place of work',
      country: 'Country (code)',
      locale: 'Language',
      timeZone: 'Time zone',
      absentUntil: 'On leave until',
    },
    otherFields: { managerId: 'Manager', groupIds: 'Group' },
    mapping: 'Columns',
    mappingAbout: 'Say what each column holds. Columns that you leave out are ignored.',
    ignore: 'Ignore',
    column: (number) => `Column ${number}`,
    example: (text) => `For example: ${text}`,
    check: 'Check again',
    unidentified: 'One column must be the e-mail address or the employee number.',
    duplicate: 'Two columns are assigned to the same field. Please choose one of them.',
    counts: {
      rows: 'Rows',
      new: 'New',
      changed: 'Changed',
      unchanged: 'Unchanged',
      rejected: 'Rejected',
      skipped: 'Empty',
    },
    fates: {
      unchecked: 'Not checked',
      new: 'New',
      changed: 'Changed',
      unchanged: 'Unchanged',
      rejected: 'Rejected',
      skipped: 'Empty',
    },
    rows: 'Rows',
    rowsAbout: 'An empty cell changes nothing. Groups are added, and none is removed.',
    head: ['Row', 'Person', 'Outcome', 'Details'],
    all: 'All',
    filter: 'Filter the rows',
    show: 'Show',
    pages: 'Pages of rows',
    noRows: 'No row matches.',
    change: (field, from, to) => `${field}: ${from} → ${to}`,
    added: (field, to) => `${field}: ${to}`,
    empty: '(empty)',
    apply: (news, changed) => `Import: ${news} new, ${changed} changed`,
    applyAbout: 'New people get what your organisation assigns to everyone new. You can undo the import for a day.',
    rejectedAbout: (count) => `${plural(count, 'row is', 'rows are')} rejected and will be left out.`,
    nothing: 'Nothing would change. There is nothing to import.',
    undo: 'Undo the import',
    undoAbout: (time) =>
      `You can undo this import until ${time}. New people are deleted, or deactivated if something was recorded for them. Those who have signed in or begun something are kept. Changed fields get their former values, unless somebody has changed them since.`,
    undoOver: 'This import is older than a day and can no longer be undone.',
    undone: ({ deleted, deactivated, restored, partly, kept }) =>
      `Deleted: ${deleted}. Deactivated: ${deactivated}. Restored: ${restored}. Partly restored: ${partly}. Left unchanged: ${kept}.`,
    outcomes: {
      deactivated: 'Deactivated, because something was recorded',
      restored: 'Restored',
      partly_restored: 'Partly restored',
      kept: 'Left unchanged',
    },
    keptPerson: 'The person has signed in or done something since the import, or a directory manages the person.',
    keptFields: (fields) =>
      `Not restored: ${fields}. These values belong to another person, or were set by a directory or a later change.`,
    notices: {
      checked: 'The list has been checked.',
      applied: 'The list has been imported.',
      undone: 'The import has been undone.',
    },
    ended: 'This list has already been imported or undone. Please upload it again.',
  },
  de: {
    fields: {
      email: 'E-Mail-Adresse',
      firstName: 'Vorname',
      lastName: 'Nachname',
      externalLearnerId: 'Personalnummer',
      department: 'Abteilung',
      jobTitle: 'Funktion',
      manager: 'Führungskraft (Adresse oder Personalnummer)',
      groups: 'Gruppen (Namen)',
      location: 'Arbeitsort',
      country: 'Land (Kürzel)',
      locale: 'Sprache',
      timeZone: 'Zeitzone',
      absentUntil: 'Abwesend bis',
    },
    otherFields: { managerId: 'Führungskraft', groupIds: 'Gruppe' },
    mapping: 'Spalten',
    mappingAbout: 'Legen Sie fest, was in welcher Spalte steht. Nicht zugeordnete Spalten werden nicht beachtet.',
    ignore: 'Nicht beachten',
    column: (number) => `Spalte ${number}`,
    example: (text) => `Zum Beispiel: ${text}`,
    check: 'Erneut prüfen',
    unidentified: 'Eine Spalte muss die E-Mail-Adresse oder die Personalnummer enthalten.',
    duplicate: 'Zwei Spalten sind gleich zugeordnet. Bitte wählen Sie eine davon.',
    counts: {
      rows: 'Zeilen',
      new: 'Neu',
      changed: 'Geändert',
      unchanged: 'Unverändert',
      rejected: 'Abgelehnt',
      skipped: 'Leer',
    },
    fates: {
      unchecked: 'Nicht geprüft',
      new: 'Neu',
      changed: 'Geändert',
      unchanged: 'Unverändert',
      rejected: 'Abgelehnt',
      skipped: 'Leer',
    },
    rows: 'Zeilen',
    rowsAbout: 'Eine leere Zelle ändert nichts. Gruppen kommen hinzu, keine wird entfernt.',
    head: ['Zeile', 'Person', 'Ergebnis', 'Einzelheiten'],
    all: 'Alle',
    filter: 'Zeilen filtern',
    show: 'Anzeigen',
    pages: 'Seiten der Zeilen',
    noRows: 'Es gibt keine solchen Zeilen.',
    change: (field, from, to) => `${field}: ${from} → ${to}`,
    added: (field, to) => `${field}: ${to}`,
    empty: '(leer)',
    apply: (news, changed) => `Importieren: ${news} neu, ${changed} geändert`,
    applyAbout:
      'Neue Personen erhalten, was Ihre Organisation allen Neuen zuweist. Einen Tag lang können Sie den Import rückgängig machen.',
    rejectedAbout: (count) => `${plural(count, 'Zeile wird', 'Zeilen werden')} abgelehnt und ausgelassen.`,
    nothing: 'Es würde sich nichts ändern. Es gibt nichts zu importieren.',
    undo: 'Import rückgängig machen',
    undoAbout: (time) =>
      `Bis ${time} können Sie diesen Import rückgängig machen. Neue Personen werden gelöscht, oder deaktiviert, wenn zu ihnen schon etwas erfasst ist. Wer sich angemeldet oder etwas begonnen hat, bleibt. Geänderte Felder erhalten ihre früheren Werte, außer jemand hat sie seither geändert.`,
    undoOver: 'Dieser Import ist älter als ein Tag und lässt sich nicht mehr rückgängig machen.',
    undone: ({ deleted, deactivated, restored, partly, kept }) =>
      `Gelöscht: ${deleted}. Deaktiviert: ${deactivated}. Wiederhergestellt: ${restored}. Teilweise wiederhergestellt: ${partly}. Unverändert gelassen: ${kept}.`,
    outcomes: {
      deactivated: 'Deaktiviert, weil schon etwas erfasst ist',
      restored: 'Wiederhergestellt',
      partly_restored: 'Teilweise wiederhergestellt',
      kept: 'Unverändert gelassen',
    },
    keptPerson: 'Die Person hat sich seit dem Import angemeldet oder etwas getan, oder ein Verzeichnis verwaltet sie.',
    keptFields: (fields) =>
      `Nicht wiederhergestellt: ${fields}. Ein Verzeichnis, eine andere Person oder eine spätere Änderung bestimmt diese Werte.`,
    notices: {
      checked: 'Die Liste wurde geprüft.',
      applied: 'Die Liste wurde importiert.',
      undone: 'Der Import wurde rückgängig gemacht.',
    },
    ended: 'Diese Liste wurde schon importiert oder rückgängig gemacht. Bitte laden Sie sie erneut hoch.',
  },
  fr: {
    fields: {
      email: 'Adresse e-mail',
      firstName: 'Prénom',
      lastName: 'Nom',
      externalLearnerId: 'Matricule',
      department: 'Service',
      jobTitle: 'Fonction',
      manager: 'Responsable (adresse ou matricule)',
      groups: 'Groupes (noms)',
      location: 'Lieu de travail',
      country: 'Pays (code)',
      locale: 'Langue',
      timeZone: 'Fuseau horaire',
      absentUntil: 'En congé jusqu’au',
    },
    otherFields: { managerId: 'Responsable', groupIds: 'Groupe' },
    mapping: 'Colonnes',
    mappingAbout: 'Indiquez ce que contient chaque colonne. Les autres colonnes sont ignorées.',
    ignore: 'Ignorer',
    column: (number) => `Colonne ${number}`,
    example: (text) => `Par exemple : ${text}`,
    check: 'Vérifier à nouveau',
    unidentified: 'Une colonne doit contenir l’adresse e-mail ou le matricule.',
    duplicate: 'Deux colonnes contiennent la même chose. Veuillez en choisir une.',
    counts: {
      rows: 'Lignes',
      new: 'Nouvelles',
      changed: 'Modifiées',
      unchanged: 'Inchangées',
      rejected: 'Rejetées',
      skipped: 'Vides',
    },
    fates: {
      unchecked: 'Non vérifiée',
      new: 'Nouvelle',
      changed: 'Modifiée',
      unchanged: 'Inchangée',
      rejected: 'Rejetée',
      skipped: 'Vide',
    },
    rows: 'Lignes',
    rowsAbout: 'Une cellule vide ne change rien. Les groupes sont ajoutés, aucun n’est retiré.',
    head: ['Ligne', 'Personne', 'Résultat', 'Détails'],
    all: 'Toutes',
    filter: 'Filtrer les lignes',
    show: 'Afficher',
    pages: 'Pages des lignes',
    noRows: 'Aucune ligne ne correspond.',
    change: (field, from, to) => `${field} : ${from} → ${to}`,
    added: (field, to) => `${field} : ${to}`,
    empty: '(vide)',
    apply: (news, changed) => `Importer : ${news} nouvelles, ${changed} modifiées`,
    applyAbout:
      'Les nouvelles personnes reçoivent ce que votre organisation attribue à tous les nouveaux. Vous pouvez annuler l’import pendant un jour.',
    rejectedAbout: (count) =>
      `${plural(count, 'ligne est rejetée et sera laissée', 'lignes sont rejetées et seront laissées')} de côté.`,
    nothing: 'Rien ne changerait. Il n’y a rien à importer.',
    undo: 'Annuler l’import',
    undoAbout: (time) =>
      `Vous pouvez annuler cet import jusqu’au ${time}. Les nouvelles personnes sont supprimées, ou désactivées si quelque chose a été enregistré pour elles. Celles qui se sont connectées ou ont commencé quelque chose sont conservées. Les champs modifiés retrouvent leur ancienne valeur, sauf si quelqu’un les a modifiés depuis.`,
    undoOver: 'Cet import date de plus d’un jour et ne peut plus être annulé.',
    undone: ({ deleted, deactivated, restored, partly, kept }) =>
      `Supprimées : ${deleted}. Désactivées : ${deactivated}. Rétablies : ${restored}. Rétablies en partie : ${partly}. Laissées telles quelles : ${kept}.`,
    outcomes: {
      deactivated: 'Désactivée, car quelque chose a été enregistré',
      restored: 'Rétablie',
      partly_restored: 'Rétablie en partie',
      kept: 'Laissée telle quelle',
    },
    keptPerson: 'La personne s’est connectée ou a fait quelque chose depuis l’import, ou un annuaire la gère.',
    keptFields: (fields) =>
      `Non rétabli : ${fields}. Un annuaire, une autre personne ou une modification ultérieure détermine ces valeurs.`,
    notices: {
      checked: 'La liste a été vérifiée.',
      applied: 'La liste a été importée.',
      undone: 'L’import a été annulé.',
    },
    ended: 'Cette liste a déjà été importée ou annulée. Veuillez l’envoyer à nouveau.',
  },
};
