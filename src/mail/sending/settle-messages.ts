import { IS_QUEUED } from '../../db/expressions.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';

export type Settlement = { status: 'sent' } | { status: 'failed' | 'cancelled'; reason: string };

/** The end of a message, and the number of attempts to send it. */
export interface MessageResult {
  messageId: string;
  attempts: number;
  settlement: Settlement;
}

interface Settled {
  messageIds: string[];
  statuses: string[];
  reasons: (string | null)[];
  attempts: number[];
}

// Locks the learners first, like every statement that changes several enrolments of a learner. Cancelled messages do
// not change enrolments. `prepare` cancels messages that it has locked, and must not wait for their learners.
// The array of learners makes Postgres look up their enrolments: with statistics from before a bulk call, it would read
// all enrolments of the company for each commit.
const settling =
  (locks: { learners: Sql; messages: Sql }) =>
  (p: Parameters<Settled>): Sql => sql`
    with result as (
      select * from unnest(${p.messageIds}::uuid[], ${p.statuses}::text[], ${p.reasons}::text[], ${p.attempts}::integer[])
                      as r (message_id, status, reason, attempts)
    ), learner as (
      select id from learners where company_id = ${p.companyId} and id in (
        select m.learner_id from messages m
         where m.company_id = ${p.companyId} and m.id in (select message_id from result where status <> 'cancelled')
           and m.kind like 'course%')
       order by id ${locks.learners}
    ), free as (
      select m.id, m.learner_id, m.kind, m.subject_ids, r.status, r.reason, r.attempts
        from messages m join result r on r.message_id = m.id
       where m.company_id = ${p.companyId} and m.id = any(${p.messageIds}::uuid[]) and ${IS_QUEUED}
         and (m.kind not like 'course%' or r.status = 'cancelled' or m.learner_id in (select id from learner))
       order by m.id ${locks.messages}
    ), settled as (
      update messages m set status = f.status, reason = f.reason, attempts = f.attempts,
                            setup_token = null, to_address = null, settled_at = now()
        from free f where m.company_id = ${p.companyId} and m.id = f.id
      returning m.id, m.learner_id, m.kind, m.subject_ids, m.status, m.settled_at
    ), recorded as (
      update enrollments e
         set asked_at = case when s.kind = 'course_enrollment' and s.status = 'sent' then s.settled_at else e.asked_at end,
             reminder_sent_at = case when s.kind = 'course_reminder' and s.status = 'sent' then s.settled_at
                                     else e.reminder_sent_at end,
             mail_failed_at = case when s.status = 'failed' then s.settled_at end
        from settled s
       where e.company_id = ${p.companyId} and e.learner_id = any(array(select learner_id from settled))
         and e.learner_id = s.learner_id and e.course_id = any(s.subject_ids)
         and s.kind like 'course%' and s.status <> 'cancelled' and e.finish_date is null
    )
    select id from settled`;

const settleAll = mutation<Settled, { id: string }>(
  'message_settle',
  settling({ learners: sql`for no key update`, messages: sql`for no key update of m` }),
  { statuses: ['sent', 'failed'] },
);
const settleFree = mutation<Settled, { id: string }>(
  'message_settle_free',
  settling({ learners: sql`for no key update skip locked`, messages: sql`for no key update of m skip locked` }),
  { statuses: ['sent', 'failed'] },
);

/**
 * Ends messages and deletes their secrets. Unless a message is cancelled, also records the result with the enrolments.
 * @param waits whether to wait for rows that another call has locked; otherwise, leaves out their messages
 * @returns the ids of the messages that this call has ended
 */
export async function settleMessages(
  tenant: TenantWriter,
  results: readonly MessageResult[],
  waits: boolean,
): Promise<string[]> {
  if (results.length === 0) return [];
  const settled = await tenant.mutate(waits ? settleAll : settleFree, {
    messageIds: results.map(({ messageId }) => messageId),
    statuses: results.map(({ settlement }) => settlement.status),
    reasons: results.map(({ settlement }) => ('reason' in settlement ? settlement.reason : null)),
    attempts: results.map(({ attempts }) => attempts),
  });
  return settled.map(({ id }) => id);
}
