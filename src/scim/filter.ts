import type { GroupPage } from '../resources/directory/directory-group-handlers.ts';
import type { UserFilter } from '../resources/directory/user-filter.ts';
import { type FilterValue, matchesFilter, type ValueFilter } from '../resources/directory/value-filter.ts';
import { invalidFilter, parseFilter } from './filter-expression.ts';

/** The condition `attribute eq value`. The attribute is a plain name. */
export interface Condition {
  attribute: string;
  value: FilterValue;
}

/**
 * Reads the filter of a list: conditions with `eq`, joined by `and`.
 * @throws {DirectoryError} `invalidFilter`
 */
export function readFilter(filter: string): Condition[] {
  return listConditions(parseFilter(filter));
}

function listConditions(filter: ValueFilter): Condition[] {
  if (filter.kind === 'and') return filter.filters.flatMap(listConditions);
  if (filter.kind !== 'compare') throw invalidFilter('can join conditions only with `and`');
  const { attribute, operator, value } = filter;
  if (operator !== 'eq') throw invalidFilter(`can use only \`eq\`, not \`${operator}\``);
  return [{ attribute, value }];
}

const USER_ATTRIBUTES = new Map<string, keyof UserFilter>([
  ['id', 'id'],
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['emails', 'email'],
  ['emails.value', 'email'],
  ['employeenumber', 'employeeNumber'],
  ['enterprise.employeenumber', 'employeeNumber'],
  ['manager', 'managerId'],
  ['manager.value', 'managerId'],
  ['enterprise.manager', 'managerId'],
  ['enterprise.manager.value', 'managerId'],
  ['active', 'active'],
]);
/** Attribute values that all stored addresses have. */
const OF_EMAILS = { 'emails.type': 'work', 'emails.primary': true };

/** @returns undefined if no user can match. @throws {DirectoryError} `invalidFilter` */
export function toUserFilter(conditions: readonly Condition[]): UserFilter | undefined {
  const constants = conditions.filter(({ attribute }) => Object.hasOwn(OF_EMAILS, attribute));
  const userConditions = conditions.filter((one) => !constants.includes(one));
  const filter = toFilter(userConditions, USER_ATTRIBUTES) as UserFilter | undefined;
  if (filter?.active !== undefined) filter.active = parseBoolean(filter.active);
  const isOfWork = constants.every((one) => matchesFilter({ kind: 'compare', operator: 'eq', ...one }, OF_EMAILS));
  return isOfWork ? filter : undefined;
}

/** Parses a boolean, which Entra sends as a string. */
function parseBoolean(value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalidFilter('must compare active with true or false');
}

const GROUP_ATTRIBUTES = new Map<string, keyof GroupPage['filter']>([
  ['id', 'id'],
  ['displayname', 'displayName'],
  ['externalid', 'externalId'],
  ['members', 'memberId'],
  ['members.value', 'memberId'],
]);

/** @returns undefined if no group can match. @throws {DirectoryError} `invalidFilter` */
export function toGroupFilter(conditions: readonly Condition[]): GroupPage['filter'] | undefined {
  return toFilter(conditions, GROUP_ATTRIBUTES);
}

/** Returns undefined if two conditions on an attribute differ, or if a condition matches no stored value. */
function toFilter(
  conditions: readonly Condition[],
  names: ReadonlyMap<string, string>,
): Record<string, string> | undefined {
  const filter: Record<string, string> = {};
  let isPossible = true;
  for (const { attribute, value } of conditions) {
    const name = names.get(attribute);
    if (name === undefined) throw invalidFilter(`cannot use ${attribute}, only ${[...names.keys()].join(', ')}`);
    const text = String(value);
    isPossible &&= value !== null && text.isWellFormed() && !text.includes('\0') && (filter[name] ?? text) === text;
    filter[name] = text;
  }
  return isPossible ? filter : undefined;
}
