import { builtInRoles, requireAllScopes, requireRequestedScopes } from '../../auth/roles.ts';
import type { Handler } from '../../contract/contract.ts';
import { ApiError } from '../../contract/errors.ts';
import { queueAdminNotices } from '../../mail/outbox/outbox.ts';
import * as repository from './role-repository.ts';
import { hasEqualScopes, isWider, requirePlace } from './role-rules.ts';

export const listRoles: Handler<'listRoles'> = async (_input, tenant) => {
  return [...builtInRoles, ...(await tenant.queryAll(repository.listRoles, {}))];
};

export const getRole: Handler<'getRole'> = ({ roleId }, tenant) => repository.getRole(tenant, roleId);

export const createRole: Handler<'createRole'> = ({ body }, tenant, caller) => {
  requireRequestedScopes(caller, body.scopes);
  return tenant.transaction(async (tx) => {
    requirePlace(await repository.lockRoleCount(tx));
    return repository.insertRole(tx, body);
  });
};

export const updateRole: Handler<'updateRole'> = ({ roleId, body }, tenant, caller) => {
  if (body.scopes) requireRequestedScopes(caller, body.scopes);
  return tenant.transaction(async (tx) => {
    const before = await repository.lockRole(tx, roleId);
    requireAllScopes(caller, before.scopes);
    const after = await repository.updateRole(tx, before, body);
    if (hasEqualScopes(before, after)) return after;
    await tx.mutate(repository.stampAdmins, { roleId, now: new Date().toISOString() });
    const adminIds = isWider(before, after) ? await repository.listAdminIds(tx, roleId) : [];
    if (adminIds.length > 0) await queueAdminNotices(tx, 'admin_role_changed', adminIds);
    return after;
  });
};

export const deleteRole: Handler<'deleteRole'> = ({ roleId }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    const role = await repository.lockRole(tx, roleId);
    requireAllScopes(caller, role.scopes);
    const [adminId] = await repository.listAdminIds(tx, roleId);
    if (adminId !== undefined)
      throw new ApiError('role_in_use', 'An admin has this role; give the admin another role first.');
    if (await repository.isGivenByProvider(tx, roleId))
      throw new ApiError('role_in_use', 'An identity provider gives this role to a group; change that first.');
    if (await repository.isGivenByDirectory(tx, roleId))
      throw new ApiError('role_in_use', 'A group of the directory gives this role; change the provisioning first.');
    await tx.mutate(repository.removeRole, { roleId });
    return { id: roleId };
  });
};
