import { hash } from 'node:crypto';
import type { Refusal } from '../../contract/errors.ts';
import { languageTag } from '../../contract/languages.ts';
import { isEmailAddress } from '../learners/learner-rules.ts';
import { refuseNames } from '../learners/shared/person-rules.ts';
import { type AddressChange, changedAddress } from './address-changes.ts';
import { DirectoryError } from './directory-error.ts';
import type { DirectoryUser, StatedUser } from './directory-user-repository.ts';

/** User fields that a directory sends. Omitted fields keep their values; null clears a field. */
export interface UserFields {
  userName?: string;
  externalId?: string | null;
  givenName?: string | null;
  familyName?: string | null;
  /** Both names in one string; used only if a name is missing. */
  formatted?: string | null;
  displayName?: string | null;
  email?: { changes: AddressChange[] };
  active?: boolean;
  preferredLanguage?: string | null;
  employeeNumber?: string | null;
  department?: string | null;
  jobTitle?: string | null;
  country?: string | null;
  location?: string | null;
  timeZone?: string | null;
  managerId?: string | null;
  absentUntil?: string | null;
}

/** A directory user to be stored. */
export type TargetUser = Pick<
  DirectoryUser,
  | 'userName'
  | 'externalId'
  | 'givenName'
  | 'familyName'
  | 'displayName'
  | 'email'
  | 'active'
  | 'preferredLanguage'
  | 'employeeNumber'
  | 'department'
  | 'jobTitle'
  | 'country'
  | 'location'
  | 'timeZone'
  | 'managerId'
  | 'absentUntil'
>;

/**
 * Merges a user with the fields that a directory sends. The result has an e-mail address and both names.
 * @param user undefined for a new user
 * @throws {DirectoryError} `invalidValue`
 */
export function toTargetUser(fields: UserFields, user: DirectoryUser | undefined): TargetUser {
  const userName = fields.userName ?? user?.userName;
  if (userName === undefined) throw new DirectoryError('invalidValue', '`userName` is required.');
  const email = selectEmail(fields, userName, user);
  const displayName = withDefault(fields.displayName, user?.displayName);
  const given = withDefault(fields.givenName, user?.givenName) || null;
  const family = withDefault(fields.familyName, user?.familyName);
  const names = selectNames({ given, family, words: fields.formatted ?? displayName, userName });
  const misnamed = refuseNames({ firstName: names.givenName, lastName: names.familyName });
  if (misnamed) throw new DirectoryError('invalidValue', `\`name\` is invalid: ${misnamed.message}`);
  return {
    userName,
    email,
    displayName,
    ...names,
    externalId: withDefault(fields.externalId, user?.externalId),
    active: fields.active ?? user?.active ?? true,
    preferredLanguage: withDefault(parsePreferredLanguage(fields.preferredLanguage), user?.preferredLanguage),
    employeeNumber: withDefault(fields.employeeNumber, user?.employeeNumber),
    department: withDefault(fields.department, user?.department),
    jobTitle: withDefault(fields.jobTitle, user?.jobTitle),
    country: withDefault(fields.country, user?.country),
    location: withDefault(fields.location, user?.location),
    timeZone: withDefault(fields.timeZone, user?.timeZone),
    managerId: withDefault(fields.managerId, user?.managerId),
    absentUntil: withDefault(fields.absentUntil, user?.absentUntil),
  };
}

function withDefault(value: string | null | undefined, before: string | null = null): string | null {
  return value === undefined ? before : value;
}

function selectEmail({ email }: UserFields, userName: string, user: DirectoryUser | undefined): string {
  const changedEmail = email ? changedAddress(user?.email, email.changes) : user?.email;
  const target = changedEmail ?? addressIn(userName);
  if (target === undefined) throw new DirectoryError('invalidValue', '`emails` must have an e-mail address.');
  if (target !== user?.email && !isEmailAddress(target))
    throw new DirectoryError('invalidValue', '`emails.value` must be an e-mail address of at most 254 characters.');
  return target;
}

function addressIn(userName: string): string | undefined {
  return userName.includes('@') ? userName : undefined;
}

function getLocalPart(userName: string): string {
  return userName.split('@')[0]!.replaceAll(/[._]+/g, ' ').trim() || userName;
}

interface NameSources {
  given: string | null;
  /** Last name; empty for a person with a single name. */
  family: string | null;
  /** Both names in one string, or a display name. */
  words: string | null;
  userName: string;
}

/** Returns both names. Takes a missing name from other values of the user. A single name becomes the first name. */
function selectNames({ given, family, words, userName }: NameSources): { givenName: string; familyName: string } {
  const [first, ...others] = words?.split(/\s+/) ?? [];
  const rest = others.join(' ');
  if (given !== null) return { givenName: given, familyName: family ?? rest };
  if (family) {
    const isSingle = first === undefined || (first === family && rest === '');
    return isSingle ? { givenName: family, familyName: '' } : { givenName: first, familyName: family };
  }
  if (first !== undefined) return { givenName: first, familyName: family ?? rest };
  const [name = userName, ...names] = getLocalPart(userName).split(' ');
  return { givenName: name, familyName: names.join(' ') };
}

/** Returns the first language of a list such as `de-CH, en;q=0.5`, in the format that learners use; null if invalid. */
function parsePreferredLanguage(preferred: string | null | undefined): string | null | undefined {
  if (!preferred) return preferred;
  return languageTag(preferred.split(/[,;]/)[0]!) ?? null;
}

