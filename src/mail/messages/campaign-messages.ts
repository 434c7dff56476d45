import { courseNameFor, LAST_DAY } from '../../db/expressions.ts';
import { sql } from '../../db/sql.ts';
import { mutation, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { learnerZone, nextMorning, openingTime } from './working-hours.ts';

/** An open assignment of the learner, as a message shows it. */
export interface DueAssignment {
  /** Name of the course or policy. */
  name: string;
  dueOn: string;
  isOverdue: boolean;
  /** Text that the campaign adds to its messages. */
  note: string | null;
  /** Name of the person whom the campaign names for questions. */
  replyName: string | null;
}

const open = query<{ messageIds: readonly string[]; at: Date }, DueAssignment & { messageId: string }>(
  'message_assignments',
  (p) => sql`
    select coalesce(${courseNameFor(sql`k`, sql`l.locale`)}, o.name) as name, ${LAST_DAY}::text as "dueOn",
           a.due_at <= ${p.at}::timestamptz as "isOverdue", c.message as note, c.reply_name as "replyName",
           m.id as "messageId"
      from messages m
      join learners l on l.company_id = ${p.companyId} and l.id = m.learner_id
      join campaign_assignments a on a.company_id = ${p.companyId} and a.learner_id = l.id
       and a.completed_at is null and a.waived_at is null and a.ended_at is null
      join campaigns c on c.company_id = ${p.companyId} and c.id = a.campaign_id and c.status = 'running'
      join campaign_items i on i.company_id = ${p.companyId} and i.campaign_id = a.campaign_id and i.item_id = a.item_id
      left join courses k on k.owner_id = i.course_owner_id and k.id = i.course_id
      left join policies o on o.company_id = ${p.companyId} and o.id = i.policy_id
     where m.company_id = ${p.companyId} and m.id = any(${p.messageIds}::uuid[])
     order by a.due_at, 1, a.id`,
  { at: new Date() },
);

/** Returns the open assignments of each message's learner at a given time, ordered by due date. */
export function findDueAssignments(
  tenant: TenantReader,
  messageIds: readonly string[],
  at: Date,
): Promise<(DueAssignment & { messageId: string })[]> {
  return tenant.queryAll(open, { messageIds, at });
}

/**
 * Reschedules the message of learners whose last one was cancelled outside working hours or during leave, to their next
 * working morning. The last message that was sent counts as the latest again, so the same reminder is due again.
 */
export const waitForMorning = mutation<{ messageIds: readonly string[]; at: Date }>(
  'message_wait_for_morning',
  (p) => sql`
    with waiting as (
      update campaign_mail_days d
         set waits_until = n.morning, mailed_on = (
               select max((s.created_at at time zone n.zone)::date) from messages s
                where s.company_id = ${p.companyId} and s.learner_id = n.id and s.kind = 'assignments_due'
                  and s.status = 'sent')
        from (select l.id, z.name as zone, ${nextMorning(sql`${p.at}::timestamptz`, sql`z.name`, sql`null::date`)} as morning,
                     ${nextMorning(sql`${p.at}::timestamptz`, sql`z.name`, sql`l.absent_until`)} as day
                from messages m
                join learners l on l.company_id = ${p.companyId} and l.id = m.learner_id
               cross join lateral (select ${learnerZone(p)} as name) as z
               where m.company_id = ${p.companyId} and m.id = any(${p.messageIds}::uuid[])) as n
       where d.company_id = ${p.companyId} and d.learner_id = n.id
      returning d.learner_id, n.day, n.zone
    )
    update campaign_assignments a set mail_at = ${openingTime(sql`w.day`, sql`w.zone`)}
      from waiting w
     where a.company_id = ${p.companyId} and a.learner_id = w.learner_id and a.completed_at is null
       and a.waived_at is null and a.ended_at is null`,
  { at: new Date() },
);
