import { literal, type Sql, sql } from '../../db/sql.ts';
import type { Parameters } from '../../db/statement.ts';
import { isOnLeave, learnerZone } from '../../mail/messages/working-hours.ts';
import { toCompanyDay, toDayStart } from '../learners/shared/company-days.ts';
import { audience } from './audience.ts';

/**
 * Minimum number of days until the due date, for a learner who is assigned after the first ones or returns to the
 * audience.
 */
const FAIR_DAYS = 14;

/** Builds the expression for the end of a day. If clocks repeat midnight, the next day begins at the first midnight. */
export const endOfDay = (day: Sql, zone: Sql): Sql => sql`day_start(${day} + 1, ${zone})`;

/** Condition that the item `i` can be assigned. */
export const isAssignable = (p: Parameters<object>): Sql => sql`
  i.removed_at is null
  and (exists (select from courses k where k.owner_id = i.course_owner_id and k.id = i.course_id and k.retired_at is null)
       or exists (select from policies o
                   where o.company_id = ${p.companyId} and o.id = i.policy_id and o.live_version_id is not null))`;

/** Years since the start of the campaign, by the calendar in the learner's time zone. */
const yearsSince = sql`
  greatest(0, y.years - case when m.started_on + y.years * interval '1 year' > m.today then 1 else 0 end)::integer`;

/**
 * Condition that an anniversary has passed since the assignment of the last round. In a campaign that was yearly from
 * its start, the number of the round shows this. Otherwise, the day of the assignment decides, which a change to the
 * learner's time zone can move by two days.
 */
const isNewYear = sql`
  m.repeats_yearly and m.assigned_on < m.started_on + m.years * interval '1 year'
  and (m.years >= m.last_round or m.assigned_on + 2 < m.started_on + m.years * interval '1 year')`;

/**
 * Day of the learner's last completion or waiver. `periodEnd` is the day on which the months until the next round have
 * passed.
 */
const doneOn = sql`(greatest(m.completed_at, m.waived_at, m.done_at) at time zone m.zone)::date`;
const periodEnd = sql`(${doneOn} + m.repeat_months * interval '1 month')::date`;

/** The day on which an item is assigned again after the last completion. */
export const REPEATED_ON = sql`
  ${periodEnd} - case when m.repeats_before_expiry then least(m.due_days, (${periodEnd} - ${doneOn}) / 2) else 0 end`;

/**
 * Condition that the campaign repeats after the learner's completion of the last round, and that the next round has
 * begun.
 */
const isRepeated = sql`
  m.repeat_months is not null
  and (coalesce(m.completed_at, m.waived_at) is not null or m.done_at >= m.counts_from)
  and ${REPEATED_ON} <= m.today`;

/** Interval for which an earlier completion counts, if the campaign repeats. */
const period = sql`
  case when m.repeats_yearly then interval '1 year' else m.repeat_months * interval '1 month' end`;

/**
 * Earliest day on which a completion still counts, if the campaign repeats or the course is valid for only some months.
 */
const firstDayWithin = sql`(
  select d.day + case when d.day + d.months < m.company_day then 1 else 0 end
    from (select (m.company_day - v.months)::date as day, v.months
            from (select least(${period}, (
                    select make_interval(months => k.valid_for_months) from courses k
                     where k.owner_id = m.course_owner_id and k.id = m.course_id)) as months) as v) as d)`;

/** Time of the evaluation, and the day on which the campaign `c` starts. */
interface Moment {
  now: Sql;
  startedOn: Sql;
}

/**
 * Condition that the learner `l` lacks an assignment in the campaign `c`, as `expectedAssignments` selects them.
 * @param audienceOf subquery that has a row with the column `condition` if the learner is in the audience
 */
export const lacksAssignment = (p: Parameters<object>, moment: Moment, audienceOf: Sql): Sql => sql`(
  select m.learner_id
    from (select m.*, case when m.repeat_months is not null then (${lastDone(p)}) end as done_at
            from (${latest(p, moment, audienceOf)} offset 0) as m
          offset 0) as m
   where m.last_round is null or m.ended_at is not null or ${isNewYear} or (${isRepeated})
   limit 1) is not null`;

/**
 * Builds a lateral subquery with the assignments that the learner `l` lacks in the campaign `c`: for the first time, in
 * the next round, or again after a return to the audience. The evaluation inserts them, and a preview lists them.
 */
export const expectedAssignments = (p: Parameters<object>, { now, startedOn }: Moment): Sql => sql`(
  select m.*, ${endOfDay(sql`m.last_day`, sql`m.zone`)} as due_at,
         case when m.round > m.last_round
              then case when m.repeats_yearly then 'yearly' when m.repeats_before_expiry then 'beforeExpiry'
                        else 'afterCompletion' end end as repeated_because,
         case when m.course_id is null then null
              when m.last_round is not null and m.repeats_yearly
              then (m.started_on + m.years * interval '1 year')::date
              when m.last_round is not null then m.company_day
              else coalesce(${firstDayWithin}, '-infinity') end as results_from,
         case when m.policy_id is null then null when m.last_round is not null then m.now
              else coalesce(greatest(r.asked_at, m.now - ${period}), m.now) end as signatures_from
    from (${dated(p, { now, startedOn })} offset 0) as m
    left join lateral (
      select * from policy_results
       where company_id = ${p.companyId} and learner_id = m.learner_id and policy_id = m.policy_id offset 0) as r on true)`;

