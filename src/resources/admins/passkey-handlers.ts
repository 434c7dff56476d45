import type { Caller } from '../../auth/caller.ts';
import type { Handler } from '../../contract/contract.ts';
import { requireAllScopes, scopesOfRole } from '../../auth/roles.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { lockAdmin } from './admin-repository.ts';
import * as repository from './passkey-repository.ts';

export const listAdminPasskeys: Handler<'listAdminPasskeys'> = async ({ adminId }, tenant) => {
  await repository.requireAdmin(tenant, adminId);
  return tenant.stream(repository.listPasskeys, { adminId });
};

interface OwnPasskey {
  adminId: string;
  passkeyId: string;
}

/** Deletes a passkey of the signed-in admin. */
export const deleteOwnPasskey: (input: OwnPasskey, tenant: TenantWriter, caller: Caller) => Promise<void> = (
  input,
  tenant,
) => repository.removePasskey(tenant, input);

export const deleteAdminPasskey: Handler<'deleteAdminPasskey'> = ({ adminId, passkeyId }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    requireAllScopes(caller, scopesOfRole(await lockAdmin(tx, adminId)));
    await repository.removePasskey(tx, { adminId, passkeyId });
    return { id: passkeyId };
  });
};
