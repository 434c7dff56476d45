import type { Knex } from 'knex';
import { v7 as uuidv7 } from 'uuid';
import type { NewApiKey } from '../../auth/api-key.ts';
import { enterAsOperator } from './operator-entries.ts';

/** What the keys of one call have in common. */
export interface KeySettings {
  name: string;
  scopes: string[] | null;
  expires_at: Date | null;
}

interface KeyOfCompany {
  companyId: string;
  key: NewApiKey;
}

function rowOf({ companyId, key: { publicId, keyHash } }: KeyOfCompany, settings: KeySettings) {
  return { id: uuidv7(), company_id: companyId, public_id: publicId, key_hash: keyHash, ...settings };
}

/** Stores keys, each entered in the audit log of its company. */
export async function insertKeys(
  transaction: Knex.Transaction,
  keys: readonly KeyOfCompany[],
  settings: KeySettings,
): Promise<void> {
  const rows = keys.map((key) => rowOf(key, settings));
  const { scopes, expires_at: expiresAt } = settings;
  const fields = ['name', ...(scopes ? ['scopes'] : []), ...(expiresAt ? ['expiresAt'] : [])];
  await transaction.batchInsert('api_keys', rows);
  await enterAsOperator(
    transaction,
    rows.map(({ id, company_id: companyId }) => {
      return { companyId, operation: 'createApiKey', target: { field: 'apiKey/id', id }, fields };
    }),
  );
}

export function untilOf({ expires_at: expiresAt }: KeySettings): string {
  return expiresAt ? `until ${expiresAt.toISOString()}` : 'until it is revoked';
}
