import { sql } from '../../../db/sql.ts';
import { mutation } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { queueAdminNotices } from '../../../mail/outbox/outbox.ts';

/** Marks endpoints that have accepted nothing for a day, and endpoints that the service has disabled. */
const markFailing = mutation<object, { id: string; isOff: boolean | null }>(
  'webhook_mark_failing',
  (p) => sql`
    update webhook_endpoints set admin_notice = case when disabled_because is null then 'failing' else 'disabled' end
     where company_id = ${p.companyId}
       and (disabled_because in ('gone', 'failing') and admin_notice is distinct from 'disabled'
            or disabled_because is null and admin_notice is null and failing_since <= now() - interval '1 day')
    returning id, disabled_because is not null as "isOff"`,
);

/** Notifies the active admins of a company about endpoints that fail or are disabled, once per endpoint and state. */
export function reportFailingWebhooks(tenant: TenantWriter): Promise<void> {
  return tenant.transaction(async (tx) => {
    const marked = await tx.mutate(markFailing, {});
    for (const isOff of [false, true]) {
      const ids = marked.flatMap((endpoint) => (endpoint.isOff === isOff ? [endpoint.id] : []));
      if (ids.length > 0) await queueAdminNotices(tx, isOff ? 'webhook_disabled' : 'webhook_failing', ids);
    }
  });
}
