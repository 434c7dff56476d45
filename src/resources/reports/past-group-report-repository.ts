import { SIGNED_IN_FORCE } from '../../db/expressions.ts';
import { BY_ID } from '../../db/keyset.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { aggregate, pagedQuery, type Parameters } from '../../db/statement.ts';
import { pastAttempts } from '../courses/results/past-attempts.ts';
import { ANY_ATTEMPT, type ReportedAttempts } from '../courses/results/reported-attempts.ts';
import {
  type Past,
  PAST_SAMPLES,
  pastActiveMembers,
  pastGroups,
  selectPastActive,
  selectPastMembers,
} from '../learners/shared/past.ts';
import { pastPolicyResult, policyIdsOfLearner, wasPublished } from '../policies/past-policy-results.ts';
import { pastRecipients, pastSimulations, selectPastMilestones } from '../simulations/past-recipients.ts';
import { selectRestCounts } from '../risk/rest-counts.ts';
import { FIGURES } from './group-report-repository.ts';
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
 * Selects the figures of the active learners of a day, as `group-report-repository.ts` does for today. The score of a day
 * is shown from the next night on, so the score of the previous day was in force at the end of the day. It is 0 until the
 * first night, and unknown if the company has none.
 */
const selectPastFigures = (p: Parameters<PastFigures>, active: Sql): Sql => sql`
  (select ${FIGURES}
     from (
       select active.id, training.*, policies.*,
              case when exists (select from learner_risks r where r.company_id = ${p.companyId} and r.date < ${p.asOf}::date)
                   then coalesce((
                     select r.score from learner_risks r
                      where r.company_id = ${p.companyId} and r.learner_id = active.id and r.date < ${p.asOf}::date
                      order by r.date desc limit 1), 0) end as risk_score
         from ${active} as active
        cross join lateral (
          select count(*) as enrolled, count(e.start_date) as started, count(e.finish_date) as finished,
                 count(*) filter (where e.passed) as passed
            from ${pastAttempts(p, sql`active.id`)} as e
           where e.course_id = any(array(select id from courses where type = 'training'))) as training
        cross join lateral (
          select count(r.assigned_at) as assigned, count(*) filter (where r.assigned_at is not null and ${SIGNED_IN_FORCE}) as signed
            from (select active.id) as l
           cross join lateral ${policyIdsOfLearner(p)} as own
           cross join lateral ${pastPolicyResult(p, sql`own.policy_id`)} as r
           where ${wasPublished(p, sql`own.policy_id`)}) as policies) as l)`;

export const pastCompanyFigures = aggregate<PastFigures, CountedFigures>(
  'report_past_company_figures',
  (p) => sql`
    select k.id, k.name, figures.*
      from companies k cross join lateral ${selectPastFigures(p, sql`(${selectPastActive(p)})`)} as figures
     where k.id = ${p.companyId}`,
  { ...ANY_ATTEMPT, ...PAST_SAMPLES },
);

/** Simulations with their counts, as `listCountedSimulations` selects them for today. */
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
     cross join lateral ${selectPastFigures(p, pastActiveMembers(p, sql`g.id`))} as figures
     cross join lateral ${selectPastCounts(p, sql`g.id`)} as simulations`,
  { ...ANY_ATTEMPT, ...PAST_SAMPLES, ...NO_SIMULATIONS },
);

/** Finds the groups of a day for which the company or a group that contains them has few learners more. */
export const pastGroupsWithFewOthers = aggregate<Past & { minGroupSize: number }, { groupIds: string[] }>(
  'report_past_groups_with_few_others',
  (p) => sql`
    with active as (${selectPastActive(p)}), members as (${selectPastMembers(p)})
    select coalesce(array_agg(rest.group_id), '{}') as "groupIds"
      from ${selectRestCounts(sql`(select count(*) from active)`)} as rest
     where rest.rest_count < ${p.minGroupSize}::integer`,
  PAST_SAMPLES,
);
