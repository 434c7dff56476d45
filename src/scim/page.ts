import { DirectoryError } from '../resources/directory/directory-error.ts';
import { BOUNDS } from './bounds.ts';
import { MAX_RESULTS } from './discovery.ts';
import type { Condition } from './filter.ts';
import { toFieldMap, toList } from './values.ts';

const DEFAULT_COUNT = 100;

export interface PageRequest {
  /** Index of the first resource, from 1. */
  startIndex: number;
  limit: number;
  conditions: Condition[];
}

/** Converts the body of a search by POST to the form of a query. @throws {DirectoryError} */
export function toSearchQuery(search: unknown): Record<string, unknown> {
  const fields = toFieldMap(search);
  if (!fields) throw new DirectoryError('invalidSyntax', 'The body must be an object.');
  const plainAt = (name: string) => {
    const value = fields.get(name) ?? undefined;
    return typeof value === 'number' ? String(value) : value;
  };
  return {
    filter: plainAt('filter'),
    startIndex: plainAt('startindex'),
    count: plainAt('count'),
    attributes: namesAt('attributes', fields.get('attributes')),
    excludedAttributes: namesAt('excludedAttributes', fields.get('excludedattributes')),
  };
}

function namesAt(name: string, raw: unknown): string {
  const names = toList(raw);
  const text = names.join(',');
  if (names.every((one) => typeof one === 'string') && text.length <= BOUNDS.filterLength) return text;
  throw new DirectoryError(
    'invalidValue',
    `\`${name}\` must be names with at most ${BOUNDS.filterLength} characters in total.`,
  );
}

/** Reads the page that a query requests. @throws {DirectoryError} for an invalid number or filter */
export function readPage(
  { filter, startIndex, count }: Record<string, unknown>,
  readFilter: (filter: string) => Condition[],
): PageRequest {
  return {
    startIndex: Math.max(1, integerAt('startIndex', startIndex, 1)),
    limit: Math.min(MAX_RESULTS, Math.max(0, integerAt('count', count, DEFAULT_COUNT))),
    conditions: isMissing(filter) ? [] : readFilter(requireFilterText(filter)),
  };
}

/** Reports whether a parameter is missing; a parameter without a value counts as missing. */
function isMissing(raw: unknown): boolean {
  return raw === undefined || (typeof raw === 'string' && raw.trim() === '');
}

function requireFilterText(filter: unknown): string {
  if (typeof filter === 'string' && filter.length <= BOUNDS.filterLength) return filter;
  throw new DirectoryError(
    'invalidFilter',
    `\`filter\` must be one string of at most ${BOUNDS.filterLength} characters.`,
  );
}

const INTEGER = /^-?\d{1,9}$/;

function integerAt(name: string, raw: unknown, otherwise: number): number {
  if (isMissing(raw)) return otherwise;
  if (typeof raw === 'string' && INTEGER.test(raw)) return Number(raw);
  throw new DirectoryError('invalidValue', `\`${name}\` must be an integer.`);
}
