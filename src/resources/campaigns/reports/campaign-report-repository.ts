import type { Schemas } from '../../../contract/contract.ts';
import { fullName, LAST_DAY } from '../../../db/expressions.ts';
import { effectiveManagerId } from '../../../db/manager-in-effect.ts';
import type { Rows } from '../../../db/rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { IS_OPEN } from '../../learners/shared/due-dates.ts';

/**
 * Condition that the learner has started the course or opened the policy of the assignment `a` since the time from
 * which activity counts.
 */
const hasBegun = (p: Parameters<object>): Sql => sql`
  case when a.results_from is not null
       then exists (select from enrollments e
                     where e.company_id = ${p.companyId} and e.learner_id = a.learner_id and e.course_id = a.item_id
                       and e.start_date >= a.results_from)
       else exists (select from policy_results r
                     where r.company_id = ${p.companyId} and r.learner_id = a.learner_id and r.policy_id = a.item_id
                       and r.visited_at >= a.signatures_from) end`;

/**
 * Condition that an assignment `a` counts: no later round has replaced it, and neither its learner nor its item has
 * left the campaign.
 */
const counts = (p: Parameters<object>): Sql => sql`
  coalesce(a.ended_because, '') not in ('left_audience', 'item_removed', 'next_round')
  and (a.completed_at is null and a.waived_at is null
       or not exists (select from campaign_assignments n
                       where n.company_id = ${p.companyId} and n.campaign_id = a.campaign_id
                         and n.learner_id = a.learner_id and n.item_id = a.item_id and n.round > a.round))`;

/** Builds the columns that count the assignments `a`. */
const countAssignments = (p: Parameters<object>): Sql => sql`
  count(distinct a.learner_id)::integer as learners, count(*)::integer as assigned,
  (count(*) filter (where a.completed_at is not null or (a.waived_at is null and ${hasBegun(p)})))::integer as started,
  (count(*) filter (where a.completed_at is not null))::integer as completed,
  (count(*) filter (where a.waived_at is not null))::integer as waived,
  (count(*) filter (where ${IS_OPEN} and a.due_at <= now()))::integer as overdue,
  (count(distinct a.learner_id) filter (where ${IS_OPEN} and a.due_at <= now()))::integer as "overdueLearners"`;

interface ReportFilter {
  campaignId: string | null;
  status: string | null;
  nameContains: string | null;
}

// The list has the order of the key of `campaigns`, so that Postgres counts only the campaigns of the page.
export const campaignFigures = pagedQuery<ReportFilter, Schemas['CampaignFigures']>(
  'campaign_figures',
  { campaignId: 'uuid desc' },
  (p) => sql`
    select c.id as "campaignId", c.name, c.status, c.start_at as "startAt",
           jsonb_build_object('days', c.due_days, 'date', c.due_date) as due, f.*
      from campaigns c
     cross join lateral (
       select (min(${LAST_DAY}) filter (where ${IS_OPEN} and a.due_at > now()))::text as "nextDueOn", ${countAssignments(p)}
         from campaign_assignments a
        where a.company_id = ${p.companyId} and a.campaign_id = c.id and ${counts(p)}) as f
     where c.company_id = ${p.companyId} and (${p.campaignId}::uuid is null or c.id = ${p.campaignId})
       and (${p.status}::text is null or c.status = ${p.status})
       and (${p.nameContains}::text is null or position(profile_key(${p.nameContains}) in profile_key(c.name)) > 0)`,
  { campaignId: null, status: null, nameContains: null },
);

type Progress = Schemas['CampaignProgress'];

interface ProgressFilter {
  campaignId: string;
}

const ORDER = { name: 'text asc nulls last', id: 'uuid asc nulls last' } as const;

/**
 * Selects the figures of a campaign.
 * @param places query that selects the `id`, `key` and `name` of the units that the learner `l` belongs to; returns no
 *   row if there are none
 */
const progressBy = (p: Parameters<ProgressFilter>, places: Sql): Sql => sql`
  select o.id, min(o.name) as name, ${countAssignments(p)}
    from campaign_assignments a
    join learners l on l.company_id = ${p.companyId} and l.id = a.learner_id
    left join lateral (${places}) as o on true
   where a.company_id = ${p.companyId} and a.campaign_id = ${p.campaignId} and ${counts(p)}
   group by o.id, o.key`;

const byDepartment = pagedQuery<ProgressFilter, Progress>('campaign_progress_by_department', ORDER, (p) =>
  progressBy(
    p,
    sql`select null::uuid as id, l.department_key as key, l.department as name where l.department is not null`,
  ),
);

const byGroup = pagedQuery<ProgressFilter, Progress>('campaign_progress_by_group', ORDER, (p) =>
  progressBy(
    p,
    sql`select g.id, '' as key, g.name from group_learners m join groups g on g.company_id = ${p.companyId} and g.id = m.group_id
         where m.company_id = ${p.companyId} and m.learner_id = l.id`,
  ),
);

const byManager = pagedQuery<ProgressFilter, Progress>('campaign_progress_by_manager', ORDER, (p) =>
  progressBy(
    p,
    sql`select m.id, '' as key, ${fullName(sql`m`)} as name from learners m
         where m.company_id = ${p.companyId} and m.id = ${effectiveManagerId(p)}`,
  ),
);

const STATEMENTS = { department: byDepartment, group: byGroup, manager: byManager };

/** Reads the progress of a campaign, ordered by name. */
export function readProgress(tenant: TenantReader, by: keyof typeof STATEMENTS, campaignId: string): Rows<Progress> {
  return tenant.stream(STATEMENTS[by], { campaignId });
}
