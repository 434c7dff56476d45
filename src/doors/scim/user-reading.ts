import { DirectoryError } from '../../resources/directory/directory-error.ts';
import type { UserFields } from '../../resources/directory/directory-user-rules.ts';
import { type AttributeChange, attributesOf, readPatch } from './patch.ts';
import { requireValidFields } from './valid-fields.ts';
import { booleanAt, fieldsOf, listOf, objectAt, textAt } from './values.ts';

/**
 * What else RFC 7643 gives a user, and groups, which are changed elsewhere: accepted, and not stored. Entra names attributes
 * of the enterprise extension without its URN, too.
 */
const NOT_KEPT = new Set([
  ...['id', 'schemas', 'meta', 'groups', 'title', 'nickname', 'profileurl', 'usertype', 'locale', 'timezone'],
  ...['password', 'phonenumbers', 'ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509certificates'],
  ...['manager', 'department', 'division', 'organization', 'costcenter'],
]);

/** What PUT clears when it is left out. */
const CLEARED: UserFields = {
  externalId: null,
  givenName: null,
  familyName: null,
  formatted: null,
  displayName: null,
  email: null,
  preferredLanguage: null,
  employeeNumber: null,
};

/** A user as a POST or a PUT has it. @throws {DirectoryError} */
export function readUser(body: unknown): UserFields & { userName: string } {
  const fields = applied(CLEARED, attributesOf(body, 'replace'));
  const { userName } = fields;
  if (userName === undefined) throw new DirectoryError('invalidValue', 'userName: is required');
  return { ...fields, userName };
}

/** What a PATCH says of a user. @throws {DirectoryError} */
export function readUserPatch(body: unknown): UserFields {
  return applied({}, readPatch(body));
}

function applied(before: UserFields, changes: readonly AttributeChange[]): UserFields {
  const fields = { ...before };
  for (const change of changes) apply(fields, change);
  requireValidFields(fields);
  return fields;
}

type Set = (fields: UserFields, value: unknown, change: AttributeChange) => void;
type TextName = Exclude<keyof UserFields, 'active' | 'userName'>;

const text =
  (name: TextName, shown: string = name): Set =>
  (fields, value) => {
    fields[name] = textAt(shown, value);
  };

const SETTERS = new Map<string, Set>([
  ['username', setUserName],
  ['externalid', text('externalId')],
  ['displayname', text('displayName')],
  ['preferredlanguage', text('preferredLanguage')],
  ['name.givenname', text('givenName', 'name.givenName')],
  ['name.familyname', text('familyName', 'name.familyName')],
  ['name.formatted', text('formatted', 'name.formatted')],
  ['name', (fields, value, change) => setParts(fields, change, ['givenname', 'familyname', 'formatted'], value)],
  ['enterprise.employeenumber', text('employeeNumber')],
  ['enterprise', (fields, value, change) => setParts(fields, change, ['employeenumber'], value)],
  ['active', setActive],
  ['emails', setEmails],
  ['emails.value', setEmail],
]);

function apply(fields: UserFields, change: AttributeChange): void {
  const { op, attribute, value } = change;
  const set = SETTERS.get(attribute);
  if (set) return set(fields, op === 'remove' ? null : value, change);
  const [top = ''] = attribute.split('.');
  // Parts of what is kept in another form, such as name.middleName and emails.type.
  if (NOT_KEPT.has(top) || ['name', 'emails', 'enterprise'].includes(top) || !change.isPath) return;
  throw new DirectoryError('invalidPath', `path: a user has no ${attribute}`);
}

function setUserName(fields: UserFields, value: unknown): void {
  const userName = textAt('userName', value);
  if (userName === null) throw new DirectoryError('invalidValue', 'userName: is required');
  fields.userName = userName;
}

/** Nothing clears it: without a value it stays. */
function setActive(fields: UserFields, value: unknown): void {
  if (value !== null && value !== undefined) fields.active = booleanAt('active', value);
}

/** The parts of an attribute that are named, or all of them when it is removed. */
function setParts(fields: UserFields, change: AttributeChange, parts: readonly string[], value: unknown): void {
  const given = objectAt(change.attribute, value);
  for (const part of parts) {
    const isMeant = change.op === 'remove' || given.has(part);
    const setPart = SETTERS.get(`${change.attribute}.${part}`)!;
    if (isMeant) setPart(fields, given.get(part) ?? null, change);
  }
}

/** One address is kept, of type `work`: `emails[type eq "home"].value` is another. */
function setEmail(fields: UserFields, value: unknown, { conditions }: AttributeChange): void {
  const type = conditions.find(({ attribute }) => attribute === 'type');
  if (type === undefined || String(type.value).toLowerCase() === 'work') fields.email = textAt('emails.value', value);
}

function setEmails(fields: UserFields, value: unknown, change: AttributeChange): void {
  if (change.conditions.length > 0) return setEmail(fields, value, change);
  const email = chosen(listOf(value), change.op === 'add');
  if (email !== undefined || change.op !== 'add') fields.email = email ?? null;
}

/** The primary address, else the one of type `work`, else the first, unless others may be kept beside it. */
function chosen(values: readonly unknown[], isAdded: boolean): string | null | undefined {
  const emails = values.map((value) => (typeof value === 'string' ? new Map([['value', value]]) : fieldsOf(value)));
  if (emails.includes(undefined)) throw new DirectoryError('invalidValue', 'emails: must be a list of addresses');
  const primary = emails.find((one) => booleanAt('emails.primary', one!.get('primary') ?? false));
  const ofWork = emails.find((one) => (textAt('emails.type', one!.get('type')) ?? 'work').toLowerCase() === 'work');
  const email = primary ?? ofWork ?? (isAdded ? undefined : emails[0]);
  return email && textAt('emails.value', email.get('value'));
}
