import type { Knex } from 'knex';
import { v7 as uuidv7 } from 'uuid';
import type { NewApiKey } from '../../auth/api-key.ts';
import { JOBS_OF_QUEUED } from '../../mail/outbox/outbox.ts';
import { recordAsOperator } from './operator-entries.ts';

/** Settings that the keys of one call share. */
export interface KeySettings {
  name: string;
  scopes: string[] | null;
  expires_at: Date | null;
}

interface KeyOfCompany {
  companyId: string;
  key: NewApiKey;
}

function buildKeyRow({ companyId, key: { publicId, keyHash } }: KeyOfCompany, settings: KeySettings) {
  return { id: uuidv7(), company_id: companyId, public_id: publicId, key_hash: keyHash, ...settings };
}

/** Stores keys, each with an entry in its company's audit log. */
export async function insertKeys(
  transaction: Knex.Transaction,
  keys: readonly KeyOfCompany[],
  settings: KeySettings,
): Promise<void> {
  const rows = keys.map((key) => buildKeyRow(key, settings));
  const { scopes, expires_at: expiresAt } = settings;
  const fields = ['name', ...(scopes ? ['scopes'] : []), ...(expiresAt ? ['expiresAt'] : [])];
  await transaction.batchInsert('api_keys', rows);
  await queueKeyNotices(transaction, rows);
  await recordAsOperator(
    transaction,
    rows.map(({ id, company_id: companyId }) => {
      return { companyId, operation: 'createApiKey', target: { field: 'apiKey/id', id }, fields };
    }),
  );
}

/** Queues a message about each new key to the active admins of its company. */
async function queueKeyNotices(
  transaction: Knex.Transaction,
  keys: readonly { id: string; company_id: string }[],
): Promise<void> {
  for (const { id, company_id: companyId } of keys)
    await transaction.raw(
      `with inserted as (
         insert into messages (company_id, id, kind, admin_id, subject_ids)
         select company_id, gen_random_uuid(), 'api_key_created', id, array[?::uuid] from admins
          where company_id = ? and status = 'active'
         returning company_id, id
       ), queued as (
         select company_id, id, 1::smallint as priority from inserted
       )${(JOBS_OF_QUEUED as unknown as Knex.Raw).toQuery()}`,
      [id, companyId],
    );
}

export function formatExpiry({ expires_at: expiresAt }: KeySettings): string {
  return expiresAt ? `until ${expiresAt.toISOString()}` : 'until it is revoked';
}
