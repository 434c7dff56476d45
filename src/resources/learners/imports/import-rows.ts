import type { Schemas } from '../../../contract/contract.ts';
import type { Refusal } from '../../../contract/errors.ts';
import type { ImportField, MappedColumn } from './import-fields.ts';

export type Fault = Schemas['LearnerImportFault'];
export type Change = Schemas['LearnerImportChange'];
type LearnerKey = Schemas['LearnerKey'];

/** A stored row of an import. */
export interface StoredRow {
  number: number;
  cells: readonly string[];
}

/** Values of a row, by field. Fields without a value are missing. */
export type RowValues = { readonly [Field in ImportField]?: string };

/** Reads the mapped cells of a row. Empty cells have no value. */
export function readValues(cells: readonly string[], mapping: readonly MappedColumn[]): RowValues {
  const values = mapping.flatMap(({ column, field }) => {
    const text = cells[column]?.trim() ?? '';
    return text === '' ? [] : [[field, text] as const];
  });
  return Object.fromEntries(values);
}

/** Returns the group names in a cell, without duplicates. */
export function readGroupNames({ groups = '' }: RowValues): string[] {
  const names = groups.split(/[;|\n]/).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** Returns the key of the learner in the `manager` cell. */
export function toManagerKey(text: string): LearnerKey {
  return text.includes('@') ? { email: text } : { externalLearnerId: text };
}

/** Formats a key as a string, by which rows of the same file refer to each other. */
export function formatKey(key: LearnerKey): string {
  return key.email === undefined ? `id:${key.externalLearnerId?.trim()}` : `email:${key.email.toLowerCase()}`;
}

const FIELD_OF_INPUT: Readonly<Record<string, ImportField>> = {
  managerId: 'manager',
  groupIds: 'groups',
  addGroupIds: 'groups',
};

/** Converts a refusal to faults of the row, one for each field. */
export function toFaults({ fields, code, message }: Refusal, own: ImportField): Fault[] {
  const names = fields.map((field) => field.split('/')[0]!);
  const columns = names.map((name) => (name === 'learner' ? own : (FIELD_OF_INPUT[name] ?? name)));
  return (columns.length === 0 ? [''] : [...new Set(columns)]).map((field) => ({ field, code, message }));
}

export function isRequired(field: ImportField): Fault {
  return { field, code: 'invalid_request', message: `\`${field}\` is required.` };
}

/** Reason to reject a row that does not identify its learner. */
export const UNNAMED: Fault = {
  field: 'email',
  code: 'invalid_request',
  message: 'A row needs an e-mail address or an `externalLearnerId`.',
};

/** Reason to reject a row that has the e-mail address of another learner. */
export const OTHER_PERSON: Fault = {
  field: 'externalLearnerId',
  code: 'email_taken',
  message: 'The learner with this e-mail address has another `externalLearnerId`.',
};

export function unknownManager(message: string): Fault {
  return { field: 'manager', code: 'not_found', message };
}
