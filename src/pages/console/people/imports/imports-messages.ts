import type { Language } from '../../../../contract/languages.ts';
import type { FaultName } from './table-limits.ts';

type Status = 'draft' | 'checked' | 'applied' | 'undone';

/** Texts of the list of imports, and of the form that begins an import. */
export interface ImportsMessages {
  link: string;
  title: string;
  about: string;
  file: string;
  fileHint: string;
  text: string;
  textHint: string;
  upload: string;
  limits: string;
  recent: string;
  head: readonly [name: string, status: string, rows: string, createdAt: string];
  none: string;
  unnamed: string;
  pages: string;
  back: string;
  statuses: Record<Status, string>;
  faults: Record<FaultName, string>;
  inRow: (row: string) => string;
}

export const importsMessages: Record<Language, ImportsMessages> = {
  en: {
    link: 'Import people',
    title: 'Import people',
    about:
      'Upload a list of people, or paste it. Before anything changes, you see what would happen to each person. For a day, you can undo an import.',
    file: 'File',
    fileHint: 'CSV or Excel (.xlsx), up to 10 MB. The first row names the columns.',
    text: 'Or paste a table',
    textHint: 'For example from Excel, including the row with the column names.',
    upload: 'Check the list',
    limits: 'A list can have up to 10,000 people and 100 columns.',
    recent: 'Recent imports',
    head: ['List', 'State', 'Rows', 'Uploaded'],
    none: 'There has been no import in the last 30 days.',
    unnamed: 'Pasted table',
    pages: 'Pages of imports',
    back: 'All imports',
    statuses: {
      draft: 'Columns not assigned',
      checked: 'Checked, not imported',
      applied: 'Imported',
      undone: 'Undone',
    },
    faults: {
      noFile: 'Please choose a file, or paste a table.',
      empty: 'There are no people below the column names.',
      unreadable: 'This file cannot be read. Please save it as CSV or as an Excel workbook (.xlsx).',
      protected: 'This file has a password or an old format. Please save it as .xlsx without a password.',
      tooManyRows: 'This list has more than 10,000 rows. Please split it.',
      tooManyColumns: 'This list has more than 100 columns. Please delete those that you do not need.',
      cellTooLong: 'A cell of this list has more than 2,000 characters.',
      tooLarge: 'This file is too large. Please split it, or delete the sheets that you do not need.',
    },
    inRow: (row) => `Row ${row}:`,
  },
  de: {
    link: 'Personen importieren',
    title: 'Personen importieren',
    about:
      'Laden Sie eine Liste von Personen hoch, oder fügen Sie sie ein. Bevor sich etwas ändert, sehen Sie, was mit jeder Person geschehen würde. Einen Tag lang können Sie einen Import rückgängig machen.',
    file: 'Datei',
    fileHint: 'CSV oder Excel (.xlsx), bis zu 10 MB. Die erste Zeile enthält die Spaltennamen.',
    text: 'Oder eine Tabelle einfügen',
    textHint: 'Zum Beispiel aus Excel, zusammen mit den Spaltennamen.',
    upload: 'Liste prüfen',
    limits: 'Eine Liste kann bis zu 10.000 Personen und 100 Spalten haben.',
    recent: 'Letzte Importe',
    head: ['Liste', 'Stand', 'Zeilen', 'Hochgeladen'],
    none: 'In den letzten 30 Tagen gab es keinen Import.',
    unnamed: 'Eingefügte Tabelle',
    pages: 'Seiten der Importe',
    back: 'Alle Importe',
    statuses: {
      draft: 'Spalten nicht zugeordnet',
      checked: 'Geprüft, nicht importiert',
      applied: 'Importiert',
      undone: 'Rückgängig gemacht',
    },
    faults: {
      noFile: 'Bitte wählen Sie eine Datei, oder fügen Sie eine Tabelle ein.',
      empty: 'Unter den Spaltennamen stehen keine Personen.',
      unreadable: 'Diese Datei ist nicht lesbar. Bitte speichern Sie sie als CSV oder als Excel-Arbeitsmappe (.xlsx).',
      protected: 'Diese Datei hat ein Kennwort oder ein altes Format. Bitte speichern Sie sie als .xlsx ohne Kennwort.',
      tooManyRows: 'Diese Liste hat mehr als 10.000 Zeilen. Bitte teilen Sie sie auf.',
      tooManyColumns: 'Diese Liste hat mehr als 100 Spalten. Bitte löschen Sie die, die Sie nicht brauchen.',
      cellTooLong: 'Eine Zelle dieser Liste hat mehr als 2.000 Zeichen.',
      tooLarge:
        'Diese Datei ist zu groß. Bitte teilen Sie sie auf, oder löschen Sie die Tabellenblätter, die Sie nicht brauchen.',
    },
    inRow: (row) => `Zeile ${row}:`,
  },
  fr: {
    link: 'Importer des personnes',
    title: 'Importer des personnes',
    about:
      'Envoyez une liste de personnes, ou collez-la. Avant tout changement, vous voyez ce qui arriverait à chaque personne. Pendant un jour, vous pouvez annuler un import.',
    file: 'Fichier',
    fileHint: 'CSV ou Excel (.xlsx), 10 Mo au plus. La première ligne contient les noms des colonnes.',
    text: 'Ou coller un tableau',
    textHint: 'Par exemple depuis Excel, avec les noms des colonnes.',
    upload: 'Vérifier la liste',
    limits: 'Une liste peut contenir jusqu’à 10 000 personnes et 100 colonnes.',
    recent: 'Imports récents',
    head: ['Liste', 'État', 'Lignes', 'Envoyée'],
    none: 'Il n’y a eu aucun import ces 30 derniers jours.',
    unnamed: 'Tableau collé',
    pages: 'Pages des imports',
    back: 'Tous les imports',
    statuses: {
      draft: 'Colonnes non attribuées',
      checked: 'Vérifié, non importé',
      applied: 'Importé',
      undone: 'Annulé',
    },
    faults: {
      noFile: 'Veuillez choisir un fichier, ou coller un tableau.',
      empty: 'Il n’y a aucune personne sous les noms des colonnes.',
      unreadable: 'Ce fichier est illisible. Veuillez l’enregistrer en CSV ou en classeur Excel (.xlsx).',
      protected: 'Ce fichier a un mot de passe ou un ancien format. Veuillez l’enregistrer en .xlsx sans mot de passe.',
      tooManyRows: 'Cette liste compte plus de 10 000 lignes. Veuillez la diviser.',
      tooManyColumns: 'Cette liste compte plus de 100 colonnes. Veuillez supprimer celles dont vous n’avez pas besoin.',
      cellTooLong: 'Une cellule de cette liste compte plus de 2 000 caractères.',
      tooLarge:
        'Ce fichier est trop volumineux. Veuillez le diviser, ou supprimer les feuilles dont vous n’avez pas besoin.',
    },
    inRow: (row) => `Ligne ${row} :`,
  },
};
