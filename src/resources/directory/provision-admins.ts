import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../../auth/caller.ts';
import type { ChangeHandler } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueAdminAddressNotices, queueAdminNotices } from '../../mail/outbox/outbox.ts';
import { keepCustomRole, removeAdmins } from '../admins/admin-repository.ts';
import { findEmailPolicy } from '../learners/shared/email-policy.ts';
import * as repository from './admin-provisioning-repository.ts';
import type { Provisioning } from './admin-provisioning-repository.ts';
import { type AdminPlan, type ChangedAdmin, planAdmins } from './admin-provisioning-rules.ts';

/** The user or the group that a change concerns; omitted for any. */
interface Change {
  learnerId?: string;
  groupId?: string;
}

/**
 * Makes the company's admins match the directory's groups, if the company lets the directory provision admins. Call it
 * at the end of a transaction that has changed users or members: it locks the setting, and then the admins. Each change
 * thus sees all changes before it.
 */
export async function provisionAdmins(tx: TenantWriter, { learnerId, groupId }: Change): Promise<void> {
  const provisioning = await repository.lockProvisioning(tx);
  if (!provisioning) return;
  const groupIds = provisioning.roles.map((role) => role.groupId);
  if (groupId !== undefined && !groupIds.includes(groupId)) return;
  if (learnerId !== undefined && !(await repository.concernsLearner(tx, learnerId, groupIds))) return;
  await applyProvisioning(tx, provisioning);
}

/**
 * Lets the admins follow an operation of the API that changes learners or groups, in the same transaction. The API can
 * remove somebody's admin status, but cannot make anybody an admin whom the directory has not added.
 */
export function followedByAdmins<Input, Result>(handler: ChangeHandler<Input, Result>) {
  return async (input: Input, tenant: TenantWriter, caller: Caller): Promise<Result> => {
    if (!(await repository.findProvisioning(tenant)).enabled) return handler(input, tenant, caller);
    return tenant.transaction(async (tx) => {
      const result = await handler(input, tx, caller);
      await provisionAdmins(tx, {});
      return result;
    });
  };
}

/**
 * Lets the admins follow an operation that changes or deletes admins, in the same transaction: an address that an admin
 * gives up is free for a member at once. Locks the setting before the admins, as changes to the directory do.
 */
export function followedByDirectory<Input, Result>(handler: ChangeHandler<Input, Result>) {
  return async (input: Input, tenant: TenantWriter, caller: Caller): Promise<Result> => {
    if (!(await repository.findProvisioning(tenant)).enabled) return handler(input, tenant, caller);
    return tenant.transaction(async (tx) => {
      const provisioning = await repository.lockProvisioning(tx);
      const result = await handler(input, tx, caller);
      if (provisioning) await applyProvisioning(tx, provisioning);
      return result;
    });
  };
}

/** Makes the admins match a setting, which must be locked. */
export async function applyProvisioning(tx: TenantWriter, provisioning: Provisioning): Promise<void> {
  const { roles, joinsExistingAdmins } = provisioning;
  const customRoleIds = new Set(roles.flatMap(({ roleId }) => roleId ?? []));
  // Locked before the admins, as in changes of roles.
  for (const roleId of [...customRoleIds].toSorted()) await keepCustomRole(tx, roleId);
  const admins = await repository.lockCurrentAdmins(tx);
  const candidates = await repository.findCandidates(tx, roles);
  const policy = await findEmailPolicy(tx);
  await applyPlan(tx, planAdmins({ candidates, admins, joinsExistingAdmins, policy }));
}

async function applyPlan(tx: TenantWriter, { added, changed, kept, removed }: AdminPlan): Promise<void> {
  if (removed.length > 0) await tx.mutate(removeAdmins, { adminIds: removed.map(({ id }) => id) });
  const rows = added.map((candidate) => ({ id: uuidv7(), ...candidate }));
  const addedIds = rows.map(({ id }) => id);
  // Before the admins are added, so that only admins who were there before are notified.
  if (addedIds.length > 0) await queueAdminNotices(tx, 'admin_added', addedIds);
  if (changed.length > 0) await repository.updateAdmins(tx, changed);
  if (addedIds.length > 0) await repository.insertAdmins(tx, rows);
  const newlyKept = kept.filter(({ isKept }) => !isKept).map(({ id }) => id);
  if (newlyKept.length > 0) await tx.mutate(repository.markKept, { adminIds: newlyKept });
  await notify(tx, changed, newlyKept);
  const touched = [
    ...addedIds,
    ...[...changed.map(({ before }) => before), ...removed].map(({ id }) => id),
    ...newlyKept,
  ];
  if (touched.length > 0) tx.addTargets('adminId', touched);
}

/** Notifies the admins of changed roles and e-mail addresses, and of an owner who must be kept. */
async function notify(tx: TenantWriter, changed: readonly ChangedAdmin[], newlyKept: readonly string[]): Promise<void> {
  const hasNewRole = ({ before, after }: ChangedAdmin) =>
    before.role !== after.role || before.roleId !== after.roleId || before.status !== 'active';
  const adminIds = changed.filter(hasNewRole).map(({ before }) => before.id);
  if (adminIds.length > 0) await queueAdminNotices(tx, 'admin_role_changed', adminIds);
  const moved = changed.filter(({ before, after }) => before.email.toLowerCase() !== after.email.toLowerCase());
  for (const { before } of moved)
    await queueAdminAddressNotices(tx, { adminId: before.id, formerAddress: before.email });
  const stayingIds = [
    ...newlyKept,
    ...changed.filter(({ before, after }) => after.isKept && !before.isKept).map(({ before }) => before.id),
  ];
  if (stayingIds.length > 0) await queueAdminNotices(tx, 'last_owner_kept', stayingIds);
}
