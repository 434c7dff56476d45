import { calendarDate } from '../contract/calendar-dates.ts';
import { timeZoneName } from '../contract/geography.ts';
import { DirectoryError } from '../resources/directory/directory-error.ts';
import type { UserFields } from '../resources/directory/directory-user-rules.ts';
import type { Address, AddressChange } from '../resources/directory/address-changes.ts';
import type { ValueFilter } from '../resources/directory/value-filter.ts';
import { type AttributeChange, listAttributeChanges, readPatch, requireWritable } from './patch.ts';
import { requireValidFields } from './valid-fields.ts';
import { setAddressPart, setPostalAddresses } from './work-address.ts';
import { booleanAt, externalIdAt, familyNameAt, toFieldMap, identifierAt, toList, objectAt, textAt } from './values.ts';

/**
 * Other attributes of users in RFC 7643, which are accepted and not stored. Entra also names attributes of the
 * enterprise extension without its URN.
 */
const IGNORED_ATTRIBUTES = new Set([
  ...['id', 'meta', 'groups', 'schemas', 'nickname', 'profileurl', 'usertype', 'locale'],
  ...['password', 'phonenumbers', 'ims', 'photos', 'entitlements', 'roles', 'x509certificates'],
  ...['division', 'organization', 'costcenter'],
]);

/**
 * Attributes with parts that are not stored, or are stored in another form, such as name.middleName and emails.display.
 */
const PARTLY_STORED_ATTRIBUTES = ['name', 'emails', 'addresses', 'manager', 'enterprise', 'awareness'];

/**
 * Fields that PUT clears if they are left out. A leave is kept, because it might have been set through the API: few
 * directories support leaves.
 */
const CLEARED: UserFields = {
  externalId: null,
  givenName: null,
  familyName: null,
  formatted: null,
  displayName: null,
  email: { changes: [{ op: 'remove' }] },
  preferredLanguage: null,
  employeeNumber: null,
  department: null,
  jobTitle: null,
  country: null,
  location: null,
  timeZone: null,
  managerId: null,
};

/** Reads the user of a POST or a PUT; see patch.ts. @throws {DirectoryError} */
export function readUser(body: unknown): UserFields & { userName: string } {
  const fields = applied(CLEARED, listAttributeChanges(body, 'replace'));
  const { userName } = fields;
  if (userName === undefined) throw new DirectoryError('invalidValue', '`userName` is required.');
  return { ...fields, userName };
}

/** Reads the changes that a PATCH makes to a user. @throws {DirectoryError} */
export function readUserPatch(body: unknown): UserFields {
  return applied({}, readPatch(body));
}

function applied(before: UserFields, changes: readonly AttributeChange[]): UserFields {
  const fields = { ...before, ...(before.email && { email: { changes: [...before.email.changes] } }) };
  for (const change of changes) apply(fields, change);
  requireValidFields(fields);
  return fields;
}

type Set = (fields: UserFields, value: unknown, change: AttributeChange) => void;
type TextName = Exclude<keyof UserFields, 'active' | 'userName' | 'email'>;

const text =
  (name: TextName, shown: string = name, read = textAt): Set =>
  (fields, value) => {
    fields[name] = read(shown, value);
  };

const SETTERS = new Map<string, Set>([
  ['username', setUserName],
  ['externalid', text('externalId', 'externalId', externalIdAt)],
  ['displayname', text('displayName')],
  ['preferredlanguage', text('preferredLanguage')],
  ['name.givenname', text('givenName', 'name.givenName')],
  ['name.familyname', text('familyName', 'name.familyName', familyNameAt)],
  ['name.formatted', text('formatted', 'name.formatted')],
  ['name', (fields, value, change) => setParts(fields, change, ['givenname', 'familyname', 'formatted'], value)],
  ['enterprise.employeenumber', text('employeeNumber', 'employeeNumber', identifierAt)],
  ['enterprise.department', text('department', 'department', identifierAt)],
  // Entra also sends it without the URN of the extension.
  ['department', text('department', 'department', identifierAt)],
  ...['enterprise.manager', 'enterprise.manager.value', 'manager', 'manager.value'].map((name): [string, Set] => [
    name,
    (fields, value) => void (fields.managerId = readManager(value)),
  ]),
  [
    'enterprise',
    (fields, value, change) => setParts(fields, change, ['employeenumber', 'department', 'manager'], value),
  ],
  ['title', text('jobTitle', 'title', identifierAt)],
  ['timezone', (fields, value) => void (fields.timeZone = readTimeZone(value))],
  ['awareness.absentuntil', (fields, value) => void (fields.absentUntil = readDate(value))],
  ['awareness', (fields, value, change) => setParts(fields, change, ['absentuntil'], value)],
  ['addresses', (fields, _, change) => setPostalAddresses(fields, change)],
  ['addresses.country', (fields, _, change) => setAddressPart(fields, 'country', change)],
  ['addresses.locality', (fields, _, change) => setAddressPart(fields, 'locality', change)],
  ['active', setActive],
  ['emails', setAddresses],
  ['emails.value', setPart('value', (value) => textAt('emails.value', value))],
  ['emails.type', setPart('type', (value) => textAt('emails.type', value))],
  ['emails.primary', setPart('primary', (value) => booleanAt('emails.primary', value))],
]);

