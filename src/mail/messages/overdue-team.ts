import { courseNameFor, fullName, LAST_DAY } from '../../db/expressions.ts';
import { effectiveManagerId } from '../../db/manager-in-effect.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { learnerZone, nextMorning, openingTime } from './working-hours.ts';

/** Maximum number of assignments that a message to a manager lists. */
const MAX_LISTED = 100;

/** An overdue assignment of a learner, as a message to the manager shows it. */
export interface OverdueAssignment {
  learnerName: string;
  /** Name of the course or policy. */
  name: string;
  dueOn: string;
}

/**
 * Condition that an assignment `a` of the campaign `c` has been overdue long enough for the manager to get a message.
 */
export const isEscalated = (at: Sql): Sql => sql`
  c.status = 'running' and a.completed_at is null and a.waived_at is null and a.ended_at is null
  and a.due_at <= ${at} - c.escalate_after * interval '1 day'`;

/**
 * Builds a subquery with the whole rows of the active learners whose effective manager has the given id. They are found
 * by their own manager and by the groups that the manager manages.
 */
const team = (p: Parameters<object>, managerId: Sql): Sql => sql`(
  select l.* from (
      select o.id from learners o where o.company_id = ${p.companyId} and o.manager_id = ${managerId}
      union
      select gl.learner_id from group_managers gm
        join group_learners gl on gl.company_id = ${p.companyId} and gl.group_id = gm.group_id
       where gm.company_id = ${p.companyId} and gm.learner_id = ${managerId}) as candidate
   cross join lateral (
     select * from learners o where o.company_id = ${p.companyId} and o.id = candidate.id and not o.inactive offset 0) as l
   where ${effectiveManagerId(p)} = ${managerId})`;

/** Builds a subquery with the overdue assignments that a message to a manager names. */
export const selectEscalated = (p: Parameters<object>, { managerId, at }: { managerId: Sql; at: Sql }): Sql => sql`(
  select a.*, l.first_name, l.last_name
    from ${team(p, managerId)} as l
   cross join lateral (
     select * from campaign_assignments where company_id = ${p.companyId} and learner_id = l.id offset 0) as a
    join campaigns c on c.company_id = ${p.companyId} and c.id = a.campaign_id and ${isEscalated(at)})`;

const overdue = query<{ messageIds: readonly string[]; at: Date }, OverdueAssignment & { messageId: string }>(
  'message_overdue_assignments',
  (p) => sql`
    select ${fullName(sql`a`)} as "learnerName", coalesce(${courseNameFor(sql`k`, sql`m.locale`)}, o.name) as name,
           ${LAST_DAY}::text as "dueOn", m.id as "messageId"
      from (select n.id, n.learner_id, r.locale from messages n
              join learners r on r.company_id = ${p.companyId} and r.id = n.learner_id
             where n.company_id = ${p.companyId} and n.id = any(${p.messageIds}::uuid[]) offset 0) as m
     cross join lateral (
       select * from ${selectEscalated(p, { managerId: sql`m.learner_id`, at: sql`${p.at}::timestamptz` })} as named offset 0) as a
     cross join lateral (
       select * from campaign_items
        where company_id = ${p.companyId} and campaign_id = a.campaign_id and item_id = a.item_id offset 0) as i
      left join courses k on k.owner_id = i.course_owner_id and k.id = i.course_id
      left join policies o on o.company_id = ${p.companyId} and o.id = i.policy_id
     order by 1, a.due_at, 2, a.id`,
  { at: new Date() },
);

/** Returns, by learner, the overdue assignments that each message to a manager names at a given time. */
export function findOverdueAssignments(
  tenant: TenantReader,
  messageIds: readonly string[],
  at: Date,
): Promise<(OverdueAssignment & { messageId: string })[]> {
  return tenant.queryAll(overdue, { messageIds, at });
}

/** Returns the assignments that a message lists, and how many more there are. */
export function listOverdue(all: readonly OverdueAssignment[]): { listed: OverdueAssignment[]; more: number } {
  return { listed: all.slice(0, MAX_LISTED), more: Math.max(0, all.length - MAX_LISTED) };
}

/**
 * Reschedules the message of managers whose last one was held back outside working hours or during leave. The next
 * attempt is on their next working morning. If the leave lasts longer, the message is sent on the Monday after it.
 */
export const waitForDigest = mutation<{ messageIds: readonly string[]; at: Date }>(
  'message_wait_for_digest',
  (p) => sql`
    with manager as (
      select l.id, z.name as zone,
             ${openingTime(nextMorning(sql`${p.at}::timestamptz`, sql`z.name`, sql`null::date`), sql`z.name`)} as next_at
        from messages m
        join learners l on l.company_id = ${p.companyId} and l.id = m.learner_id
       cross join lateral (select ${learnerZone(p)} as name) as z
       where m.company_id = ${p.companyId} and m.id = any(${p.messageIds}::uuid[])
    ), waiting as (
      update campaign_mail_days d set notified_on = null from manager m
       where d.company_id = ${p.companyId} and d.learner_id = m.id
    )
    update campaign_digests g set next_at = m.next_at from manager m
     where g.company_id = ${p.companyId} and g.time_zone = m.zone and g.next_at > m.next_at`,
  { at: new Date() },
);
