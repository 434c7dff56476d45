import { LAST_DAY } from '../../db/expressions.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import { companyZone, toCompanyDay } from '../learners/shared/company-days.ts';
import { learnerZone } from '../../mail/messages/working-hours.ts';
import { IS_OPEN } from '../learners/shared/due-dates.ts';
import { audience } from './audience.ts';
import { endOfDay, expectedAssignments, isAssignable } from './expected-assignments.ts';

/** Time after which another worker can continue a comparison whose worker has stopped. */
const LEASE = sql`interval '2 minutes'`;

/** Starts the campaigns whose start time has come. */
export const startDue = mutation<object>(
  'campaign_start_due',
  (p) => sql`
    update campaigns c
       set status = 'running', started_on = (now() at time zone ${companyZone(p)})::date, updated_at = now()
     where c.company_id = ${p.companyId} and c.status = 'scheduled' and c.start_at <= now()`,
);

/** A campaign that this worker compares with its audience. */
export interface Claim {
  campaignId: string;
  /** Id of the last learner who was compared; learners are compared in the order of their ids. */
  afterId: string | null;
  /** End of the claim, which also identifies it. */
  evaluateAt: string | null;
  /** Whether some learners in the audience have never had an assignment of the campaign. */
  isFirst: boolean;
  /** Number of the campaign's courses and policies, including removed ones. */
  items: number;
}

/** Claims the campaign that has been due longest, unless another worker has claimed it. */
export const claimDue = mutation<object, Claim>(
  'campaign_claim_due',
  (p) => sql`
    update campaigns c set evaluate_at = now() + ${LEASE}
     where c.company_id = ${p.companyId} and c.id = (
       select d.id from campaigns d
        where d.company_id = ${p.companyId} and d.evaluate_at <= now() and d.status in ('running', 'ended')
        order by d.evaluate_at limit 1 for no key update skip locked)
    returning c.id as "campaignId", c.evaluated_learner_id as "afterId", c.evaluate_at as "evaluateAt",
           c.assigned_at is null as "isFirst", (
             select count(*)::integer from campaign_items i
              where i.company_id = ${p.companyId} and i.campaign_id = c.id and i.template_id is null) as items`,
);

/** Extends a claim. Returns nothing if the campaign was changed and must therefore be compared again. */
export const extendClaim = mutation<Claim, Pick<Claim, 'evaluateAt'>>(
  'campaign_extend_claim',
  (p) => sql`
    update campaigns set evaluate_at = now() + ${LEASE}, evaluated_learner_id = ${p.afterId}
     where company_id = ${p.companyId} and id = ${p.campaignId} and evaluate_at = ${p.evaluateAt}
    returning evaluate_at as "evaluateAt"`,
);

/**
 * Ends a claim. A running campaign is compared again when the company's next day begins. Until one of its items can be
 * assigned, everyone in the audience counts as one of the first learners.
 */
export const endClaim = mutation<Claim>(
  'campaign_end_claim',
  (p) => sql`
    update campaigns c
       set evaluate_at = case when c.status = 'running'
                              then ((t.now at time zone ${companyZone(p)})::date + 1)::timestamp at time zone ${companyZone(p)} end,
           evaluated_learner_id = null, assigned_at = coalesce(c.assigned_at, case when exists (
             select from campaign_items i
              where i.company_id = ${p.companyId} and i.campaign_id = c.id and ${isAssignable(p)}) then t.now end)
      from (select now() as now) as t
     where c.company_id = ${p.companyId} and c.id = ${p.campaignId} and c.evaluate_at = ${p.evaluateAt}`,
);

export const learnerPage = query<{ afterId: string; limit: number }, { id: string }>(
  'campaign_learner_page',
  (p) => sql`
    select id from learners where company_id = ${p.companyId} and id > ${p.afterId} order by id limit ${p.limit}::integer`,
);

export const runningIds = query<object, { id: string }>('campaign_running_ids', (p, knex) =>
  knex('campaigns').select('id').where({ company_id: p.companyId, status: 'running' }),
);

/** Removes recorded changes and returns their learners. */
export const takeChanges = mutation<{ limit: number }, { learnerId: string }>(
  'campaign_take_changes',
  (p) => sql`
    delete from campaign_changes
     where company_id = ${p.companyId} and id = any(array(
       select id from campaign_changes where company_id = ${p.companyId} order by id limit ${p.limit}::integer
          for update skip locked))
    returning learner_id as "learnerId"`,
);

