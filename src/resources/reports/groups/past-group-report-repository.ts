import { SIGNED_IN_FORCE } from '../../../db/expressions.ts';
import { BY_ID } from '../../../db/keyset.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { aggregate, figures, pagedQuery, type Parameters } from '../../../db/statement.ts';
import { countedPastAttempts } from '../../courses/results/past-attempts.ts';
import { ANY_ATTEMPT, type ReportedAttempts } from '../../courses/results/reported-attempts.ts';
import {
  type Past,
  PAST_SAMPLES,
  pastActiveMembers,
  pastGroups,
  rowsOfLearners,
  rowsOfCompany,
  type RowsIn,
  selectPastActive,
  selectPastMembers,
} from '../../learners/shared/past.ts';
import { countedPastPolicyResults } from '../../policies/past-policy-results.ts';
import { pastRecipients, pastSimulations, selectPastMilestones } from '../../simulations/past-recipients.ts';
import { selectRestCounts } from '../../risk/rest-counts.ts';
import type { CountedFigures } from './group-report-rules.ts';
import {
  type CountedSimulation,
  type CountedSimulations,
  NO_SIMULATIONS,
  selectCountsOfGroup,
  SENT_COUNTS,
  type SimulationCounts,
  type SimulationFilter,
} from './group-simulation-repository.ts';

type PastFigures = Past & ReportedAttempts;

/** Parameters that select the newest attempts. */
export const NEWEST = { attempts: 'latest', from: null, to: null } as const satisfies ReportedAttempts;

/**
 * Selects the figures of the active learners of a day, as `group-report-repository.ts` does for today. A day's score is
 * shown after the following night, so the score of the previous day was in force at the end of the day. The score is 0
 * until the first night, and unknown if the company has no scores.
 * @param ids query that selects the ids of the learners
 * @param rowsIn builds the sources of the learners' facts; can read the ids from the table `active`
 */
const selectPastFigures = (p: Parameters<PastFigures>, ids: Sql, rowsIn: RowsIn): Sql => sql`
  (with active as materialized (${ids})
   select people.*, training.*, policies.*
     from (select count(*)::integer as "learnerCount", round(avg(score.score), 1) as "averageRiskScore"
             from active
             left join lateral (
               select coalesce((
                 select r.score from learner_risks r
                  where r.company_id = ${p.companyId} and r.learner_id = active.id and r.date < ${p.asOf}::date
                  order by r.date desc limit 1), 0) as score) as score
               on exists (select from learner_risks r where r.company_id = ${p.companyId} and r.date < ${p.asOf}::date)
           ) as people
    cross join (
      select count(*)::integer as "enrollmentCount", count(e.start_date)::integer as "startedCount",
             count(e.finish_date)::integer as "finishedCount",
             (count(*) filter (where e.passed))::integer as "passedCount"
        from ${countedPastAttempts(p, rowsIn, IS_TRAINING)} as e) as training
    cross join (
      select count(*)::integer as "assignedCount", (count(*) filter (where ${SIGNED_IN_FORCE}))::integer as "signedCount"
        from ${countedPastPolicyResults(p, rowsIn)} as r where r.assigned_at is not null) as policies)`;

const IS_TRAINING = sql`course_id = any(array(select id from courses where type = 'training'))`;

/** Selects the rows of active learners. `in (…) is true` keeps Postgres from comparing each row with each learner. */
const rowsOfEveryActive =
  (p: Parameters<object>): RowsIn =>
  (table) =>
    sql`(select * from ${rowsOfCompany(p)(table)} as t where (t.learner_id in (select id from active)) is true)`;

export const pastCompanyFigures = figures<PastFigures, CountedFigures>(
  'report_past_company_figures',
  (p) => sql`
    select k.id, k.name, figures.*
      from companies k cross join ${selectPastFigures(p, selectPastActive(p), rowsOfEveryActive(p))} as figures
     where k.id = ${p.companyId}`,
  { ...ANY_ATTEMPT, ...PAST_SAMPLES },
);

/** Lists simulations with their counts, like `listCountedSimulations` does for today. */
export const listPastCountedSimulations = aggregate<SimulationFilter & Past, CountedSimulation>(
  'report_past_counted_simulations',
  (p) => sql`
    with active as (${selectPastActive(p)})
    select ${SENT_COUNTS}
      from ${pastSimulations(p, sql`true`)} as s
      join (${selectPastMilestones(p)}) as r on r.simulation_id = s.id and r.sent_at is not null
      join active on active.id = r.learner_id
     where s.start_date >= ${p.periodStart}::timestamptz and s.start_date < ${p.periodEnd}::timestamptz
     group by s.id having count(*) >= ${p.minGroupSize}::integer`,
  PAST_SAMPLES,
);

/** Selects the counts of the members of a group on the day. */
function selectPastCounts(p: Parameters<Past & CountedSimulations>, groupId: Sql): Sql {
  const isOfMember = sql`
    o.simulation_id = whole.simulation_id
    and o.learner_id = any(array(select member.id from ${pastActiveMembers(p, groupId)} as member))`;
  return selectCountsOfGroup(p, sql`from ${pastRecipients(p, isOfMember)} as r where r.sent_at is not null`);
}

export const listPastGroupFigures = pagedQuery<PastFigures & CountedSimulations, CountedFigures & SimulationCounts>(
  'report_past_group_figures',
  BY_ID,
  (p, continued) => sql`
    select g.id, g.name, figures.*, simulations.*
      from (select g.id, g.name from ${pastGroups(p)} as g where ${continued(sql`g.id`)} order by g.id offset 0) as g
     cross join lateral ${selectPastFigures(p, sql`select id from ${pastActiveMembers(p, sql`g.id`)} as member`, rowsOfLearners(p, sql`select id as learner_id from active`))} as figures
     cross join lateral ${selectPastCounts(p, sql`g.id`)} as simulations`,
  { ...ANY_ATTEMPT, ...PAST_SAMPLES, ...NO_SIMULATIONS },
);

/** Finds the groups that the company, or a group that contains them, exceeded by few learners on the day. */
export const pastGroupsWithFewOthers = aggregate<Past & { minGroupSize: number }, { groupIds: string[] }>(
  'report_past_groups_with_few_others',
  (p) => sql`
    with active as (${selectPastActive(p)}), members as (${selectPastMembers(p)})
    select coalesce(array_agg(rest.group_id), '{}') as "groupIds"
      from ${selectRestCounts(sql`(select count(*) from active)`)} as rest
     where rest.rest_count < ${p.minGroupSize}::integer`,
  PAST_SAMPLES,
);
