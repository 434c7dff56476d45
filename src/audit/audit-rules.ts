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
const MAX_FIELDS = 100;

/** The ids that a value has at these places, such as `body/learnerIds` or `created/learnerId`, through lists. */
export function targetsAt(value: unknown, places: readonly string[]): Target[] {
  return places.flatMap((place) => {
    const values = new Set<string>();
    collect(value, place.split('/'), values);
    const ids = [...values].slice(0, MAX_IDS).filter(isId);
    return ids.length === 0 ? [] : [{ field: place.replace(/^body\//, ''), count: values.size, ids }];
  });
}

/** Adds the texts at a place. There may be ten thousand, so each costs no more than its look. */
function collect(value: unknown, steps: readonly string[], values: Set<string>, depth = 0): void {
  if (Array.isArray(value)) for (const item of value) collect(item, steps, values, depth);
  else if (depth === steps.length) {
    if (typeof value === 'string') values.add(value);
  } else if (typeof value === 'object' && value !== null)
    collect((value as Record<string, unknown>)[steps[depth]!], steps, values, depth + 1);
}

/** How long the lists of a body are whose items are no ids, such as `results`. */
export function listsIn(body: unknown): Target[] {
  return Object.entries(body ?? {}).flatMap(([field, value]: [string, unknown]) => {
    return Array.isArray(value) && typeof value[0] === 'object' ? [{ field, count: value.length, ids: [] }] : [];
  });
}

/**
 * The names of the fields that a body has, those of an object in it behind its own: `plan.name`. The first hundred.
 * @param declared those that count, where a body may have others
 */
export function listFieldNames(body: unknown, declared?: readonly string[]): string[] {
  if (!isObject(body)) return [];
  const entries = Object.entries(body).filter(([name]) => declared?.includes(name) ?? true);
  return entries.flatMap(([name, value]) => namesIn(name, value)).slice(0, MAX_FIELDS);
}

function namesIn(name: string, value: unknown): string[] {
  const inner = isObject(value) ? Object.entries(value) : [];
  return inner.length === 0 ? [name] : inner.flatMap(([field, one]) => namesIn(`${name}.${field}`, one));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