function apply(fields: UserFields, change: AttributeChange): void {
  const { op, attribute, value } = change;
  const set = SETTERS.get(attribute);
  if (set) return set(fields, op === 'remove' ? null : value, change);
  const [top = ''] = attribute.split('.');
  if (change.isPath) requireWritable(top);
  if (IGNORED_ATTRIBUTES.has(top) || PARTLY_STORED_ATTRIBUTES.includes(top) || !change.isPath) return;
  throw new DirectoryError('invalidPath', `\`path\` is invalid: a user has no ${attribute}.`);
}

/** Reads a time zone. An unknown time zone counts as none, so that it does not block the user. */
function readTimeZone(raw: unknown): string | null {
  return (typeof raw === 'string' && timeZoneName(raw)) || null;
}

/**
 * Reads a date, or the date part of a date-time. Any other value counts as none, so that it does not block the user.
 */
function readDate(raw: unknown): string | null {
  const [, day] = (typeof raw === 'string' && /^\s*(\d{4}-\d\d-\d\d)(?!\d)/.exec(raw)) || [];
  return (day !== undefined && calendarDate(day)) || null;
}

/**
 * Reads the id of a manager: a string, or an object with the string as its value. Anything else counts as none, so that
 * it does not block the user.
 */
function readManager(raw: unknown): string | null {
  const [one] = toList(raw);
  const value = toFieldMap(one)?.get('value') ?? one;
  return (typeof value === 'string' && value.trim()) || null;
}

function setUserName(fields: UserFields, value: unknown): void {
  const userName = identifierAt('userName', value);
  if (userName === null) throw new DirectoryError('invalidValue', '`userName` is required.');
  fields.userName = userName;
}

/** Sets `active`. Without a value, leaves `active` unchanged, because it cannot be cleared. */
function setActive(fields: UserFields, value: unknown): void {
  const active = booleanAt('active', value);
  if (active !== null) fields.active = active;
}

/** Sets the named parts of an attribute, or clears all of them if the attribute is removed. */
function setParts(fields: UserFields, change: AttributeChange, parts: readonly string[], value: unknown): void {
  const raw = objectAt(change.attribute, value);
  for (const part of parts) {
    const isMeant = change.op === 'remove' || raw.has(part);
    const setPart = SETTERS.get(`${change.attribute}.${part}`)!;
    if (isMeant) setPart(fields, raw.get(part) ?? null, change);
  }
}

/** Adds a change of addresses to the changes that were read before it. */
function changeAddresses(fields: UserFields, change: AddressChange): void {
  (fields.email ??= { changes: [] }).changes.push(change);
}

function setPart(part: keyof Address, read: (value: unknown) => string | boolean | null): Set {
  return (fields, value, { filter }) => changeAddresses(fields, { op: 'set', filter, parts: { [part]: read(value) } });
}

function setAddresses(fields: UserFields, value: unknown, { op, filter, value: raw }: AttributeChange): void {
  if (op === 'remove') return changeAddresses(fields, { op, filter: filter ?? valuesIn(raw) });
  const addresses = toList(value).map(readAddress);
  if (!filter) return changeAddresses(fields, { op: op === 'add' ? op : 'replace-all', addresses });
  for (const parts of addresses) changeAddresses(fields, { op: 'set', filter, parts });
}

/**
 * Lists the values to remove, as Entra sends them. An empty list removes nothing. Returns undefined if there is no
 * list.
 */
function valuesIn(raw: unknown): ValueFilter | undefined {
  if (raw === null || raw === undefined) return undefined;
  const values = toList(raw).flatMap((one) => readAddress(one).value ?? []);
  return {
    kind: 'or',
    filters: values.map((value) => ({ kind: 'compare', attribute: 'value', operator: 'eq', value })),
  };
}

/** Reads an e-mail address: a string, or an object with the address and its type. */
function readAddress(raw: unknown): Address {
  const parts = typeof raw === 'string' ? new Map([['value', raw]]) : toFieldMap(raw);
  if (!parts) throw new DirectoryError('invalidValue', '`emails` must be an array of addresses.');
  const value = textAt('emails.value', parts.get('value'));
  const type = textAt('emails.type', parts.get('type'));
  const primary = booleanAt('emails.primary', parts.get('primary'));
  return { ...(value !== null && { value }), ...(type !== null && { type }), ...(primary !== null && { primary }) };
}
