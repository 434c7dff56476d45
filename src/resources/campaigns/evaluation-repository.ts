import { type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import { IS_OPEN } from '../learners/shared/due-dates.ts';
import { audience } from './audience.ts';
import { expectedAssignments } from './expected-assignments.ts';

/** Time after which another worker continues a comparison whose worker has stopped. */
const LEASE = sql`interval '2 minutes'`;

const zone = (p: Parameters<object>): Sql => sql`
  coalesce((select s.time_zone from company_settings s where s.company_id = ${p.companyId}), 'UTC')`;

/** Builds the time zone of a learner. */
export const zoneOf = (p: Parameters<object>, learner: Sql): Sql => sql`coalesce(${learner}.time_zone, ${zone(p)})`;

/** Starts the campaigns whose time has come. */
export const startDue = mutation<object>(
  'campaign_start_due',
  (p) => sql`
    update campaigns c
       set status = 'running', started_on = (now() at time zone ${zone(p)})::date, updated_at = now()
     where c.company_id = ${p.companyId} and c.status = 'scheduled' and c.start_at <= now()`,
);

/** A campaign that this worker compares with its audience. */
export interface Claim {
  campaignId: string;
  /** The last learner who was compared, in the order of ids. */
  afterId: string | null;
  /** The end of the claim, by which it is recognised. */
  evaluateAt: string | null;
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
    returning c.id as "campaignId", c.evaluated_learner_id as "afterId", c.evaluate_at as "evaluateAt"`,
);

/** Extends a claim. Returns nothing if the campaign was changed, so that it is compared again. */
export const extendClaim = mutation<Claim, Pick<Claim, 'evaluateAt'>>(
  'campaign_extend_claim',
  (p) => sql`
    update campaigns set evaluate_at = now() + ${LEASE}, evaluated_learner_id = ${p.afterId}
     where company_id = ${p.companyId} and id = ${p.campaignId} and evaluate_at = ${p.evaluateAt}
    returning evaluate_at as "evaluateAt"`,
);

/** Ends a claim. A running campaign is compared again when the company's next day has begun. */
export const endClaim = mutation<Claim>(
  'campaign_end_claim',
  (p) => sql`
    update campaigns c
       set evaluate_at = case when c.status = 'running'
                              then ((t.now at time zone ${zone(p)})::date + 1)::timestamp at time zone ${zone(p)} end,
           evaluated_learner_id = null, assigned_at = coalesce(c.assigned_at, t.now)
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

/** Removes recorded changes. Returns their learners. */
export const takeChanges = mutation<{ limit: number }, { learnerId: string }>(
  'campaign_take_changes',
  (p) => sql`
    delete from campaign_changes
     where company_id = ${p.companyId} and id = any(array(
       select id from campaign_changes where company_id = ${p.companyId} order by id limit ${p.limit}::integer
          for update skip locked))
    returning learner_id as "learnerId"`,
);

export interface Evaluated {
  learnerIds: string[];
  campaignIds: string[];
}

/** Selects the learners of the call, as `l`. */
const asked = (p: Parameters<Evaluated>): Sql => sql`
  unnest(${p.learnerIds}::uuid[]) as asked (id)
  cross join lateral (
    select * from learners where company_id = ${p.companyId} and id = asked.id offset 0) as l`;

/** Assigns the items to the learners in the audience who lack them. */
export const assignItems = mutation<Evaluated>(
  'campaign_assign_items',
  (p) => sql`
    insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, condition, due_on, due_at, due_because,
                                      results_from, signatures_from)
    select ${p.companyId}, e.campaign_id, e.item_id, e.learner_id, e.round, e.condition, e.due_on, e.due_at, e.due_because,
           e.results_from, e.signatures_from
      from ${asked(p)}
      join campaigns c on c.company_id = ${p.companyId} and c.id = any(${p.campaignIds}::uuid[])
       and c.status = 'running'
     cross join lateral ${expectedAssignments(p, { now: sql`now()`, startedOn: sql`c.started_on` })} as e
    on conflict (company_id, campaign_id, learner_id, item_id, round) do update
       set condition = excluded.condition, due_on = excluded.due_on, due_at = excluded.due_at,
           due_because = excluded.due_because, extended_until = null, ended_at = null,
           ended_because = null, due_soon_at = null, overdue_at = null
     where campaign_assignments.ended_at is not null`,
);

/** Ends the open assignments that the campaigns no longer ask for. */
export const endAssignments = mutation<Evaluated, { id: string }>(
  'campaign_end_assignments',
  (p) => sql`
    with judged as (
      select a.id, case
               when c.status = 'ended' then 'campaign_ended'
               when i.removed_at is not null then 'item_removed'
               when exists (select from campaign_assignments n
                             where n.company_id = ${p.companyId} and n.campaign_id = a.campaign_id
                               and n.learner_id = a.learner_id and n.item_id = a.item_id and n.round > a.round)
               then 'next_round'
               when not c.keeps_open and not exists (select from ${audience(p)} as in_audience) then 'left_audience'
             end as because
        from ${asked(p)}
       cross join lateral (
         select * from campaign_assignments a
          where a.company_id = ${p.companyId} and a.learner_id = l.id and ${IS_OPEN} offset 0) as a
        join campaigns c on c.company_id = ${p.companyId} and c.id = a.campaign_id and c.status in ('running', 'ended')
         and c.id = any(${p.campaignIds}::uuid[])
        join campaign_items i on i.company_id = ${p.companyId} and i.campaign_id = a.campaign_id
         and i.item_id = a.item_id
    )
    update campaign_assignments a set ended_at = now(), ended_because = j.because, mail_at = null
      from judged j
     where a.company_id = ${p.companyId} and a.id = j.id and j.because is not null
    returning a.id`,
);

export const completeAssignments = mutation<{ learnerIds: string[] }>(
  'campaign_complete_assignments',
  (p) => sql`select from complete_assignments(${p.companyId}, ${p.learnerIds}::uuid[])`,
);

/** A course or policy, and the learners and assignments concerned. */
export interface ItemGroup {
  itemId: string;
  isCourse: boolean;
  learnerIds: string[];
  assignmentIds: string[];
}

/** Selects groups of assignments `a` by item. */
const groups = (where: Sql, p: Parameters<object>): Sql => sql`
  select a.item_id as "itemId", a.results_from is not null as "isCourse", array_agg(a.learner_id) as "learnerIds",
         array_agg(a.id) as "assignmentIds"
    from campaign_assignments a where a.company_id = ${p.companyId} and ${where}
   group by a.item_id, a.results_from is not null order by a.item_id`;

/** Finds the ended or waived assignments that caused an enrolment or request which no other campaign asks for. */
export const toUndo = query<{ assignmentIds: string[] }, ItemGroup>('campaign_to_undo', (p) =>
  groups(
    sql`a.id = any(${p.assignmentIds}::uuid[]) and a.enrolled and coalesce(a.ended_at, a.waived_at) is not null
      and (select o.id from campaign_assignments o
            where o.company_id = ${p.companyId} and o.learner_id = a.learner_id and o.item_id = a.item_id
              and o.completed_at is null and o.waived_at is null and o.ended_at is null limit 1) is null`,
    p,
  ),
);

/** Finds the open assignments whose learner is not enrolled, or not asked for a signature. */
export const toEnrol = query<Evaluated, ItemGroup>('campaign_to_enrol', (p) =>
  groups(
    sql`a.learner_id = any(${p.learnerIds}::uuid[]) and a.campaign_id = any(${p.campaignIds}::uuid[]) and ${IS_OPEN}
      and not exists (select from enrollments e
                       where e.company_id = ${p.companyId} and e.learner_id = a.learner_id and e.course_id = a.item_id
                         and (e.finish_date is null or (e.finish_date >= a.results_from and e.passed is false)))
      and not exists (select from policy_results r
                       where r.company_id = ${p.companyId} and r.learner_id = a.learner_id and r.policy_id = a.item_id
                         and r.assigned_at is not null and (r.signed is null or r.signed < r.asked_at))`,
    p,
  ),
);

export const setEnrolled = mutation<{ assignmentIds: string[]; enrolled: boolean }>(
  'campaign_set_enrolled',
  (p) => sql`
    update campaign_assignments set enrolled = ${p.enrolled}
     where company_id = ${p.companyId} and id = any(${p.assignmentIds}::uuid[])`,
);

/** Marks open assignments that are overdue, or due within seven days, and so causes events. At most twice the limit. */
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
