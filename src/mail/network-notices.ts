import { sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { atNoticeLimit, JOBS_OF_QUEUED, MAX_NOTICES_A_DAY } from './outbox.ts';

const queueNetworkNotice = mutation<{ adminId: string; signInId: string }>(
  'message_queue_new_network',
  (p) => sql`
    with reader as (
      select company_id, id from admins
       where company_id = ${p.companyId} and id = ${p.adminId} and status = 'active'
         and id not in (${atNoticeLimit(p, {
           reader: sql`admin_id`,
           among: sql`array[${p.adminId}::uuid]`,
           kind: sql`'admin_new_network'`,
           max: MAX_NOTICES_A_DAY,
         })})
         for key share
    ), inserted as (
      insert into messages (company_id, id, kind, admin_id, subject_ids)
      select company_id, gen_random_uuid(), 'admin_new_network', id, array[${p.signInId}::uuid] from reader
      returning company_id, id
    ), queued as (
      select company_id, id, 1::smallint as priority from inserted
    )${JOBS_OF_QUEUED}`,
);

/** Queues a message to an admin about their sign-in from a new network. */
export async function queueNewNetworkNotice(
  tenant: TenantWriter,
  { adminId, signInId }: { adminId: string; signInId: string },
): Promise<void> {
  await tenant.mutate(queueNetworkNotice, { adminId, signInId });
}