/** Finds the courses and policies of campaigns. */
export const itemsOfCampaigns = query<{ campaignIds: string[] }, { courseIds: string[]; policyIds: string[] }>(
  'campaign_items_of_campaigns',
  (p) => sql`
    select coalesce(array_agg(distinct i.course_id::text) filter (where i.course_id is not null), '{}') as "courseIds",
           coalesce(array_agg(distinct i.policy_id::text) filter (where i.policy_id is not null), '{}') as "policyIds"
      from campaign_items i where i.company_id = ${p.companyId} and i.campaign_id = any(${p.campaignIds}::uuid[])`,
);

export interface Evaluated {
  learnerIds: string[];
  campaignIds: string[];
}

/** Selects the learners of the call as `l`. */
export const evaluatedLearners = (p: Parameters<Evaluated>): Sql => sql`
  unnest(${p.learnerIds}::uuid[]) as asked (id)
  cross join lateral (
    select * from learners where company_id = ${p.companyId} and id = asked.id offset 0) as l`;

/** Finds the learners who have open assignments of the campaigns. */
export const assignedLearners = query<Evaluated, { id: string }>(
  'campaign_assigned_learners',
  (p) => sql`
    select asked.id from unnest(${p.learnerIds}::uuid[]) as asked (id)
     where (select a.id from campaign_assignments a
             where a.company_id = ${p.companyId} and a.learner_id = asked.id and ${IS_OPEN}
               and a.campaign_id = any(${p.campaignIds}::uuid[]) limit 1) is not null`,
);

/** Assigns items to the learners in the audience who lack them. */
export const assignItems = mutation<Evaluated>(
  'campaign_assign_items',
  (p) => sql`
    insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, condition, due_on, extended_until, due_at,
                                      due_because, repeated_because, absent_until, leave_due_on, results_from,
                                      signatures_from)
    select ${p.companyId}, e.campaign_id, e.item_id, e.learner_id, e.round, e.condition, e.due_on, e.extended_until, e.due_at,
           e.due_because, e.repeated_because, e.absent_until, e.leave_due_on, e.results_from, e.signatures_from
      from ${evaluatedLearners(p)}
      join campaigns c on c.company_id = ${p.companyId} and c.id = any(${p.campaignIds}::uuid[])
       and c.status = 'running'
     cross join lateral ${expectedAssignments(p, { now: sql`now()`, startedOn: sql`c.started_on` })} as e
    on conflict (company_id, campaign_id, learner_id, item_id, round) do update
       set condition = excluded.condition, due_on = excluded.due_on, due_at = excluded.due_at,
           due_because = excluded.due_because, extended_until = excluded.extended_until,
           absent_until = excluded.absent_until, leave_due_on = excluded.leave_due_on, ended_at = null,
           ended_because = null, due_soon_at = null, overdue_at = null
     where campaign_assignments.ended_at is not null`,
);

/** Corrects the condition and the due time of open assignments whose audience or time zone has changed. */
export const refreshAssignments = mutation<Evaluated>(
  'campaign_refresh_assignments',
  (p) => sql`
    with current as materialized (
      select a.id, case when met.is_in then met.condition else a.condition end as condition,
             a.condition as old_condition, a.due_at as old_due_at,
             ${endOfDay(LAST_DAY, learnerZone(p))} as due_at
        from ${evaluatedLearners(p)}
        join campaigns c on c.company_id = ${p.companyId} and c.id = any(${p.campaignIds}::uuid[])
         and c.status = 'running'
        left join lateral (select true as is_in, m.condition from ${audience(p)} as m) as met on true
       cross join lateral (
         select * from campaign_assignments
          where company_id = ${p.companyId} and learner_id = l.id order by item_id offset 0) as a
       where a.campaign_id = c.id and ${IS_OPEN}
    )
    update campaign_assignments a
       set condition = n.condition, due_at = n.due_at,
           due_soon_at = case when n.due_at <= n.soon then a.due_soon_at end,
           overdue_at = case when n.due_at <= n.now then a.overdue_at end
      from (select * from current cross join (select now() as now, now() + interval '7 days' as soon) as t) as n
     where a.company_id = ${p.companyId} and a.id = n.id
       and (n.condition is distinct from n.old_condition or n.due_at <> n.old_due_at)`,
);

export const completeAssignments = mutation<{ learnerIds: string[] }>(
  'campaign_complete_assignments',
  (p) => sql`select from complete_assignments(${p.companyId}, ${p.learnerIds}::uuid[])`,
);

/** Moves the due dates of open assignments whose learners are on leave, and back if the leave no longer applies. */
export const moveDueDates = mutation<{ learnerIds: string[] }>(
  'campaign_move_due_dates',
  (p) => sql`select from move_due_dates(${p.companyId}, ${p.learnerIds}::uuid[])`,
);

