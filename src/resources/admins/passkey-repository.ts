import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery, pagedQuery } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';

const adminById = pointQuery<{ adminId: string }, { id: string }>('admin_by_id', (p, knex) =>
  knex('admins').select('id').where({ company_id: p.companyId, id: p.adminId }),
);

/** @throws not_found */
export async function requireAdmin(tenant: TenantReader, adminId: string): Promise<void> {
  requireFound(await tenant.queryOne(adminById, { adminId }), 'admin');
}

export const listPasskeys = pagedQuery<{ adminId: string }, Schemas['AdminPasskey']>(
  'admin_passkey_list',
  BY_ID,
  (p) => sql`
    select id, name, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "suspendedUntil"
      from passkeys
     where company_id = ${p.companyId} and admin_id = ${p.adminId} and (expires_at is null or expires_at > now())`,
);

interface PasskeyOfAdmin {
  adminId: string;
  passkeyId: string;
}

const remove = mutation<PasskeyOfAdmin, { id: string }>('admin_passkey_remove', (p, knex) =>
  knex('passkeys').where({ company_id: p.companyId, id: p.passkeyId, admin_id: p.adminId }).delete().returning('id'),
);

/** @throws not_found */
export async function removePasskey(tenant: TenantWriter, passkey: PasskeyOfAdmin): Promise<void> {
  requireFound((await tenant.mutate(remove, passkey))[0], 'passkey');
}
