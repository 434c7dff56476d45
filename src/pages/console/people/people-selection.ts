import type { Caller } from '../../../auth/caller.ts';
import { invalidField } from '../../../contract/errors.ts';
import { isId } from '../../../db/ids.ts';
import type { FieldValues } from '../../shared/parts/fields.ts';
import { type ConsoleRuns, PAGE_SIZE } from '../console-runs.ts';
import { readFilters, toListInput } from './people-query.ts';

/** Maximum number of people per action; the limit of the operations. */
const MAX_PEOPLE = 10_000;

/** The people that an action affects: selected people, or everybody who matches the filters. */
export interface Selection {
  /** The selected people; undefined for everybody who matches. */
  chosenIds: readonly string[] | undefined;
  filters: FieldValues;
}

/** Reads a selection from a URL. */
export function readSelection(search: URLSearchParams, caller: Caller): Selection {
  const ids = search.getAll('learnerId').map((id) => id.toLowerCase());
  const chosenIds = [...new Set(ids.filter(isId))].slice(0, PAGE_SIZE);
  const isEverybody = search.get('who') === 'matching';
  return { chosenIds: isEverybody ? undefined : chosenIds, filters: readFilters(search, caller) };
}

/** Returns the fields of a selection in the form that query strings and forms use. */
export function listFields({ chosenIds, filters }: Selection): [string, string][] {
  const people: [string, string][] = chosenIds ? chosenIds.map((id) => ['learnerId', id]) : [['who', 'matching']];
  return [...people, ...Object.entries(filters)];
}

/** Finds the ids of the selected people; undefined if there are more than one action can handle. */
export async function findPeople(
  runs: ConsoleRuns,
  caller: Caller,
  { chosenIds, filters }: Selection,
): Promise<string[] | undefined> {
  if (chosenIds) return [...chosenIds];
  const input = await toListInput(runs, caller, filters);
  const ids: string[] = [];
  if (input === undefined) return ids;
  for await (const { id } of runs.items('listLearners', caller, input)) {
    if (ids.length === MAX_PEOPLE) return undefined;
    ids.push(id);
  }
  return ids;
}

const ID_BYTES = 16;

/** Packs ids into one field: as text, ten thousand of them would exceed the maximum size of a form. */
export function packIds(ids: readonly string[]): string {
  return Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url');
}

/** @throws {ApiError} `invalid_request` */
export function unpackIds(text: string): string[] {
  const bytes = Buffer.from(text, 'base64url');
  const count = bytes.length / ID_BYTES;
  if (!Number.isInteger(count) || count === 0 || count > MAX_PEOPLE)
    throw invalidField('body/people', 'must be the people of a preview');
  return Array.from({ length: count }, (_, index) => {
    const hex = bytes.toString('hex', index * ID_BYTES, (index + 1) * ID_BYTES);
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  });
}
