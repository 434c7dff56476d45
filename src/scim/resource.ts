import { DirectoryError } from '../resources/directory/directory-error.ts';
import { BOUNDS } from './bounds.ts';
import { plainName } from './urns.ts';

/** A resource in a response. Lists in a resource can be rows that are read while they are sent. */
export interface Resource {
  schemas: string[];
  id: string;
  meta: Meta;
  [attribute: string]: unknown;
}

interface Meta {
  resourceType: string;
  created: string;
  lastModified: string;
  location: string;
  version: string;
}

interface Dated {
  id: string;
  createdAt: string;
  updatedAt: string;
}

export function buildMeta(
  resourceType: 'User' | 'Group',
  { id, createdAt, updatedAt }: Dated,
  { base, version }: { base: string; version: string },
): Meta {
  const location = `${base}/${resourceType}s/${id}`;
  return { resourceType, created: createdAt, lastModified: updatedAt, location, version };
}

/** Removes attributes without a value. */
export function withoutNulls(resource: Resource): Resource {
  return Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== null)) as Resource;
}

/** The attributes that a client requests. */
export interface Projection {
  /** The only attributes to return; undefined for all. */
  only: string[] | undefined;
  without: string[];
}

/**
 * Reads the requested attributes as plain names.
 * @param query the query of a request
 * @throws {DirectoryError} `invalidValue` for names that are sent twice, or whose total length is too long
 */
export function readProjection({ attributes, excludedAttributes }: Record<string, unknown>): Projection {
  const only = namesIn('attributes', attributes);
  return { only: only.length > 0 ? only : undefined, without: namesIn('excludedAttributes', excludedAttributes) };
}

function namesIn(name: string, raw: unknown): string[] {
  if (raw === undefined) return [];
  if (typeof raw !== 'string' || raw.length > BOUNDS.filterLength)
    throw new DirectoryError(
      'invalidValue',
      `\`${name}\` must be one string of at most ${BOUNDS.filterLength} characters.`,
    );
  return raw.split(',').flatMap((name) => (name.trim() === '' ? [] : (plainName(name) ?? [])));
}

/** Reports whether a client requests an attribute. @param name in lower case */
export function isWanted(name: string, { only, without }: Projection): boolean {
  return !without.includes(name) && (only?.some((one) => one === name || one.startsWith(`${name}.`)) ?? true);
}

const ALWAYS = ['schemas', 'id'];

/** Returns the requested attributes of a resource, and the attributes that every response has. */
export function projected(resource: Resource, projection: Projection): object {
  const entries = Object.entries(resource).flatMap(([name, value]): [string, unknown][] => {
    const plain = plainName(name) ?? name;
    if (ALWAYS.includes(name)) return [[name, value]];
    return isWanted(plain, projection) ? [[name, projectedValue(plain, value, projection)]] : [];
  });
  return Object.fromEntries(entries);
}

/** Returns the requested parts of a value, such as `name.givenName`. */
function projectedValue(plain: string, value: unknown, { only, without }: Projection): unknown {
  const isPart = (names: readonly string[], part: string) => names.includes(`${plain}.${part.toLowerCase()}`);
  const isWhole = only?.includes(plain) ?? true;
  const keep = (item: unknown): unknown =>
    typeof item !== 'object' || item === null
      ? item
      : Object.fromEntries(
          Object.entries(item).filter(([part]) => (isWhole || isPart(only!, part)) && !isPart(without, part)),
        );
  if (isWhole && !without.some((name) => name.startsWith(`${plain}.`))) return value;
  if (Array.isArray(value)) return value.map(keep);
  return value?.constructor === Object ? keep(value) : value;
}
