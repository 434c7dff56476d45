import type { Schemas } from '../../contract/contract.ts';
import { LAST_DAY } from '../../db/expressions.ts';
import type { Rows } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';
import { pagedQuery } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { IS_OPEN } from '../learners/shared/due-dates.ts';
import type { Period } from '../learners/shared/period.ts';

type DueRow = Omit<Schemas['DueFigures'], 'item'> & { itemId: string; itemType: 'course' | 'policy' };
type Filter = Period & { campaignId: string | null };

const dueAssignments = pagedQuery<Filter, DueRow>(
  'due_assignments',
  { dueOn: 'date', campaignId: 'uuid', itemId: 'uuid' },
  (p) => sql`
    select due.day::text as "dueOn", due.campaign_id as "campaignId", c.name as "campaignName", due.item_id as "itemId",
           case when i.course_id is null then 'policy' else 'course' end as "itemType",
           coalesce(course.name, policy.name) as "itemName", due."learnerCount"
      from (
        select ${LAST_DAY} as day, a.campaign_id, a.item_id, count(distinct a.learner_id)::integer as "learnerCount"
          from campaign_assignments a
          join learners l on l.company_id = ${p.companyId} and l.id = a.learner_id and not l.inactive
         where a.company_id = ${p.companyId} and ${IS_OPEN} and a.due_at > now()
           and (${p.campaignId}::uuid is null or a.campaign_id = ${p.campaignId})
           and ${LAST_DAY} between coalesce(${p.from}::date, '-infinity') and coalesce(${p.to}::date, 'infinity')
         group by day, a.campaign_id, a.item_id) as due
      join campaigns c on c.company_id = ${p.companyId} and c.id = due.campaign_id
      join campaign_items i
        on i.company_id = ${p.companyId} and i.campaign_id = due.campaign_id and i.item_id = due.item_id
      left join courses course on course.id = i.course_id
      left join policies policy on policy.company_id = ${p.companyId} and policy.id = i.policy_id`,
);

/** Counts the learners with open assignments that are not overdue, by due date, campaign and item. */
export function readDueFigures(tenant: TenantReader, filter: Filter): Rows<Schemas['DueFigures']> {
  return tenant
    .stream(dueAssignments, filter)
    .map(({ itemId, itemType, ...row }) => ({ ...row, item: { type: itemType, id: itemId } }));
}
