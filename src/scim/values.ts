import { DirectoryError } from '../resources/directory/directory-error.ts';

/** Maps the fields of an object by lower-case names, since SCIM ignores case. Returns undefined for other values. */
export function toFieldMap(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value).map(([name, one]) => [name.toLowerCase(), one]));
}

/** Reads an object; null is an empty one. @throws {DirectoryError} `invalidValue` for other values */
export function objectAt(name: string, value: unknown): Map<string, unknown> {
  const fields = value === null || value === undefined ? new Map<string, unknown>() : toFieldMap(value);
  if (!fields) throw new DirectoryError('invalidValue', `\`${name}\` must be an object.`);
  return fields;
}

/** Reads a trimmed string, or null if it is empty. Entra can wrap it as `[{"value": …}]`. @throws {DirectoryError} */
export function textAt(name: string, raw: unknown): string | null {
  return rawTextAt(name, raw)?.trim() || null;
}

/** Reads a string unchanged, even if it is empty. */
function rawTextAt(name: string, raw: unknown): string | null {
  const value = unwrapped(raw);
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') throw new DirectoryError('invalidValue', `\`${name}\` must be a string.`);
  return value;
}

/**
 * Reads a last name. An empty last name means that the person has only one name; null means that no last name is given.
 */
export function familyNameAt(name: string, raw: unknown): string | null {
  return rawTextAt(name, raw)?.trim() ?? null;
}

/**
 * Reads a string, or a number as a string, because some HR systems send ids as numbers. @throws {DirectoryError}
 * `invalidValue`
 */
export function identifierAt(name: string, raw: unknown): string | null {
  const value = unwrapped(raw);
  // A larger number lost digits when it was parsed, and could be the id of another person.
  return textAt(name, Number.isSafeInteger(value) ? String(value) : value);
}

/**
 * Reads the directory's own id unchanged, because the directory compares it. @throws {DirectoryError} `invalidValue`
 */
export function externalIdAt(name: string, raw: unknown): string | null {
  const value = unwrapped(raw);
  return rawTextAt(name, Number.isSafeInteger(value) ? String(value) : value) || null;
}

/**
 * Reads a boolean, which can be sent as a string; null if there is no value. @throws {DirectoryError} `invalidValue`
 */
export function booleanAt(name: string, raw: unknown): boolean | null {
  const value = unwrapped(raw);
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === null || text === undefined || text === '') return null;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw new DirectoryError('invalidValue', `\`${name}\` must be true or false.`);
}

function unwrapped(value: unknown): unknown {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return toFieldMap(one)?.get('value') ?? value;
}

/** Returns a list. Wraps a single value, and treats null as an empty list. */
export function toList(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
