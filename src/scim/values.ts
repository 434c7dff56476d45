import { DirectoryError } from '../resources/directory/directory-error.ts';

/** The fields of an object by their names in lower case: SCIM reads names so. Undefined for what is none. */
export function toFieldMap(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one]));
}

/** @throws {DirectoryError} `invalidValue` for what is no object. Null is an empty one. */
export function objectAt(name: string, value: unknown): Map<string, unknown> {
  const fields = value === null || value === undefined ? new Map<string, unknown>() : toFieldMap(value);
  if (!fields) throw new DirectoryError('invalidValue', `${name}: must be an object`);
  return fields;
}

/** A text without white space around it, or null. Entra may wrap one as `[{"value": …}]`. @throws {DirectoryError} */
export function textAt(name: string, given: unknown): string | null {
  return rawTextAt(name, given)?.trim() || null;
}

/** A text as it is, also an empty one. */
function rawTextAt(name: string, given: unknown): string | null {
  const value = unwrapped(given);
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') throw new DirectoryError('invalidValue', `${name}: must be a string`);
  return value;
}

/** The last name: an empty one is that of a person with one name, and null none that is said. */
export function familyNameAt(name: string, given: unknown): string | null {
  return rawTextAt(name, given)?.trim() ?? null;
}

/** A text, or a number as its text, which HR systems send as ids. @throws {DirectoryError} `invalidValue` */
export function identifierAt(name: string, given: unknown): string | null {
  const value = unwrapped(given);
  // A larger number has lost digits when it was read: it would be the id of somebody else.
  return textAt(name, Number.isSafeInteger(value) ? String(value) : value);
}

/** The directory's own id, which it compares with what it has: as it is. @throws {DirectoryError} `invalidValue` */
export function externalIdAt(name: string, given: unknown): string | null {
  const value = unwrapped(given);
  return rawTextAt(name, Number.isSafeInteger(value) ? String(value) : value) || null;
}

/** True and false, also as texts; null without a value. @throws {DirectoryError} `invalidValue` */
export function booleanAt(name: string, given: unknown): boolean | null {
  const value = unwrapped(given);
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === null || text === undefined || text === '') return null;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw new DirectoryError('invalidValue', `${name}: must be true or false`);
}

function unwrapped(value: unknown): unknown {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return toFieldMap(one)?.get('value') ?? value;
}

/** A list; one value is a list of it, and null an empty one. */
export function toList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
