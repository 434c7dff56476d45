import { isId } from '../../db/ids.ts';
import { type DirectoryUser, NO_KEYS, type UserKeys } from './directory-user-repository.ts';

/** Filter for users; all conditions must hold. */
export interface UserFilter {
  id?: string;
  userName?: string;
  externalId?: string;
  email?: string;
  employeeNumber?: string;
  managerId?: string;
  active?: boolean;
}

/** A page of the users that match a filter. */
export interface UserPage {
  filter: UserFilter;
  offset: number;
  limit: number;
}

/** Returns keys by which an index can find the users that match a filter; undefined if the filter contains no key. */
export function toUserKeys({
  id,
  userName,
  externalId,
  email,
  employeeNumber,
  managerId,
}: UserFilter): UserKeys | undefined {
  if (id !== undefined) return { ...NO_KEYS, ids: isId(id.toLowerCase()) ? [id.toLowerCase()] : [] };
  if (userName !== undefined) return { ...NO_KEYS, userNames: [userName.trim().toLowerCase()] };
  if (externalId !== undefined) return { ...NO_KEYS, externalIds: [externalId] };
  if (email !== undefined) return { ...NO_KEYS, emails: [email.trim().toLowerCase()] };
  if (employeeNumber !== undefined) return { ...NO_KEYS, employeeNumbers: [employeeNumber.trim()] };
  if (managerId !== undefined)
    return { ...NO_KEYS, managerIds: isId(managerId.toLowerCase()) ? [managerId.toLowerCase()] : [] };
  return undefined;
}

/** Reports whether a user is visible and matches the whole filter. */
export function matches(user: DirectoryUser, filter: UserFilter): boolean {
  return (
    user.removedAt === null &&
    isSameText(filter.id, user.id) &&
    isSameText(filter.userName, user.userName) &&
    isSame(filter.externalId, user.externalId) &&
    isSameText(filter.email, user.email) &&
    isSame(filter.employeeNumber?.trim(), user.employeeNumber) &&
    isSame(filter.managerId?.toLowerCase(), user.managerId) &&
    isSame(filter.active, user.active)
  );
}

function isSame<T>(target: T | undefined, value: T): boolean {
  return target === undefined || target === value;
}

function isSameText(target: string | undefined, value: string): boolean {
  return target === undefined || target.trim().toLowerCase() === value.toLowerCase();
}
