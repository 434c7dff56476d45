import { change, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { type RiskFacts, type RiskFactor, SEVERITIES } from './risk-rules.ts';

export interface RiskHistoryRow {
  date: string;
  average_score: number;
  low_count: number;
  moderate_count: number;
  high_count: number;
  critical_count: number;
}

const history = statement<{ fromDate: string; toDate: string }, RiskHistoryRow>('risk_history', (sql, param) =>
  sql('risk_history')
    .select('date', 'average_score', 'low_count', 'moderate_count', 'high_count', 'critical_count')
    .where('company_id', param('companyId'))
    .whereBetween('date', [param('fromDate'), param('toDate')])
    .orderBy('date'),
);

/** The recorded days from one to another, both included, oldest first. */
export function listRiskHistory(tenant: TenantReader, fromDate: string, toDate: string): Rows<RiskHistoryRow> {
  return tenant.rows(history, { fromDate, toDate });
}

const lastDay = statement<object, { date: string | null }>('risk_last_day', (sql, param) =>
  sql('risk_history').where('company_id', param('companyId')).max('date as date'),
);

/** The last recorded day, or null. */
export async function findLastRiskDay(tenant: TenantReader): Promise<string | null> {
  return (await tenant.find(lastDay, {}))!.date;
}

const factors = statement<object, Record<RiskFactor, boolean>>('risk_factors', (sql, param) =>
  sql('companies')
    .select('id', { simulations: 'smphish', courses: 'smlearn', policies: 'smpolicy', breaches: 'smbreachproenabled' })
    .where('id', param('companyId')),
);

/** What the company's modules let a score be made of. */
export async function findRiskFactors(tenant: TenantReader): Promise<RiskFactor[]> {
  const enabled = (await tenant.find(factors, {}))!;
  return (Object.keys(SEVERITIES) as RiskFactor[]).filter((factor) => enabled[factor]);
}

export interface RiskFactsRow extends RiskFacts {
  learner_id: string;
}

interface FactsPage {
  day: string;
  afterId: string;
  limit: number;
}

/** One row with how often each outcome of a factor stands in a query with a column `outcome`. */
function countOutcomes(factor: RiskFactor, query: string): string {
  const counts = Object.keys(SEVERITIES[factor]).map(
    (name) => `'${name}', count(*) filter (where outcome = '${name}')`,
  );
  return `lateral (select json_build_object(${counts.join(', ')}) as outcomes from (${query}) as q) as ${factor}`;
}

const facts = statement<FactsPage, RiskFactsRow>('risk_facts', (sql, param) =>
  sql.raw(
    `with at as (
       select ?::date as day, (?::date + 1)::timestamp at time zone 'utc' as day_end
     ), page as (
       select l.id, l.email_key, split_part(l.email_key, '@', 2) as domain from learners l, at
        where l.company_id = ? and l.id > ? and not l.inactive and l.created_at < at.day_end
        order by l.id limit ?
     )
     select page.id as learner_id, simulations.outcomes as simulations, courses.outcomes as courses,
            policies.outcomes as policies, breaches.outcomes as breaches
       from page cross join at
      cross join ${countOutcomes(
        'simulations',
        `select case when r.compromised_at < at.day_end then 'compromised' when r.visited_at < at.day_end then 'visited'
                     when r.reported_at < at.day_end then 'reported' when r.opened_at < at.day_end then 'opened'
                     else 'ignored' end as outcome
           from simulation_recipients r
          where r.company_id = ? and r.learner_id = page.id
            and r.sent_at < at.day_end and r.sent_at >= at.day_end - interval '1 year'`,
      )}
      cross join ${countOutcomes(
        'courses',
        `select case when e.finish_date <= at.day and e.passed then 'passed' when e.finish_date <= at.day then 'failed'
                     when e.enroll_date >= at.day - 30 then 'open' else 'overdue' end as outcome
           from enrollments e
          where e.company_id = ? and e.learner_id = page.id and e.enroll_date <= at.day
            and (e.finish_date is null or e.finish_date > at.day - 365)`,
      )}
      cross join ${countOutcomes(
        'policies',
        `select case when r.signed >= r.asked_at and r.signed < at.day_end then 'signed'
                     when r.asked_at >= at.day_end - interval '14 days' then 'open' else 'overdue' end as outcome
           from policy_results r
          where r.company_id = ? and r.learner_id = page.id and r.asked_at < at.day_end`,
      )}
      cross join ${countOutcomes(
        'breaches',
        `select case when 'Passwords' = any(b.data_classes) then 'password' else 'address' end as outcome
           from breached_accounts a join breaches b on b.id = a.breach_id
          where a.domain = page.domain and a.email = page.email_key`,
      )}
      order by page.id`,
    [
      ...[param('day'), param('day'), param('companyId'), param('afterId'), param('limit')],
      ...[param('companyId'), param('companyId'), param('companyId')],
    ],
  ),
);

/** The facts about active learners as they were at the end of a day (UTC), by id, from the one after `afterId`. */
export function readRiskFacts(tenant: TenantReader, page: FactsPage): Promise<RiskFactsRow[]> {
  return tenant.all(facts, page);
}

const store = change<{ learnerIds: string[]; scores: number[] }, object>('risk_store_scores', (sql, param) =>
  sql.raw(
    `with changed as (
       select l.id, s.score from learners l
         join unnest(?::uuid[], ?::smallint[]) as s (id, score) on s.id = l.id
        where l.company_id = ? and l.risk_score <> s.score
        order by l.id for no key update of l
     )
     update learners l set risk_score = changed.score from changed where l.company_id = ? and l.id = changed.id`,
    [param('learnerIds'), param('scores'), param('companyId'), param('companyId')],
  ),
);

export async function storeRiskScores(tenant: TenantWriter, learnerIds: string[], scores: number[]): Promise<void> {
  await tenant.run(store, { learnerIds, scores });
}

const record = change<RiskHistoryRow, object>('risk_record_day', (sql, param) =>
  sql('risk_history')
    .insert({
      company_id: param('companyId'),
      date: param('date'),
      average_score: param('average_score'),
      low_count: param('low_count'),
      moderate_count: param('moderate_count'),
      high_count: param('high_count'),
      critical_count: param('critical_count'),
    })
    .onConflict(['company_id', 'date'])
    .ignore(),
);

/** Records a day, unless it is recorded already. */
export async function recordRiskDay(tenant: TenantWriter, day: RiskHistoryRow): Promise<void> {
  await tenant.run(record, day);
}
