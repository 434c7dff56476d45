import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueAdminNotices } from '../../mail/outbox.ts';

/**
 * Marks the keys that have come within 30, 7 or 1 day of their expiry, the smallest of these that fits, and were not
 * told of so near to it. A key that was made for no longer than that is none to be told of.
 */
const markExpiring = mutation<object, { id: string }>(
  'api_key_mark_expiring',
  (p) => sql`
    with due as (
      select id, min(days)::smallint as days from api_keys, unnest(array[30, 7, 1]) as days
       where company_id = ${p.companyId} and revoked_at is null and replaced_by is null and expires_at > now()
         and expires_at <= now() + days * interval '1 day' and created_at < expires_at - days * interval '1 day'
       group by id
    )
    update api_keys k set expiry_notice_days = due.days from due
     where k.company_id = ${p.companyId} and k.id = due.id
       and (k.expiry_notice_days is null or k.expiry_notice_days > due.days)
    returning k.id`,
);

/** Tells the active admins of a company which keys expire soon. Running it again tells nobody twice. */
export function notifyExpiringKeys(tenant: TenantWriter): Promise<void> {
  return tenant.transaction(async (tx) => {
    const keys = await tx.mutate(markExpiring, {});
    if (keys.length > 0)
      await queueAdminNotices(
        tx,
        'api_key_expiring',
        keys.map(({ id }) => id),
      );
  });
}
