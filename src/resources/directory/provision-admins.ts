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

/** The user or group that a change concerns; if both are omitted, the change can concern any. */
interface Change {
  learnerId?: string;
  groupId?: string;
}

/**
 * Makes the company's admins match the directory's groups, if the company lets the directory provision admins. Call it
 * at the end of a transaction that has changed users or members. It locks the setting, and then the admins, so that
 * each change sees all earlier changes.
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
 * Wraps an API operation that changes learners or groups, so that the admins are adjusted in the same transaction. The
 * API can end a person's provisioning as an admin, but cannot make anybody an admin whom the directory has not added.
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
 * Wraps an operation that changes or deletes admins, so that the directory's admins are adjusted in the same
 * transaction: a member can take an e-mail address as soon as an admin gives it up. Locks the setting before the
 * admins, like changes to the directory.
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

/** Makes the admins match a setting, which the caller has locked. */
export async function applyProvisioning(tx: TenantWriter, provisioning: Provisioning): Promise<void> {
  const { roles, joinsExistingAdmins } = provisioning;
  const customRoleIds = new Set(roles.flatMap(({ roleId }) => roleId ?? []));
  // Locks the roles before the admins, like changes of roles do.
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
  // Notifies before adding the admins, so that only existing admins get the notice.
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

/** Notifies the admins about changed roles and e-mail addresses, and about an owner who must be kept. */
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
