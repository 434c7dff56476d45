import { statement } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';

export type LearnerMessageKind = 'course_enrollment' | 'course_reminder' | 'policy_request' | 'policy_reminder';

/** The task that sends a message; its payload names the message and nothing of its content. */
export const SEND_MESSAGE = 'send_message';
/** An invitation goes before everything that is sent to learners. */
const PRIORITY_INVITE = 0;
/** Of a company's waiting messages, so many go before the next so many of each other company. */
const TURN_SIZE = 100;

/** Of the messages of a CTE `queued` with the priority of each: their jobs, in the same transaction. */
const JOBS_OF_QUEUED = `
  select count(*)::integer as queued from graphile_worker.add_jobs((
    select coalesce(array_agg((
      '${SEND_MESSAGE}', json_build_object('companyId', company_id, 'messageId', id), null, null, null, null, priority, null
    )::graphile_worker.job_spec), '{}') from queued))`;

/**
 * The end of a statement that queues a message for each learner with what it is about, in place of messages of the kind
 * that wait and are about nothing more. The more a company has waiting, the later come its next ones: companies take turns.
 * @param recipients a CTE with `learner_id` and the id of what the message is about
 * @param subject the name of that column: one message for each learner, about all of them
 */
export function queueLearnerMessages(kind: LearnerMessageKind, recipients: string, subject: string): string {
  return `wanted as (
      select learner_id, array_agg(${subject} order by ${subject}) as subject_ids from ${recipients} group by learner_id
    ), superseded as (
      update messages m set status = 'cancelled', reason = 'replaced', settled_at = now()
        from wanted
       where m.company_id = current_company() and m.learner_id = wanted.learner_id and m.kind = '${kind}'
         and m.status = 'queued' and m.subject_ids <@ wanted.subject_ids
    ), inserted as (
      insert into messages (company_id, id, kind, learner_id, subject_ids)
      select current_company(), gen_random_uuid(), '${kind}', learner_id, subject_ids from wanted
      returning company_id, id
    ), queued as (
      select company_id, id, least(1 + (waiting + row_number() over ()) / ${TURN_SIZE}, 1000)::smallint as priority
        from inserted, (select count(*) as waiting from messages
                         where company_id = current_company() and status = 'queued') as of_company
    )${JOBS_OF_QUEUED}`;
}

const queueInvite = statement<{ adminId: string; token: string }, object>('message_queue_invite', (sql, param) =>
  sql.raw(
    `with queued as (
       insert into messages (company_id, id, kind, admin_id, setup_token)
       select company_id, gen_random_uuid(), 'admin_invite', id, ?
         from admins where company_id = ? and id = ?
       returning company_id, id, ${PRIORITY_INVITE}::smallint as priority
     )${JOBS_OF_QUEUED}`,
    [param('token'), param('companyId'), param('adminId')],
  ),
);

const cancelInvites = statement<{ adminId: string }, object>('message_cancel_invites', (sql, param) =>
  sql('messages')
    .where({ company_id: param('companyId'), admin_id: param('adminId'), status: 'queued' })
    .update({ status: 'cancelled', reason: 'replaced', setup_token: null, settled_at: sql.raw('now()') }),
);

/** Queues the invite of an admin with the secret of its setup link, in place of one that is not sent yet. */
export async function queueAdminInvite(tenant: TenantWriter, adminId: string, token: string): Promise<void> {
  await tenant.run(cancelInvites, { adminId });
  await tenant.run(queueInvite, { adminId, token });
}
