// Simulations and their recipients as of a past day (src/resources/learners/shared/past.ts).
//
// - A recipient existed on a day if the service had recorded the recipient by then, or if the message had been sent by
//   then and was recorded later. A simulation is shown with the name, status and dates that had been recorded by then;
//   otherwise with the first ones recorded.
// - Like attempts, milestones have dates and corrections. The milestones shown come from the last version before the
//   end of `knownAt`, without anything that happened after `asOf`. A milestone is the first occurrence of a step, so
//   the events that it hides happened later.
// - A failure is recorded once, with `failed_at`, so versions do not contain the reason.
// - The last version before the end of `knownAt` also has the planned time, and the withdrawal of a milestone with its
//   reason.
// - Deleted learners stay in counts as former recipients. If the message had not been sent when the learner was
//   deleted, the recipient does not count, unless the simulation was over.
//
// The triggers of migration create_simulation_versions keep the versions. They keep no version if a milestone is first
// recorded within the quarter of an hour in which it happened: no day ends in between, so every day that ends before
// the recording also ends before the milestone.
import { identifier, list, type Sql, sql } from '../../db/sql.ts';
import type { Parameters } from '../../db/statement.ts';
import { type Past, versionInForce } from '../learners/shared/past.ts';

const MILESTONES = ['sent_at', 'opened_at', 'visited_at', 'compromised_at', 'reported_at'];
const TIMES = [...MILESTONES, 'failed_at'];
const PLANNED_AND_WITHDRAWN = ['scheduled_at', 'withdrawn_at', 'withdrawn_because'];

const listColumns = (columns: readonly string[], build: (column: Sql) => Sql): Sql =>
  list(columns.map((column) => sql`${build(identifier(column))} as ${identifier(column)}`));

/** Columns of recipients `o` whose versions `v`, if any, were in force at the end of `knownAt`. */
const knownColumns = (columns: readonly string[]): Sql =>
  listColumns(columns, (column) => sql`case when v.superseded_at is null then o.${column} else v.${column} end`);

/** Columns with the times of known recipients `k`, up to the end of the day. */
const timesOfDay = (p: Parameters<Past>, times: readonly string[]): Sql =>
  listColumns(times, (time) => sql`case when k.${time} < ${p.asOfEnd}::timestamptz then k.${time} end`);

/** Condition that a known recipient `k` existed at the end of the day. */
const existed = (p: Parameters<Past>): Sql => sql`
  k.created_at < ${p.knownUntil}::timestamptz
  and (k.created_at < ${p.asOfEnd}::timestamptz or k.sent_at < ${p.asOfEnd}::timestamptz)`;

/**
 * Source of recipients as of the day, with the columns of `simulation_recipients` that responses show. Looks up each
 * recipient's version separately.
 * @param isWanted condition on the recipient's row `o`
 */
export const pastRecipients = (p: Parameters<Past>, isWanted: Sql): Sql => sql`
  (select k.id, k.simulation_id, k.learner_id, k.template_id, ${timesOfDay(p, TIMES)}, k.scheduled_at, k.withdrawn_at,
          k.withdrawn_because, k.failure
     from (
       select o.id, o.simulation_id, o.learner_id, o.template_id, o.created_at, o.failure,
              ${knownColumns([...TIMES, ...PLANNED_AND_WITHDRAWN])}
         from simulation_recipients o
         left join lateral (
           select * from simulation_recipient_versions v
            where v.company_id = ${p.companyId} and v.learner_id = o.learner_id and v.simulation_id = o.simulation_id
              and v.superseded_at >= ${p.knownUntil}::timestamptz
            order by v.superseded_at limit 1) as v on true
        where o.company_id = ${p.companyId} and ${isWanted}) as k
    where ${existed(p)})`;

/** Selects the milestones of all recipients in a table as of the day, in one pass over the table and its versions. */
const selectMilestones = (p: Parameters<Past>, table: Sql, versions: Sql, key: Sql): Sql => sql`
  select k.simulation_id, k.${key}, ${timesOfDay(p, MILESTONES)}
    from (
      select o.simulation_id, o.${key}, o.created_at, ${knownColumns(MILESTONES)}
        from ${table} o
        left join (
          select distinct on (v.${key}, v.simulation_id) * from ${versions} v
           where v.company_id = ${p.companyId} and v.superseded_at >= ${p.knownUntil}::timestamptz
           order by v.${key}, v.simulation_id, v.superseded_at) as v
          on v.simulation_id = o.simulation_id and v.${key} = o.${key}
       where o.company_id = ${p.companyId}) as k
   where ${existed(p)}`;

/** Selects the milestones of all recipients as of the day, with `learner_id`. */
export const selectPastMilestones = (p: Parameters<Past>): Sql =>
  selectMilestones(p, sql`simulation_recipients`, sql`simulation_recipient_versions`, sql`learner_id`);

/** Source of the milestones of all recipients as of the day, including former recipients. */
export const everyPastRecipient = (p: Parameters<Past>): Sql => sql`
  (${selectPastMilestones(p)}
   union all
   ${selectMilestones(p, sql`former_recipients`, sql`former_recipient_versions`, sql`id`)})`;

const SIMULATION = sql`name, status, delivery_method, start_date, end_date`;

/** Source of simulations as of the day. @param isWanted condition on the simulation's row `o` */
export function pastSimulations(p: Parameters<Past>, isWanted: Sql): Sql {
  const versions = sql`from simulation_versions v where v.company_id = ${p.companyId} and v.simulation_id = o.id`;
  const own = sql`o.name, o.status, o.delivery_method, o.start_date, o.end_date`;
  return sql`
    (select o.id, o.external_id, o.created_at, o.campaign_id, version.*
       from simulations o cross join lateral ${versionInForce(p, SIMULATION, versions, own)} as version
      where o.company_id = ${p.companyId} and ${isWanted} and o.created_at < ${p.knownUntil}::timestamptz)`;
}
