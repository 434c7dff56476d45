import type { Caller } from '../../auth/caller.ts';
import { type AssignedRole, requireAllScopes, scopesOfRole } from '../../auth/roles.ts';
import { type Schemas, visibleText } from '../../contract/contract.ts';
import { ApiError } from '../../contract/errors.ts';
import type { NameFault, NameFaults } from '../../contract/person-operations.ts';
import { holdsWebAddress } from '../learners/shared/person-rules.ts';

export const SETUP_LINK_DAYS = 7;

export type RemovableAdmin = Pick<Schemas['Admin'], 'id' | 'status' | 'managedBy'> & AssignedRole;

type Permitted = Pick<Caller, 'scopes'>;

/**
 * Splits ids into those of existing admins and unknown ones, both in the order of the request.
 * @param field the request field that holds the ids, if a request can name several
 * @throws insufficient_scope for an admin with more permissions than the caller; admin_in_directory; last_admin
 */
export function judgeRemoval(
  targetIds: readonly string[],
  admins: readonly RemovableAdmin[],
  caller: Permitted,
  field?: string,
): { deletedIds: string[]; skippedIds: string[] } {
  const byId = new Map(admins.map((admin) => [admin.id, admin]));
  for (const [index, id] of targetIds.entries()) {
    const admin = byId.get(id);
    if (admin) requireAllScopes(caller, scopesOfRole(admin), field && `${field}/${index}`);
    if (admin) requireOutsideDirectory(admin);
  }
  requireOwner(admins, targetIds);
  return {
    deletedIds: targetIds.filter((id) => byId.has(id)),
    skippedIds: targetIds.filter((id) => !byId.has(id)),
  };
}

/**
 * Requires that the company still has an active owner without the given admins; or an active admin, if it has no active
 * owner.
 * @throws last_admin
 */
function requireOwner(admins: readonly RemovableAdmin[], withoutIds: readonly string[]): void {
  const active = admins.filter(({ status }) => status === 'active');
  const owners = active.filter(({ role }) => role === 'owner');
  const needed = owners.length > 0 ? owners : active;
  const removedIds = new Set(withoutIds);
  if (needed.length === 0 || needed.some(({ id }) => !removedIds.has(id))) return;
  throw new ApiError('last_admin', 'The company must keep at least one active admin with the role owner.');
}

/** Requires that no directory provisions the admin. @throws admin_in_directory */
function requireOutsideDirectory({ managedBy }: Pick<RemovableAdmin, 'managedBy'>): void {
  if (managedBy === null) return;
  throw new ApiError(
    'admin_in_directory',
    'The directory provisions this admin; change the user or the groups there, or switch the provisioning off.',
  );
}

/** A role to assign to an admin. */
export type RequestedRole = AssignedRole & { roleId: string | null };

/** Reports whether a request changes an admin's role. */
export function hasNewRole(
  before: Pick<Schemas['Admin'], 'role' | 'roleId'>,
  given: RequestedRole | undefined,
): boolean {
  return given !== undefined && (given.role !== before.role || given.roleId !== before.roleId);
}

/** Returns the field of a request that names the role. */
export function getRoleField({ roleId }: RequestedRole): string {
  return roleId === null ? 'body/role' : 'body/roleId';
}

/**
 * Judges the changes to an admin. Anybody who can read an admin's mailbox can sign in as the admin, and approvals show
 * the admin's name. The caller therefore needs all permissions of the admin.
 * @throws insufficient_scope if the admin has, or would have, more permissions than the caller; admin_in_directory;
 *   last_admin
 */
export function judgeChange(
  before: RemovableAdmin & Schemas['Admin'],
  {
    role,
    emergencyAccess = before.emergencyAccess,
    ...names
  }: Omit<Schemas['UpdateAdminInput'], 'role' | 'roleId' | 'locale'> & { role: RequestedRole | undefined },
  admins: readonly RemovableAdmin[],
  caller: Permitted,
): void {
  requireAllScopes(caller, scopesOfRole(before));
  if (hasNewRole(before, role) || isRenamed(before, names)) requireOutsideDirectory(before);
  if (emergencyAccess !== before.emergencyAccess) requireAllScopes(caller, null, 'body/emergencyAccess');
  if (!role || !hasNewRole(before, role)) return;
  requireAllScopes(caller, scopesOfRole(role), getRoleField(role));
  if (role.role !== 'owner') requireOwner(admins, [before.id]);
}

type Named = 'email' | 'firstName' | 'lastName';

function isRenamed(before: Pick<Schemas['Admin'], Named>, sent: Pick<Schemas['UpdateAdminInput'], Named>): boolean {
  return (['email', 'firstName', 'lastName'] as const).some((name) => (sent[name] ?? before[name]) !== before[name]);
}

/**
 * Reports whether a new e-mail address needs a new invite, so that the owner of the old mailbox cannot finish the
 * setup.
 */
export function needsNewInvite(admin: Pick<Schemas['Admin'], 'status' | 'email'>, email: string | undefined): boolean {
  return admin.status === 'invited' && email !== undefined && email.toLowerCase() !== admin.email.toLowerCase();
}

export interface SetupNames {
  firstName: string;
  lastName: string;
}

const MAX_NAME_LENGTH = 200;

/** Checks the names that the admin entered, by the rules of the contract, and returns their faults. */
export function judgeNames({ firstName, lastName }: SetupNames): NameFaults {
  const faults: NameFaults = {};
  const [first, last] = [nameFault(firstName), nameFault(lastName)];
  if (first) faults.firstName = first;
  if (last) faults.lastName = last;
  return faults;
}

const VISIBLE = new RegExp(visibleText, 'u');

/** Returns the fault of a name. Rejects replacement characters, which appear if the form was not sent in UTF-8. */
function nameFault(name: string): NameFault | undefined {
  if (!/\S/.test(name)) return 'empty';
  // Counts code points, as JSON Schema does.
  if ([...name].length > MAX_NAME_LENGTH) return 'too_long';
  if (!VISIBLE.test(name) || name.includes('\uFFFD') || !name.isWellFormed()) return 'not_text';
  return holdsWebAddress(name) ? 'web_address' : undefined;
}
