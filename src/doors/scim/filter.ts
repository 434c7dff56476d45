import { DirectoryError } from '../../resources/directory/directory-error.ts';
import type { GroupPage } from '../../resources/directory/directory-group-handlers.ts';
import type { UserFilter } from '../../resources/directory/user-filter.ts';
import { plainName } from './urns.ts';

/** `attribute eq value`. The attribute is a plain name. */
export interface Condition {
  attribute: string;
  value: string | boolean | null;
}

/** A text in quotes, or a word: Entra's documentation has texts without quotes, too. */
const VALUE = String.raw`"(?:[^"\\]|\\.)*"|[^\s"()[\]]+`;
const CONDITION = new RegExp(String.raw`^\s*([A-Za-z][\w$:.-]*)\s+([a-z]{2})\b(?:\s+(${VALUE}))?\s*`, 'i');
const VALUE_PATH = /^\s*([A-Za-z][\w$:.-]*)\s*\[((?:"(?:[^"\\]|\\.)*"|[^"\]])*)\](?:\.([A-Za-z][\w$-]*)\s+eq\s+)?/i;
const AND = /^and\s+/i;

/**
 * The conditions of a filter. There is `eq`, and `and` between them; `emails[type eq "work"].value eq "a@b"` is read as
 * `emails.type eq "work" and emails.value eq "a@b"`.
 * @throws {DirectoryError} `invalidFilter`
 */
export function readFilter(filter: string): Condition[] {
  const conditions: Condition[] = [];
  for (let rest = filter; ;) {
    const [found, after] = readValuePath(rest) ?? readCondition(rest);
    conditions.push(...found);
    if (after === '') return conditions;
    if (!AND.test(after)) throw refusal('only `and` joins conditions here');
    rest = after.replace(AND, '');
  }
}

function readCondition(text: string): [Condition[], string] {
  const [whole, name, operator, value] = CONDITION.exec(text) ?? [];
  if (whole === undefined || name === undefined) throw refusal('it cannot be read');
  if (operator!.toLowerCase() !== 'eq') throw refusal(`\`${operator}\` is not supported, only \`eq\``);
  if (value === undefined) throw refusal('a value is missing, or is not JSON');
  return [[{ attribute: plainName(name) ?? name, value: valueOf(value) }], text.slice(whole.length)];
}

/** `emails[type eq "work"].value eq "a@b"`, or without what follows the bracket. */
function readValuePath(text: string): [Condition[], string] | undefined {
  const [whole, name, inner, sub] = VALUE_PATH.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const holder = plainName(name!) ?? name!;
  const conditions = readFilter(inner!).map((one) => ({ ...one, attribute: `${holder}.${one.attribute}` }));
  const after = text.slice(whole.length).trimStart();
  if (sub === undefined) return [conditions, after];
  const [value] = new RegExp(`^(?:${VALUE})`, 'i').exec(after) ?? [];
  if (value === undefined) throw refusal('a value is missing, or is not JSON');
  const last = { attribute: `${holder}.${sub.toLowerCase()}`, value: valueOf(value) };
  return [[...conditions, last], after.slice(value.length).trimStart()];
}

const LITERALS = new Map([
  ['true', true],
  ['false', false],
]);

function valueOf(text: string): string | boolean | null {
  try {
    if (!text.startsWith('"')) return LITERALS.get(text.toLowerCase()) ?? (/^null$/i.test(text) ? null : text);
    return JSON.parse(text) as string;
  } catch {
    throw refusal('a value is not JSON');
  }
}

function refusal(why: string): DirectoryError {
  return new DirectoryError('invalidFilter', `filter: ${why}`);
}

const USER_ATTRIBUTES = new Map<string, keyof UserFilter>([
  ['id', 'id'],
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['emails', 'email'],
  ['emails.value', 'email'],
  ['active', 'active'],
]);
/** What is so of every address here. */
const OF_EMAILS = new Map<string, Condition['value']>([
  ['emails.type', 'work'],
  ['emails.primary', true],
]);
/** What no user has. Entra asks for it before it sends one. */
const MANAGERS = ['manager', 'manager.value', 'enterprise.manager', 'enterprise.manager.value'];

/** @returns undefined where nobody can be meant. @throws {DirectoryError} `invalidFilter` */
export function userFilterOf(conditions: readonly Condition[]): UserFilter | undefined {
  const managers = conditions.filter(({ attribute }) => MANAGERS.includes(attribute));
  const constants = conditions.filter(({ attribute }) => OF_EMAILS.has(attribute));
  const asked = conditions.filter((one) => !managers.includes(one) && !constants.includes(one));
  const filter = filterOf(asked, USER_ATTRIBUTES) as UserFilter | undefined;
  if (filter?.active !== undefined) filter.active = booleanOf(filter.active);
  if (managers.length > 0) return undefined;
  return constants.every(({ attribute, value }) => OF_EMAILS.get(attribute) === value) ? filter : undefined;
}

/** Entra writes a boolean as text. */
function booleanOf(value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw refusal('active is true or false');
}

const GROUP_ATTRIBUTES = new Map<string, keyof GroupPage['filter']>([
  ['id', 'id'],
  ['displayname', 'displayName'],
  ['externalid', 'externalId'],
  ['members', 'memberId'],
  ['members.value', 'memberId'],
]);

/** @returns undefined where no group can be meant. @throws {DirectoryError} `invalidFilter` */
export function groupFilterOf(conditions: readonly Condition[]): GroupPage['filter'] | undefined {
  return filterOf(conditions, GROUP_ATTRIBUTES);
}

/** Undefined when two conditions on one attribute differ, or one asks for what has no value. */
function filterOf(
  conditions: readonly Condition[],
  names: ReadonlyMap<string, string>,
): Record<string, string> | undefined {
  const filter: Record<string, string> = {};
  let isPossible = true;
  for (const { attribute, value } of conditions) {
    const name = names.get(attribute);
    if (name === undefined) throw refusal(`${attribute} cannot be asked for, only ${[...names.keys()].join(', ')}`);
    const text = String(value);
    isPossible &&= value !== null && text.isWellFormed() && !text.includes('\0') && (filter[name] ?? text) === text;
    filter[name] = text;
  }
  return isPossible ? filter : undefined;
}
