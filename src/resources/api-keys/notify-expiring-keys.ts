import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueAdminNotices } from '../../mail/outbox/outbox.ts';

/**
 * Marks the active keys that expire within 30, 7 or 1 days. The smallest matching period counts, and each period only
 * once. A key whose whole lifetime is no longer than a period is not marked for that period.
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

/** Notifies the active admins of a company about keys that expire soon. Running it again sends no second notice. */
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
