import type { Schemas } from '../../contract/contract.ts';
import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import { list, literal, type Sql, sql } from '../../db/sql.ts';
import { aggregate, mutation, pointQuery, pagedQuery, type Parameters } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { type RiskFacts, type RiskFactor, SEVERITIES } from './risk-rules.ts';

/** A day of the history, without the risk level of its average score. */
export type RiskHistoryRow = Omit<Schemas['RiskScoreHistoryRow'], 'level'>;

interface HistoryFilter {
  fromDate: string;
  toDate: string;
  /** Minimum number of active learners for a day to be listed. */
  minGroupSize: number;
}

/** Lists the recorded days between two dates, inclusive, oldest first. */
export const listRiskHistory = pagedQuery<HistoryFilter, RiskHistoryRow>(
  'risk_history',
  { date: 'date' },
  (p) => sql`
    select date, average_score as "averageScore",
           low_count + moderate_count + high_count + critical_count as "learnerCount",
           low_count as "lowCount", moderate_count as "moderateCount", high_count as "highCount",
           critical_count as "criticalCount"
      from risk_history
     where company_id = ${p.companyId} and date between ${p.fromDate} and ${p.toDate}
       and low_count + moderate_count + high_count + critical_count >= ${p.minGroupSize}::integer`,
);

/** Returns the last recorded day; null if there is none. */
export const lastRiskDay = pointQuery<object, { date: string | null }>('risk_last_day', (p, knex) =>
  knex('risk_history').where({ company_id: p.companyId }).max('date as date'),
);

const factors = pointQuery<object, { id: string } & Record<RiskFactor, boolean>>(
  'risk_factors',
  (p) => sql`
    select id, smphish as simulations, smlearn as courses, smpolicy as policies, smbreachproenabled as breaches
      from companies where id = ${p.companyId}`,
);

/** Returns the risk factors that belong to the company's modules. */
export async function findRiskFactors(tenant: TenantReader): Promise<RiskFactor[]> {
  const enabled = (await tenant.queryOne(factors, {}))!;
  return (Object.keys(SEVERITIES) as RiskFactor[]).filter((factor) => enabled[factor]);
}

export interface RiskFactsRow extends RiskFacts {
  learnerId: string;
}

interface FactsPage {
  day: string;
  afterId: string;
  limit: number;
}

/** Counts each value of the column `outcome` for a factor. */
function selectCounts(factor: RiskFactor): Sql {
  const counts = Object.keys(SEVERITIES[factor])
    .map(literal)
    .map((outcome) => sql`${outcome}, count(*) filter (where outcome = ${outcome})`);
  return sql`json_build_object(${list(counts)})`;
}

/** Builds the outcome of a finished course, which is `completed` if the course has no grade. */
const selectOutcome = (passed: Sql): Sql =>
  sql`case ${passed} when true then 'passed' when false then 'failed' else 'completed' end`;

/**
 * Builds the outcome of a repeated course, for an enrolment `e`. An attempt counts from its enrolment. While the
 * attempt is open, the last result of the past year continues to count, until the attempt is overdue. An open attempt
 * in a retired course does not count. The outcome is null if nothing counts.
 */
const repeatedOutcome = (p: Parameters<FactsPage>): Sql => sql`(
  with attempts as (
    select e.attempt, e.enroll_date, e.finish_date, e.passed where e.enroll_date <= at.day
    union all
    select a.attempt, a.enroll_date, a.finish_date, a.passed from enrollment_attempts a
     where a.company_id = ${p.companyId} and a.learner_id = page.id and a.course_id = e.course_id
       and a.attempt < e.attempt and a.enroll_date <= at.day
  ), newest as (
    select *, finish_date <= at.day as is_finished from attempts order by attempt desc limit 1
  ), result as (
    select passed, true as is_known from attempts where finish_date <= at.day and finish_date > at.day - 365
     order by attempt desc limit 1
  )
  select case when n.is_finished or e.course_id = any(at.retired) or (n.enroll_date >= at.day - 30 and r.is_known)
                then case when r.is_known then ${selectOutcome(sql`r.passed`)} end
              when n.enroll_date >= at.day - 30 then 'open' else 'overdue' end
    from newest n left join result r on true)`;

