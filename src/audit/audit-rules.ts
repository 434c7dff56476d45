import { isId } from '../db/ids.ts';

/** The ids of one field. */
export interface Target {
  /** The path of the field, such as `groupId` or `results/learnerId`. */
  field: string;
  /** The number of different ids. */
  count: number;
  /** The first 100 ids. */
  ids: string[];
}

const MAX_IDS = 100;
const MAX_FIELDS = 100;

/**
 * Collects the ids at the given paths of a value, such as `body/learnerIds` or `created/learnerId`. A path also leads
 * through lists.
 */
export function targetsAt(value: unknown, places: readonly string[]): Target[] {
  return places.flatMap((place) => {
    const values = new Set<string>();
    collect(value, place.split('/'), values);
    const ids = [...values].slice(0, MAX_IDS).filter(isId);
    return ids.length === 0 ? [] : [{ field: place.replace(/^body\//, ''), count: values.size, ids }];
  });
}

/** Adds the strings at a path to `values`. A call can have 10,000 strings, so collecting one must be cheap. */
function collect(value: unknown, steps: readonly string[], values: Set<string>, depth = 0): void {
  if (Array.isArray(value)) for (const item of value) collect(item, steps, values, depth);
  else if (depth === steps.length) {
    if (typeof value === 'string') values.add(value);
  } else if (typeof value === 'object' && value !== null)
    collect((value as Record<string, unknown>)[steps[depth]!], steps, values, depth + 1);
}

/** Returns the lengths of the lists of objects in a body, such as `results`. */
export function listsIn(body: unknown): Target[] {
  return Object.entries(body ?? {}).flatMap(([field, value]: [string, unknown]) => {
    return Array.isArray(value) && typeof value[0] === 'object' ? [{ field, count: value.length, ids: [] }] : [];
  });
}

/**
 * Lists the names of a body's fields, at most 100. The names of nested fields include their path: `plan.name`.
 * @param declared the only fields to list; omitted to list all fields of the body
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
