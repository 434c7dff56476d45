import { LAST_DAY } from '../../../db/expressions.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { Parameters } from '../../../db/statement.ts';

/** Condition that an assignment `a` of a campaign is open. */
export const IS_OPEN = sql`a.completed_at is null and a.waived_at is null and a.ended_at is null`;

/** When something is due for a learner; null if no campaign asks for it. */
export interface DueDate {
  dueOn: string | null;
  isOverdue: boolean | null;
}

/**
 * Builds a lateral subquery for the first due date of a course or policy among the learner's open assignments, with the
 * columns of `DueDate`. It has no row if no campaign asks for the item.
 */
export const firstDue = (p: Parameters<object>, learnerId: Sql, itemId: Sql): Sql => sql`(
  select ${LAST_DAY}::text as "dueOn", a.due_at <= now() as "isOverdue"
    from campaign_assignments a
   where a.company_id = ${p.companyId} and a.learner_id = ${learnerId} and a.item_id = ${itemId} and ${IS_OPEN}
   order by a.due_at limit 1)`;
