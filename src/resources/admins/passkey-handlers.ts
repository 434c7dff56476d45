import type { Handler } from '../../contract/contract.ts';
import * as repository from './passkey-repository.ts';

export const listAdminPasskeys: Handler<'listAdminPasskeys'> = async ({ adminId }, tenant) => {
  await repository.requireAdmin(tenant, adminId);
  return tenant.stream(repository.listPasskeys, { adminId });
};

export const deleteAdminPasskey: Handler<'deleteAdminPasskey'> = async ({ adminId, passkeyId }, tenant) => {
  await repository.removePasskey(tenant, { adminId, passkeyId });
  return { id: passkeyId };
};
