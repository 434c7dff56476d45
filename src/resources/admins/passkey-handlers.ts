import type { Handler } from '../../contract/contract.ts';
import { requireAllOf, scopesOfRole } from '../../auth/roles.ts';
import { lockAdmin } from './admin-repository.ts';
import * as repository from './passkey-repository.ts';

export const listAdminPasskeys: Handler<'listAdminPasskeys'> = async ({ adminId }, tenant) => {
  await repository.requireAdmin(tenant, adminId);
  return tenant.stream(repository.listPasskeys, { adminId });
};

export const deleteAdminPasskey: Handler<'deleteAdminPasskey'> = ({ adminId, passkeyId }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    requireAllOf(caller, scopesOfRole(await lockAdmin(tx, adminId)));
    await repository.removePasskey(tx, { adminId, passkeyId });
    return { id: passkeyId };
  });
};