// The offsets keep Postgres from copying the expressions of one step into each use in the next step. Without them,
// planning the evaluation took 150 ms on two busy cores (2026-11-29).

/**
 * Builds the assignments with their due dates. If a learner returns, an extension beyond the due date is kept. A leave
 * can lead to a later due date.
 */
const dated = (p: Parameters<object>, moment: Moment): Sql => sql`
  select m.*, greatest(coalesce(m.extended_until, m.due_on), m.leave_due_on) as last_day
    from (
      select m.*, case when m.round = m.last_round and m.last_extended_until > m.due_on then m.last_extended_until end
                  as extended_until
        from (${withDueDates(p, moment)} offset 0) as m) as m`;

const withDueDates = (p: Parameters<object>, moment: Moment): Sql => sql`
  select m.*, case
           when m.round = m.last_round
           then greatest(m.last_due_on, m.today + least(m.due_days, ${literal(FAIR_DAYS)})::integer)
           when m.due_days is not null then m.today + m.due_days
           when m.is_first or m.last_round is not null
           then greatest(m.today, (m.due_date + m.years * interval '1 year')::date)
           else greatest(m.today + ${literal(FAIR_DAYS)}::integer, (m.due_date + m.years * interval '1 year')::date)
         end as due_on,
         case
           when m.round = m.last_round then 'return'
           when m.due_days is not null then 'days'
           when m.is_first or m.last_round is not null
                or m.due_date + m.years * interval '1 year' >= m.today + ${literal(FAIR_DAYS)}::integer
           then 'date'
           else 'newcomer'
         end as due_because,
         due_after_leave(m.absent_until, m.today, m.due_days) as leave_due_on
    from (
      select m.*, case
               when m.last_round is null then case when m.repeats_yearly then 1 + m.years else 1 end
               when ${isNewYear} then greatest(m.last_round, m.years) + 1
               when ${isRepeated} then m.last_round + 1
               when m.ended_at is not null then m.last_round
             end as round
        from (select m.*, (${lastDone(p)}) as done_at from (${latest(p, moment)} offset 0) as m) as m
       offset 0) as m
   where m.round is not null`;

/** Builds a subquery with the items of the campaign, each with the learner's latest round. */
const latest = (p: Parameters<object>, { now, startedOn }: Moment, audienceOf = audience(p)): Sql => sql`
  select m.*, i.item_id, i.course_owner_id, i.course_id, i.policy_id, a.round as last_round, a.ended_at,
         a.due_on as last_due_on, a.extended_until as last_extended_until, a.completed_at, a.waived_at,
         (a.assigned_at at time zone m.zone)::date as assigned_on,
         coalesce(${toDayStart(p, sql`a.results_from`)}, a.signatures_from) as counts_from,
         case when m.repeats_yearly then ${yearsSince} else 0 end as years,
         case when m.repeats_before_expiry
              then (select k.valid_for_months from courses k
                     where k.owner_id = i.course_owner_id and k.id = i.course_id)
              else m.campaign_months end as repeat_months
    from (
      select c.id as campaign_id, l.id as learner_id, in_audience.condition, n.started_on, c.due_days, c.due_date,
             c.repeat_months as campaign_months, c.repeats_yearly, c.repeats_before_expiry, c.assigned_at is null as is_first, z.name as zone, n.now,
             (n.now at time zone z.name)::date as today, case when ${isOnLeave(sql`n.now`, sql`z.name`)} then l.absent_until end as absent_until, ${toCompanyDay(p, sql`n.now`)} as company_day
        from ${audienceOf} as in_audience
       cross join lateral (select ${learnerZone(p)} as name) as z
       cross join lateral (select ${now} as now, ${startedOn} as started_on) as n
       where c.includes_newcomers or c.assigned_at is null
          or exists (select from ${ofLearner(p, sql`l.id`)} as a where a.campaign_id = c.id)) as m
    join campaign_items i on i.company_id = ${p.companyId} and i.campaign_id = m.campaign_id and ${isAssignable(p)}
   cross join lateral (
     select extract(year from m.today)::integer - extract(year from m.started_on)::integer as years) as y
    left join lateral (
      select * from ${ofLearner(p, sql`m.learner_id`)} as n where n.campaign_id = m.campaign_id and n.item_id = i.item_id
       order by n.round desc limit 1) as a on true`;

// The `order by` makes Postgres look up the assignments by learner. Otherwise, if its statistics are older than most of
// the assignments, Postgres would read all assignments of the company for each learner.
export const ofLearner = (p: Parameters<object>, learnerId: Sql): Sql => sql`(
  select * from campaign_assignments where company_id = ${p.companyId} and learner_id = ${learnerId}
   order by item_id offset 0)`;

/** Time at which the learner last finished the course or signed the policy. */
const lastDone = (p: Parameters<object>): Sql => sql`
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
