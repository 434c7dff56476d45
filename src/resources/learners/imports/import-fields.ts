import type { Schemas } from '../../../contract/contract.ts';

export type ImportField = Schemas['LearnerImportFieldInput'];
/** A column, and the field that it is mapped to. */
export type MappedColumn = Schemas['MappedColumnInput'];

/** Column names in HR systems' files, in English, German and French, in lower case, without accents or punctuation. */
const NAMES: Record<ImportField, readonly string[]> = {
  email: [
    ...['email', 'mail', 'emailaddress', 'mailaddress', 'workemail', 'userprincipalname', 'address'],
    ...['emailadresse', 'mailadresse', 'adressemail', 'adresseemail', 'courriel', 'adresseelectronique'],
  ],
  firstName: ['firstname', 'givenname', 'forename', 'vorname', 'rufname', 'prenom'],
  lastName: ['lastname', 'surname', 'familyname', 'nachname', 'familienname', 'name', 'nom', 'nomdefamille'],
  externalLearnerId: [
    ...[
      'externallearnerid',
      'externalid',
      'employeeid',
      'employeenumber',
      'personnelnumber',
      'staffid',
      'number',
      'id',
    ],
    ...['personalnummer', 'mitarbeiternummer', 'personalnr', 'persnr', 'matricule', 'numero', 'numerodepersonnel'],
  ],
  department: ['department', 'abteilung', 'departement', 'service', 'bereich'],
  jobTitle: ['jobtitle', 'title', 'position', 'role', 'funktion', 'stelle', 'stellenbezeichnung', 'poste', 'fonction'],
  manager: [
    ...['manager', 'manageremail', 'managerid', 'supervisor', 'reportsto', 'linemanager', 'vorgesetzter'],
    ...['vorgesetzte', 'fuhrungskraft', 'fuehrungskraft', 'responsable', 'superieur', 'responsablehierarchique'],
  ],
  groups: ['groups', 'group', 'groupnames', 'teams', 'team', 'gruppen', 'gruppe', 'groupes', 'groupe'],
  location: ['location', 'office', 'site', 'placeofwork', 'standort', 'arbeitsort', 'ort', 'lieu', 'lieudetravail'],
  country: ['country', 'countrycode', 'land', 'landercode', 'pays', 'codepays'],
  locale: ['locale', 'language', 'preferredlanguage', 'sprache', 'langue'],
  timeZone: ['timezone', 'zeitzone', 'fuseauhoraire'],
  absentUntil: ['absentuntil', 'leaveuntil', 'onleaveuntil', 'abwesendbis', 'absentjusquau', 'absencejusquau'],
};

export const IMPORT_FIELDS = Object.keys(NAMES) as ImportField[];

const BY_NAME = new Map(IMPORT_FIELDS.flatMap((field) => NAMES[field].map((name) => [name, field] as const)));

/**
 * Proposes a field for each column by its name. Each field is assigned to the first column that has one of its names.
 */
export function proposeMapping(columns: readonly string[]): MappedColumn[] {
  const found = new Map<ImportField, number>();
  columns.forEach((name, column) => {
    const field = BY_NAME.get(simplify(name));
    if (field !== undefined && !found.has(field)) found.set(field, column);
  });
  return [...found].map(([field, column]) => ({ column, field })).toSorted((a, b) => a.column - b.column);
}

/** Reports whether a mapping identifies each row's learner. */
export function identifiesLearners(mapping: readonly MappedColumn[]): boolean {
  return mapping.some(({ field }) => field === 'email' || field === 'externalLearnerId');
}

/** Converts a name to lower case, and removes accents and everything but letters and digits. */
function simplify(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
