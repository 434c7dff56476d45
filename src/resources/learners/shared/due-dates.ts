import { LAST_DAY } from '../../../db/expressions.ts';
import { asText, type Sql, sql } from '../../../db/sql.ts';
import type { Parameters } from '../../../db/statement.ts';

/** Condition that an assignment `a` of a campaign is open. */
export const IS_OPEN = sql`a.completed_at is null and a.waived_at is null and a.ended_at is null`;

/** Due date for a learner; null if no campaign requires the item. */
export interface DueDate {
  dueOn: string | null;
  isOverdue: boolean | null;
}

/**
 * Builds a lateral subquery for the earliest due date of a course or policy among the learner's open assignments, with
 * the columns of `DueDate`. The subquery has no row if no campaign requires the item.
 */
export const firstDue = (p: Parameters<object>, learnerId: Sql, itemId: Sql): Sql => sql`(
  select ${LAST_DAY}::text as "dueOn", a.due_at <= now() as "isOverdue"
    from campaign_assignments a
   where a.company_id = ${p.companyId} and a.learner_id = ${learnerId} and a.item_id = ${itemId} and ${IS_OPEN}
   order by a.due_at limit 1)`;

/** Builds the time and reason of the waiver of an assignment `a`; null if it has not been waived. */
export const WAIVED = sql`
  case when a.waived_at is not null
       then jsonb_build_object('at', ${asText(sql`a.waived_at`)}, 'reason', a.waived_because) end`;

/**
 * Builds a lateral subquery for the assignment of a course or policy to a learner, with the column `assignment`: the
 * open assignment that is due first, otherwise the one completed last, otherwise the latest. The subquery has no row if
 * no campaign has ever required the item.
 */
export const selectAssignment = (p: Parameters<object>, learnerId: Sql, itemId: Sql): Sql => sql`(
  select jsonb_build_object(
           'id', a.id, 'campaignId', a.campaign_id, 'assignedAt', ${asText(sql`a.assigned_at`)},
           'dueOn', ${LAST_DAY}, 'dueAt', ${asText(sql`a.due_at`)},
           'overdue', ${IS_OPEN} and a.due_at <= now(), 'extendedUntil', a.extended_until,
           'completedAt', ${asText(sql`a.completed_at`)}, 'waived', ${WAIVED}) as assignment
    from campaign_assignments a
   where a.company_id = ${p.companyId} and a.learner_id = ${learnerId} and a.item_id = ${itemId}
   order by case when ${IS_OPEN} then a.due_at end, a.completed_at desc nulls last, a.assigned_at desc, a.id desc limit 1)`;
