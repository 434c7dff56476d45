import { literal, sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { QueuePasskeyLink } from '../../identity/suspended-passkeys.ts';
import { JOBS_OF_QUEUED } from './outbox.ts';

/** Maximum number of links that an admin can request for their passkeys in 24 hours. */
const MAX_A_DAY = 5;

const queueLink = mutation<Parameters<QueuePasskeyLink>[1], { queued: number }>(
  'message_queue_passkey_link',
  (p) => sql`
    with inserted as (
      insert into messages (company_id, id, kind, admin_id, to_address, setup_token)
      select company_id, gen_random_uuid(), 'keep_passkeys', id, ${p.formerEmail}, ${p.token} from admins
       where company_id = ${p.companyId} and id = ${p.adminId}
         and (select count(*) from messages
               where company_id = ${p.companyId} and admin_id = ${p.adminId} and kind = 'keep_passkeys'
                 and created_at > now() - interval '1 day') < ${literal(MAX_A_DAY)}
      returning company_id, id
    ), queued as (
      select company_id, id, 0::smallint as priority from inserted
    )${JOBS_OF_QUEUED}`,
);

/** Queues the email with the link to the former address. The caller must hold the admin's lock. */
export const queuePasskeyLink: QueuePasskeyLink = async (tenant, mail) => {
  return (await tenant.mutate(queueLink, mail))[0]!.queued > 0;
};