/** SCIM names of learner fields. */
const ATTRIBUTES: Partial<Record<string, string>> = {
  email: 'emails.value',
  externalLearnerId: 'employeeNumber',
  locale: 'preferredLanguage',
};

/** Adds the name of the SCIM attribute to the message of a refusal. */
export function withScimAttribute(refusal: Refusal): Refusal {
  const attribute = ATTRIBUTES[refusal.fields[0] ?? ''];
  return attribute === undefined ? refusal : { ...refusal, message: `\`${attribute}\` is invalid: ${refusal.message}` };
}

/** Reports whether storing the target would change the user. */
export function differs(target: TargetUser, user: DirectoryUser): boolean {
  return (Object.keys(target) as (keyof TargetUser)[]).some((name) => target[name] !== user[name]);
}

/**
 * Returns the directory's own values once a change is stored. If the directory does not send a field, its earlier value
 * is kept, even if the field was changed through the API in the meantime.
 * @param user undefined for a new user
 */
export function stateUser(fields: UserFields, target: TargetUser, user: DirectoryUser | undefined): StatedUser {
  const { email, givenName, familyName, active } = target;
  const before = user?.stated;
  if (!before) return { email, givenName, familyName, active };
  const isNamed = [fields.givenName, fields.familyName, fields.formatted].some((name) => name !== undefined);
  const hasName = isNamed || givenName !== user.givenName || familyName !== user.familyName;
  const hasEmail = email !== user.email || listAddresses(fields).includes(email.toLowerCase());
  return {
    email: hasEmail ? email : before.email,
    ...(hasName ? { givenName, familyName } : { givenName: before.givenName, familyName: before.familyName }),
    active: fields.active === undefined ? before.active : active,
  };
}

/** Reports whether the directory's own values have changed. */
export function isRestated(stated: StatedUser, { stated: before }: DirectoryUser): boolean {
  return (Object.keys(stated) as (keyof StatedUser)[]).some((name) => stated[name] !== before?.[name]);
}

/** Returns the e-mail addresses in a request, in lower case. */
function listAddresses({ email }: UserFields): string[] {
  const parts = (email?.changes ?? []).flatMap((change) => {
    if (change.op === 'remove') return [];
    return change.op === 'set' ? [change.parts] : change.addresses;
  });
  return parts.flatMap(({ value }) => value?.toLowerCase() ?? []);
}

/** Returns the version of a user, which changes with any data that directories see. */
export function getUserVersion({ removedAt: _, managed: __, stated: ___, ...shown }: DirectoryUser): string {
  return buildVersion(shown);
}

const VERSION_LENGTH = 16;

export function buildVersion(shown: object): string {
  return `W/"${hash('sha256', JSON.stringify(shown), 'base64url').slice(0, VERSION_LENGTH)}"`;
}

/** Unique values of users, by SCIM name. A returning user is looked up by these values, in this order. */
const UNIQUE = {
  userName: ({ userName }: TargetUser) => userName.toLowerCase(),
  'emails.value': ({ email }: TargetUser) => email.toLowerCase(),
  employeeNumber: ({ employeeNumber }: TargetUser) => employeeNumber,
};
type UniqueName = keyof typeof UNIQUE;
const UNIQUE_NAMES = Object.keys(UNIQUE) as UniqueName[];

function isShared(name: UniqueName, one: TargetUser, other: TargetUser): boolean {
  const value = UNIQUE[name](one);
  return value !== null && value === UNIQUE[name](other);
}

/**
 * Returns the deleted user that a new user restores. The user is found by user name, e-mail address, employee number,
 * or an `externalId` that only one deleted user has.
 */
export function returningUser(target: TargetUser, users: readonly DirectoryUser[]): DirectoryUser | undefined {
  const removed = users.filter(({ removedAt }) => removedAt !== null);
  for (const name of UNIQUE_NAMES) {
    const user = removed.find((one) => isShared(name, one, target));
    if (user) return user;
  }
  const linked = removed.filter(({ externalId }) => externalId !== null && externalId === target.externalId);
  return linked.length === 1 ? linked[0] : undefined;
}

/** Unique values that a deleted user must give up to another user. */
export interface ReleasedNames {
  user: DirectoryUser;
  names: UniqueName[];
}

/**
 * Returns the deleted users that have a unique value of the target. They must give up user names and employee numbers,
 * because directories cannot see deleted users and therefore cannot change these values. They keep their e-mail
 * addresses, because every learner needs one.
 * @param others users other than the target
 * @throws {DirectoryError} `uniqueness` naming the attribute and its holder
 */
export function findReleasedNames(target: TargetUser, others: readonly DirectoryUser[]): ReleasedNames[] {
  return others.flatMap((user) => {
    const names = UNIQUE_NAMES.filter((name) => isShared(name, user, target));
    const conflict = names.find((name) => user.removedAt === null || name === 'emails.value');
    if (conflict) throw createConflictError(conflict, user);
    return names.length > 0 ? [{ user, names }] : [];
  });
}

function createConflictError(name: UniqueName, { id, removedAt }: DirectoryUser): DirectoryError {
  if (removedAt === null) return new DirectoryError('uniqueness', `User ${id} already has this \`${name}\`.`);
  const way = `delete the learner with DELETE /v1/learners/${id} to free it`;
  return new DirectoryError('uniqueness', `The deleted user ${id} still has this \`${name}\`; ${way}.`);
}
