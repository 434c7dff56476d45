import { literal, type Sql, sql } from '../../db/sql.ts';
import { mutation, type Parameters, query } from '../../db/statement.ts';
import { IS_OPEN } from '../learners/shared/due-dates.ts';
import { audience } from './audience.ts';

/** The least number of days that a learner has who is assigned after the first ones, or returns to the audience. */
const FAIR_DAYS = 14;
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

/** Condition that the item `i` can be assigned. */
const isAssignable = (p: Parameters<object>): Sql => sql`
  i.removed_at is null
  and (exists (select from courses k where k.owner_id = i.course_owner_id and k.id = i.course_id and k.retired_at is null)
       or exists (select from policies o
                   where o.company_id = ${p.companyId} and o.id = i.policy_id and o.live_version_id is not null))`;

/** Years since the start, on the day of the learner. */
const yearsSince = sql`
  greatest(0, y.years - case when m.started_on + y.years * interval '1 year' > m.today then 1 else 0 end)::integer`;

/** The time for which what was done before counts, if the campaign repeats. */
const period = sql`
  case when m.repeats_yearly then interval '1 year' else m.repeat_months * interval '1 month' end`;

/**
 * Assigns the items to the learners in the audience who lack them: for the first time, in the next round, or again after
 * their return to the audience.
 */
export const assignItems = mutation<Evaluated>(
  'campaign_assign_items',
  (p) => sql`
    with member as (
      select c.id as campaign_id, l.id as learner_id, in_audience.condition, c.started_on, c.due_days, c.due_date,
             c.repeat_months, c.repeats_yearly, c.assigned_at is null as is_first, z.name as zone,
             (now() at time zone z.name)::date as today
        from ${asked(p)}
        join campaigns c on c.company_id = ${p.companyId} and c.id = any(${p.campaignIds}::uuid[])
         and c.status = 'running'
       cross join lateral ${audience(p)} as in_audience
       cross join lateral (select ${zoneOf(p, sql`l`)} as name) as z
       where c.includes_newcomers or c.assigned_at is null
          or exists (select from campaign_assignments a
                      where a.company_id = ${p.companyId} and a.campaign_id = c.id and a.learner_id = l.id)
    ), latest as (
      select m.*, i.item_id, i.course_id, i.policy_id, a.round as last_round, a.ended_at, coalesce(a.extended_until, a.due_on) as last_due_on,
             a.completed_at, a.waived_at, ${yearsSince} as years
        from member m
        join campaign_items i on i.company_id = ${p.companyId} and i.campaign_id = m.campaign_id and ${isAssignable(p)}
       cross join lateral (
         select extract(year from m.today)::integer - extract(year from m.started_on)::integer as years) as y
        left join lateral (
          select * from campaign_assignments n
           where n.company_id = ${p.companyId} and n.campaign_id = m.campaign_id and n.learner_id = m.learner_id
             and n.item_id = i.item_id
           order by n.round desc limit 1) as a on true
    ), due as (
      select m.*, case
               when m.last_round is null then case when m.repeats_yearly then 1 + m.years else 1 end
               when m.repeats_yearly and 1 + m.years > m.last_round then 1 + m.years
               when m.repeat_months is not null and coalesce(m.completed_at, m.waived_at) is not null
                    and (greatest(m.completed_at, m.waived_at, (${lastDone(p)})) at time zone m.zone)::date
                        + m.repeat_months * interval '1 month' <= m.today
               then m.last_round + 1
               when m.ended_at is not null then m.last_round
             end as round
        from latest m
    ), dated as (
      select m.*, case
               when m.round = m.last_round
               then greatest(m.last_due_on, m.today + least(m.due_days, ${literal(FAIR_DAYS)})::integer)
               when m.due_days is not null then m.today + m.due_days
               when m.is_first or m.last_round is not null
               then greatest(m.today, (m.due_date + m.years * interval '1 year')::date)
               else greatest(m.today + ${literal(FAIR_DAYS)}::integer, (m.due_date + m.years * interval '1 year')::date)
             end as due_on
        from due m where m.round is not null
    )
    insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, condition, due_on, due_at,
                                      results_from, signatures_from)
    select ${p.companyId}, m.campaign_id, m.item_id, m.learner_id, m.round, m.condition, m.due_on,
           (m.due_on + 1)::timestamp at time zone m.zone,
           case when m.course_id is null then null when m.last_round is not null then m.today
                else coalesce((m.today - ${period})::date, '-infinity') end,
           case when m.policy_id is null then null when m.last_round is not null then now()
                else coalesce(greatest(r.asked_at, now() - ${period}), now()) end
      from dated m
      left join policy_results r on r.company_id = ${p.companyId} and r.learner_id = m.learner_id
       and r.policy_id = m.policy_id
    on conflict (company_id, campaign_id, learner_id, item_id, round) do update
       set condition = excluded.condition, due_on = excluded.due_on, due_at = excluded.due_at, extended_until = null, ended_at = null,
           ended_because = null, due_soon_at = null, overdue_at = null
     where campaign_assignments.ended_at is not null`,
);

/** The time at which the learner last finished the course or signed the policy. */
function lastDone(p: Parameters<object>): Sql {
  return sql`
    select case when m.course_id is not null
                then (select max(t.finish_date) from (
                        select e.finish_date, e.passed from enrollments e
                         where e.company_id = ${p.companyId} and e.learner_id = m.learner_id and e.course_id = m.course_id
                        union all
                        select k.finish_date, k.passed from enrollment_attempts k
                         where k.company_id = ${p.companyId} and k.learner_id = m.learner_id and k.course_id = m.course_id
                      ) as t where t.passed is distinct from false)::timestamp at time zone m.zone
                else (select max(s.signed) from signatures s
                       where s.company_id = ${p.companyId} and s.learner_id = m.learner_id and s.policy_id = m.policy_id
                         and s.voided_at is null) end`;
}

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

/** Marks open assignments that are overdue, or due within seven days, so that events tell of them. At most twice the limit. */
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
