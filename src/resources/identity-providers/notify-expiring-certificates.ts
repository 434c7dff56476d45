import { sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueAdminNotices } from '../../mail/outbox/outbox.ts';

/**
 * Marks the providers in use whose last certificate expires within 30, 7 or 1 days, or has expired. The smallest
 * matching period counts, and each period only once.
 */
const markExpiring = mutation<object, { id: string }>(
  'identity_provider_mark_expiring',
  (p) => sql`
    with due as (
      select id, min(days)::smallint as days from identity_providers, unnest(array[30, 7, 1]) as days
       where company_id = ${p.companyId} and certificates_expire_at <= now() + days * interval '1 day'
         and (admins <> 'off' or learners <> 'off')
       group by id
    )
    update identity_providers i set expiry_notice_days = due.days from due
     where i.company_id = ${p.companyId} and i.id = due.id
       and (i.expiry_notice_days is null or i.expiry_notice_days > due.days)
    returning i.id`,
);

/**
 * Notifies the active admins of a company about certificates that expire soon. Running it again sends no second notice.
 */
export function notifyExpiringCertificates(tenant: TenantWriter): Promise<void> {
  return tenant.transaction(async (tx) => {
    const providers = await tx.mutate(markExpiring, {});
    if (providers.length === 0) return;
    const ids = providers.map(({ id }) => id);
    await queueAdminNotices(tx, 'certificate_expiring', ids);
  });
}
