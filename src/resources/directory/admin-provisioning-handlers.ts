import { requireAllScopes } from '../../auth/roles.ts';
import type { Handler, Schemas } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { queueAdminNotices } from '../../mail/outbox/outbox.ts';
import { keepCustomRole } from '../admins/admin-repository.ts';
import { lockGroups } from '../groups/group-repository.ts';
import { findEmailPolicy } from '../learners/shared/email-policy.ts';
import { lockFreeSeats } from '../learners/shared/learner-locks.ts';
import * as repository from './admin-provisioning-repository.ts';
import type { Provisioning, StoredRole } from './admin-provisioning-repository.ts';
import { planAdmins, type SkippedMember } from './admin-provisioning-rules.ts';
import { applyProvisioning } from './provision-admins.ts';

export const getAdminProvisioning: Handler<'getAdminProvisioning'> = async (_input, tenant) => {
  return toShown(tenant, await repository.findProvisioning(tenant));
};

export const replaceAdminProvisioning: Handler<'replaceAdminProvisioning'> = ({ body }, tenant, caller) => {
  requireAllScopes(caller, null);
  const { enabled, joinsExistingAdmins = false } = body;
  const roles = readRoles(body.roles);
  return tenant.transaction(async (tx) => {
    const before = await repository.findProvisioning(tx);
    await lockDirectory(tx, roles);
    await repository.storeProvisioning(tx, { enabled, joinsExistingAdmins, roles });
    if (enabled) await applyProvisioning(tx, { enabled, joinsExistingAdmins, roles });
    else if (before.enabled) await release(tx);
    await queueAdminNotices(tx, 'admin_provisioning_changed', [tx.companyId]);
    return toShown(tx, { enabled, joinsExistingAdmins, roles });
  });
};

/**
 * Locks the seats and the groups, as all changes to users and to these groups do first. No such change can therefore
 * run at the same time and miss the new setting.
 * @throws not_found
 */
async function lockDirectory(tx: TenantWriter, roles: readonly StoredRole[]): Promise<void> {
  await lockFreeSeats(tx);
  const existing = await lockGroups(
    tx,
    roles.map(({ groupId }) => groupId),
  );
  const unknown = roles.findIndex(({ groupId }) => !existing.has(groupId));
  if (unknown >= 0) throw invalidField(`body/roles/${unknown}/groupId`, 'is not a group of the company');
  for (const { roleId } of roles) if (roleId !== null) await keepCustomRole(tx, roleId);
}

async function release(tx: TenantWriter): Promise<void> {
  const released = await tx.mutate(repository.releaseAdmins, {});
  if (released.length === 0) return;
  tx.addTargets(
    'adminId',
    released.map(({ id }) => id),
  );
}

/**
 * Returns the roles in the form in which they are stored.
 * @throws invalid_request for an entry without exactly one role
 */
function readRoles(sent: readonly Schemas['RoleOfDirectoryGroupInput'][]): StoredRole[] {
  const groupIds = new Set<string>();
  return sent.map(({ groupId, role, roleId }, index) => {
    const field = `body/roles/${index}`;
    if (role !== undefined && roleId !== undefined)
      throw invalidField(`${field}/roleId`, 'cannot be combined with `role`');
    if (role === undefined && roleId === undefined) throw invalidField(`${field}/role`, 'is required');
    if (groupIds.has(groupId)) throw invalidField(`${field}/groupId`, 'is a group of an earlier entry');
    groupIds.add(groupId);
    return { groupId, role: role ?? 'custom', roleId: roleId ?? null };
  });
}

async function toShown(tenant: TenantReader, provisioning: Provisioning): Promise<Schemas['AdminProvisioning']> {
  const { enabled, joinsExistingAdmins, roles } = provisioning;
  const names = await repository.findGroupNames(
    tenant,
    roles.map(({ groupId }) => groupId),
  );
  return {
    enabled,
    joinsExistingAdmins,
    roles: roles.map((role) => ({ ...role, groupName: names.get(role.groupId) ?? null })),
    skipped: enabled ? await findSkipped(tenant, provisioning) : [],
  };
}

/** Maximum number of skipped members in a response; keeps the response small if a whole company is in a group. */
const MAX_SKIPPED = 100;

/** Returns the first members who cannot become admins, by the same rules as when changes are applied. */
async function findSkipped(
  tenant: TenantReader,
  { roles, joinsExistingAdmins }: Provisioning,
): Promise<SkippedMember[]> {
  const candidates = await repository.findCandidates(tenant, roles);
  const admins = await repository.findCurrentAdmins(tenant);
  return planAdmins({ candidates, admins, joinsExistingAdmins, policy: await findEmailPolicy(tenant) }).skipped.slice(
    0,
    MAX_SKIPPED,
  );
}
