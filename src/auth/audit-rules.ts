import { isId } from '../db/ids.ts';

/** The ids of one field. */
export interface Target {
  /** Where the call has them, such as `groupId` or `results/learnerId`. */
  field: string;
  /** How many different ones there are. */
  count: number;
  /** The first of them. */
  ids: string[];
}

const MAX_IDS = 100;

/** The ids that a value has at these places, such as `body/learnerIds` or `created/learnerId`, through lists. */
export function targetsAt(value: unknown, places: readonly string[]): Target[] {
  return places.flatMap((place) => {
    const ids = [...new Set(valuesAt(value, place.split('/')))].filter((id) => typeof id === 'string' && isId(id));
    const field = place.replace(/^body\//, '');
    return ids.length === 0 ? [] : [{ field, count: ids.length, ids: ids.slice(0, MAX_IDS) as string[] }];
  });
}

function valuesAt(value: unknown, [step, ...rest]: string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, step === undefined ? [] : [step, ...rest]));
  if (step === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return valuesAt((value as Record<string, unknown>)[step], rest);
}

/** How long the lists of a body are whose items are no ids, such as `results`. */
export function listsIn(body: unknown): Target[] {
  return Object.entries(body ?? {}).flatMap(([field, value]: [string, unknown]) => {
    return Array.isArray(value) && typeof value[0] === 'object' ? [{ field, count: value.length, ids: [] }] : [];
  });
}

/** The names of the fields that a body has. */
export function fieldsOf(body: unknown): string[] {
  return typeof body === 'object' && body !== null ? Object.keys(body) : [];
}