/** A course or policy, with the affected learners and assignments. */
export interface ItemGroup {
  itemId: string;
  isCourse: boolean;
  learnerIds: string[];
  assignmentIds: string[];
}

/** Selects groups of assignments `a` by item. */
const groups = (from: Sql, where: Sql): Sql => sql`
  select a.item_id as "itemId", a.results_from is not null as "isCourse", array_agg(a.learner_id) as "learnerIds",
         array_agg(a.id) as "assignmentIds"
    from ${from} where ${where}
   group by a.item_id, a.results_from is not null order by a.item_id`;

/**
 * Finds the ended or waived assignments whose enrolment or signature request a campaign caused and no campaign requires
 * any longer.
 */
export const toUndo = query<{ assignmentIds: string[] }, ItemGroup>('campaign_to_undo', (p) =>
  groups(
    sql`campaign_assignments a`,
    sql`a.company_id = ${p.companyId} and a.id = any(${p.assignmentIds}::uuid[]) and coalesce(a.ended_at, a.waived_at) is not null
      and (select o.id from campaign_assignments o
            where o.company_id = ${p.companyId} and o.learner_id = a.learner_id and o.item_id = a.item_id
              and o.enrolled and o.completed_at is null limit 1) is not null
      and (select o.id from campaign_assignments o
            where o.company_id = ${p.companyId} and o.learner_id = a.learner_id and o.item_id = a.item_id
              and o.completed_at is null and o.waived_at is null and o.ended_at is null limit 1) is null`,
  ),
);

/**
 * Condition that the learner of an assignment `a` is not enrolled in its course, or has no request to sign its policy.
 */
export const lacksPair = (p: Parameters<object>): Sql => sql`
  (select e.learner_id from enrollments e
    where e.company_id = ${p.companyId} and e.learner_id = a.learner_id and e.course_id = a.item_id
      and (e.finish_date is null
           or (e.passed is false and e.finish_date >= ${toCompanyDay(p, sql`a.assigned_at`)})) limit 1) is null
  and (select r.learner_id from policy_results r
        where r.company_id = ${p.companyId} and r.learner_id = a.learner_id and r.policy_id = a.item_id
          and r.assigned_at is not null and (r.signed is null or r.signed < r.asked_at) limit 1) is null`;

/** Finds the open assignments whose learner is not enrolled, or has no signature request. */
export const toEnrol = query<Evaluated, ItemGroup>('campaign_to_enrol', (p) =>
  groups(
    sql`unnest(${p.learnerIds}::uuid[]) as asked (id)
        cross join lateral (
          select * from campaign_assignments
           where company_id = ${p.companyId} and learner_id = asked.id order by item_id offset 0) as a`,
    sql`a.campaign_id = any(${p.campaignIds}::uuid[]) and ${IS_OPEN}
      and (select i.item_id from campaign_items i
            where i.company_id = ${p.companyId} and i.campaign_id = a.campaign_id and i.item_id = a.item_id
              and ${isAssignable(p)} limit 1) is not null
      and ${lacksPair(p)}`,
  ),
);

/** Records that no campaign is the cause of the learners' enrolments or signature requests any longer. */
export const setNotEnrolled = mutation<{ itemId: string; learnerIds: string[] }>(
  'campaign_set_not_enrolled',
  (p) => sql`
    update campaign_assignments set enrolled = false
     where company_id = ${p.companyId} and item_id = ${p.itemId} and learner_id = any(${p.learnerIds}::uuid[])
       and enrolled`,
);

/**
 * Marks open assignments that are overdue or due within seven days, which causes events. Marks at most twice the limit.
 */
export const markDue = mutation<{ limit: number }, { id: string }>(
  'campaign_mark_due',
  (p) => sql`
    update campaign_assignments a
       set due_soon_at = coalesce(a.due_soon_at, t.now),
           overdue_at = coalesce(a.overdue_at, case when a.due_at <= t.now then t.now end)
      from (select now() as now) as t
     where a.company_id = ${p.companyId} and ${IS_OPEN} and a.id = any(array(
       (select a.id from campaign_assignments a
         where a.company_id = ${p.companyId} and ${IS_OPEN} and a.due_soon_at is null
           and a.due_at <= now() + interval '7 days'
         order by a.due_at limit ${p.limit}::integer)
       union all
       (select a.id from campaign_assignments a
         where a.company_id = ${p.companyId} and ${IS_OPEN} and a.overdue_at is null and a.due_at <= now()
         order by a.due_at limit ${p.limit}::integer)))
    returning a.id`,
);