/** Selects the facts about active learners at the end of a day (UTC), ordered by id, starting after `afterId`. */
export const riskFacts = aggregate<FactsPage, RiskFactsRow>(
  'risk_facts',
  (p) => sql`
    with at as (
      select day, day_end, array(
               select id from courses
                where owner_id in (managed_catalogue(), ${p.companyId}) and retired_at < day_end) as retired
        from (select ${p.day}::date as day, (${p.day}::date + 1)::timestamp at time zone 'utc' as day_end) as t
    ), page as (
      select l.id, l.email_key, split_part(l.email_key, '@', 2) as domain from learners l, at
       where l.company_id = ${p.companyId} and l.id > ${p.afterId} and not l.inactive and l.created_at < at.day_end
       order by l.id limit ${p.limit}
    )
    select page.id as "learnerId", simulations.counts as simulations, courses.counts as courses,
           policies.counts as policies, breaches.counts as breaches
      from page cross join at
     cross join lateral (select ${selectCounts('simulations')} as counts from (
       select case when r.compromised_at < at.day_end then 'compromised' when r.visited_at < at.day_end then 'visited'
                   when r.reported_at < at.day_end then 'reported' else 'ignored' end as outcome
         from simulation_recipients r
        where r.company_id = ${p.companyId} and r.learner_id = page.id
          and r.sent_at < at.day_end and r.sent_at >= at.day_end - interval '1 year') as q) as simulations
     cross join lateral (select ${selectCounts('courses')} as counts from (
       select case when e.finish_date <= at.day then ${selectOutcome(sql`e.passed`)}
                   when e.enroll_date >= at.day - 30 then 'open' else 'overdue' end as outcome
         from enrollments e
        where e.company_id = ${p.companyId} and e.learner_id = page.id and e.enroll_date <= at.day and e.attempt = 1
          and (e.finish_date is null or e.finish_date > at.day - 365)
          and (e.finish_date <= at.day or e.course_id <> all(at.retired))
       union all
       select ${repeatedOutcome(p)} from enrollments e
        where e.company_id = ${p.companyId} and e.learner_id = page.id and e.attempt > 1) as q) as courses
     cross join lateral (select ${selectCounts('policies')} as counts from (
       select case when ${SIGNED_IN_FORCE} and r.signed < at.day_end then 'signed'
                   when r.asked_at >= at.day_end - interval '14 days' then 'open' else 'overdue' end as outcome
         from policy_results r
        where r.company_id = ${p.companyId} and r.learner_id = page.id and r.asked_at < at.day_end) as q) as policies
     cross join lateral (select ${selectCounts('breaches')} as counts from (
       select case when 'Passwords' = any(b.data_classes) then 'password' else 'address' end as outcome
         from breached_accounts a join breaches b on b.id = a.breach_id
        where a.domain = page.domain and a.email = page.email_key) as q) as breaches
     order by page.id`,
);

export const storeRiskScores = mutation<{ learnerIds: string[]; scores: number[] }>(
  'risk_store_scores',
  (p) => sql`
    with changed as (
      select l.id, s.score from learners l
        join unnest(${p.learnerIds}::uuid[], ${p.scores}::smallint[]) as s (id, score) on s.id = l.id
       where l.company_id = ${p.companyId} and l.risk_score <> s.score
       order by l.id for no key update of l
    )
    update learners l set risk_score = changed.score from changed
     where l.company_id = ${p.companyId} and l.id = changed.id`,
);

/** Records a day, unless it has already been recorded. */
export const recordRiskDay = mutation<Omit<RiskHistoryRow, 'learnerCount'>>('risk_record_day', (p, knex) =>
  knex('risk_history')
    .insert({
      company_id: p.companyId,
      date: p.date,
      average_score: p.averageScore,
      low_count: p.lowCount,
      moderate_count: p.moderateCount,
      high_count: p.highCount,
      critical_count: p.criticalCount,
    })
    .onConflict(['company_id', 'date'])
    .ignore(),
);
