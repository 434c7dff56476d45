import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueAdminNotices } from '../../mail/outbox/outbox.ts';

const selectNotifiedKeys = query<{ keyIds: string[] }, { keyIds: string[] | null }>(
  'message_notified_keys',
  (p) => sql`
    select subject_ids as "keyIds" from messages
     where company_id = ${p.companyId} and kind = 'api_key_leaked' and subject_ids && ${p.keyIds}::uuid[]`,
);

/** Notifies the active admins of a company about leaked keys. Running it again sends no second notice. */
export function notifyLeakedKeys(tenant: TenantWriter, keyIds: string[]): Promise<void> {
  return tenant.transaction(async (tx) => {
    const notifiedIds = (await tx.queryAll(selectNotifiedKeys, { keyIds })).flatMap((message) => message.keyIds);
    const unnotifiedIds = keyIds.filter((id) => !notifiedIds.includes(id));
    if (unnotifiedIds.length > 0) await queueAdminNotices(tx, 'api_key_leaked', unnotifiedIds);
  });
}
