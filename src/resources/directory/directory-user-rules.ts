import { hash } from 'node:crypto';
import { refuseNames } from '../people/person-rules.ts';
import { DirectoryError } from './directory-error.ts';
import type { DirectoryUser } from './directory-user-repository.ts';

/** What a directory says of a user. What is left out stays as it is; null clears it. */
export interface UserFields {
  userName?: string;
  externalId?: string | null;
  givenName?: string | null;
  familyName?: string | null;
  /** Only read where the user has no names. */
  formatted?: string | null;
  displayName?: string | null;
  email?: string | null;
  active?: boolean;
  preferredLanguage?: string | null;
  employeeNumber?: string | null;
}

/** A user as it is to be stored. */
export type WantedUser = Pick<
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
>;

/**
 * A user with what a directory says of it, complete: it has an address and both names.
 * @param user undefined for a new one
 * @throws {DirectoryError} `invalidValue`
 */
export function wantedUser(fields: UserFields, user: DirectoryUser | undefined): WantedUser {
  const userName = fields.userName ?? user?.userName;
  if (userName === undefined) throw new DirectoryError('invalidValue', 'userName: is required');
  const email = wantedEmail(fields, userName, user);
  const displayName = kept(fields.displayName, user?.displayName);
  const given = kept(fields.givenName, user?.givenName);
  const family = kept(fields.familyName, user?.familyName);
  const names = wantedNames({ given, family, words: fields.formatted ?? displayName ?? localPartOf(userName) });
  const misnamed = refuseNames({ firstName: names.givenName, lastName: names.familyName });
  if (misnamed) throw new DirectoryError('invalidValue', misnamed.message);
  return {
    userName,
    email,
    displayName,
    ...names,
    externalId: kept(fields.externalId, user?.externalId),
    active: fields.active ?? user?.active ?? true,
    preferredLanguage: kept(languageOf(fields.preferredLanguage), user?.preferredLanguage),
    employeeNumber: kept(trimmed(fields.employeeNumber), user?.employeeNumber),
  };
}

function kept(said: string | null | undefined, before: string | null = null): string | null {
  return said === undefined ? before : said;
}

function trimmed(text: string | null | undefined): string | null | undefined {
  return text && text.trim();
}

function wantedEmail({ email }: UserFields, userName: string, user: DirectoryUser | undefined): string {
  const wanted = email ?? (email === null || !user ? addressIn(userName) : user.email);
  if (wanted === undefined) throw new DirectoryError('invalidValue', 'emails: a user needs an e-mail address');
  return wanted;
}

function addressIn(userName: string): string | undefined {
  return userName.includes('@') ? userName : undefined;
}

function localPartOf(userName: string): string {
  return userName.split('@')[0]!.replaceAll(/[._]+/g, ' ').trim() || userName;
}

/** Both names. One that is missing is taken from other words for the user, or is the other one. */
function wantedNames({ given, family, words }: { given: string | null; family: string | null; words: string }) {
  if (given !== null && family !== null) return { givenName: given, familyName: family };
  const [first = words, ...rest] = words.trim().split(/\s+/);
  return { givenName: given ?? first, familyName: family ?? (rest.join(' ') || first) };
}

const LANGUAGE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;

/** The first language of `de-CH, en;q=0.5`, as learners have it; null for what is none. */
function languageOf(preferred: string | null | undefined): string | null | undefined {
  if (!preferred) return preferred;
  const [tag = ''] = preferred.trim().replaceAll('_', '-').split(/[,;]/);
  try {
    const [language = ''] = Intl.getCanonicalLocales(tag);
    return LANGUAGE.test(language) ? language : null;
  } catch {
    return null;
  }
}

/** Whether a user would change. */
export function differs(wanted: WantedUser, user: DirectoryUser): boolean {
  return (Object.keys(wanted) as (keyof WantedUser)[]).some((name) => wanted[name] !== user[name]);
}

/** The version of a user: another one when anything that directories see is. */
export function versionOfUser({ removedAt: _, managed: __, ...shown }: DirectoryUser): string {
  return versionOf(shown);
}

const VERSION_LENGTH = 16;

export function versionOf(shown: object): string {
  return `W/"${hash('sha256', JSON.stringify(shown), 'base64url').slice(0, VERSION_LENGTH)}"`;
}

/** The one of some users that has a name: its own, or its address where it has none. */
export function holderOf(userName: string, users: readonly DirectoryUser[]): DirectoryUser | undefined {
  return users.find((user) => user.userName.toLowerCase() === userName.toLowerCase());
}

/** The user that was deleted and is to come back: the one with the name, else the one with the address. */
export function returningUser({ userName, email }: WantedUser, users: readonly DirectoryUser[]) {
  const removed = users.filter(({ removedAt }) => removedAt !== null);
  const byAddress = () => removed.find((user) => user.email.toLowerCase() === email.toLowerCase());
  return holderOf(userName, removed) ?? byAddress();
}
