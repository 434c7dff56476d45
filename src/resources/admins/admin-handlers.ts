import { type BuiltInRole, requireAllScopes, scopesOfRole } from '../../auth/roles.ts';
import { createSetupToken, hashSetupToken } from '../../identity/setup-token.ts';
import type { Handler } from '../../contract/contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { ApiError, invalidField, notFound, refusalError } from '../../contract/errors.ts';
import { lockInvitePlace, queueAdminInvite } from '../../mail/outbox/admin-invites.ts';
import { queueAdminAddressNotices, queueAdminNotices } from '../../mail/outbox/outbox.ts';
import { findEmailPolicy } from '../learners/shared/email-policy.ts';
import { type PersonNames, refuseForeignDomain, refuseNames } from '../learners/shared/person-rules.ts';
import * as repository from './admin-repository.ts';
import {
  getRoleField,
  type RequestedRole,
  hasNewRole,
  judgeChange,
  judgeRemoval,
  needsNewInvite,
  SETUP_LINK_DAYS,
} from './admin-rules.ts';

export const listAdmins: Handler<'listAdmins'> = (_input, tenant) => tenant.stream(repository.listAdmins, {});

const OWNER = { role: 'owner', roleId: null, customScopes: null };

export const createAdmin: Handler<'createAdmin'> = ({ body }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    const role = (await findGivenRole(tx, body)) ?? OWNER;
    requireAllScopes(caller, scopesOfRole(role), getRoleField(role));
    await judge(tx, body);
    await lockInvitePlace(tx, body.email);
    const adminId = await repository.insertAdmin(tx, { ...body, ...role });
    await queueAdminNotices(tx, 'admin_added', [adminId]);
    return invite(tx, adminId);
  });
};

export const updateAdmin: Handler<'updateAdmin'> = ({ adminId, body }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    const role = await findGivenRole(tx, body);
    const admins = role ? await tx.mutate(repository.lockAdmins, {}) : [];
    if (body.email !== undefined) await tx.mutate(repository.lockReaders, { adminId });
    const before = await repository.lockAdmin(tx, adminId);
    judgeChange(before, { ...body, role }, admins, caller);
    await judge(tx, { ...body, email: body.email === before.email ? undefined : body.email });
    const isInvited = needsNewInvite(before, body.email);
    if (isInvited) await lockInvitePlace(tx, body.email ?? before.email);
    const isNewRole = hasNewRole(before, role);
    const after = await repository.updateAdmin(tx, { adminId, ...body, ...role, isNewRole });
    if (after.email.toLowerCase() !== before.email.toLowerCase()) await reportAddress(tx, before);
    const isMore = isNewRole || (after.emergencyAccess && !before.emergencyAccess);
    if (isMore) await queueAdminNotices(tx, 'admin_role_changed', [adminId]);
    return isInvited ? invite(tx, adminId) : after;
  });
};

export const resendAdminInvite: Handler<'resendAdminInvite'> = ({ adminId }, tenant) => {
  return tenant.transaction(async (tx) => {
    const { status, email } = await repository.lockAdmin(tx, adminId);
    if (status === 'active') throw new ApiError('admin_already_active', 'The admin has already finished the setup.');
    await lockInvitePlace(tx, email);
    return invite(tx, adminId);
  });
};

export const deleteAdmin: Handler<'deleteAdmin'> = ({ adminId }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    const { deletedIds } = judgeRemoval([adminId], await tx.mutate(repository.lockAdmins, {}), caller);
    if (deletedIds.length === 0) throw notFound('admin');
    await tx.mutate(repository.removeAdmins, { adminIds: deletedIds });
    return { id: adminId };
  });
};

export const deleteAdmins: Handler<'deleteAdmins'> = ({ body }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    const admins = await tx.mutate(repository.lockAdmins, {});
    const judged = judgeRemoval(body.adminIds, admins, caller, 'body/adminIds');
    await tx.mutate(repository.removeAdmins, { adminIds: judged.deletedIds });
    return judged;
  });
};

interface RoleFields {
  role?: BuiltInRole | undefined;
  roleId?: string | undefined;
}

/** Returns the role that a request gives; undefined if it gives none. @throws invalid_request, not_found */
async function findGivenRole(tx: TenantWriter, { role, roleId }: RoleFields): Promise<RequestedRole | undefined> {
  if (roleId === undefined) return role && { role, roleId: null, customScopes: null };
  if (role !== undefined) throw invalidField('body/roleId', 'cannot be combined with `role`');
  return repository.keepCustomRole(tx, roleId);
}

/** Checks an admin's names and e-mail domain. @throws invalid_request, email_domain_not_allowed */
async function judge(tenant: TenantWriter, admin: PersonNames & { email?: string | undefined }): Promise<void> {
  const refusal =
    refuseNames(admin) ??
    (admin.email === undefined ? undefined : refuseForeignDomain(admin.email, await findEmailPolicy(tenant)));
  if (refusal) throw refusalError(refusal);
}

/**
 * Notifies the admins of an admin's new e-mail address. The former address gets a message only if the admin has
 * finished the setup.
 */
async function reportAddress(tenant: TenantWriter, { id, status, email }: repository.Admin): Promise<void> {
  if (status === 'active') await queueAdminAddressNotices(tenant, { adminId: id, formerAddress: email });
  else await queueAdminNotices(tenant, 'admin_address_changed', [id]);
}

/** Gives the admin a new setup link and queues the message with it. Earlier links stop working. */
async function invite(tenant: TenantWriter, adminId: string): Promise<repository.Admin> {
  const token = createSetupToken();
  await queueAdminInvite(tenant, adminId, token);
  return repository.setSetupLink(tenant, { adminId, tokenHash: hashSetupToken(token), days: SETUP_LINK_DAYS });
}
