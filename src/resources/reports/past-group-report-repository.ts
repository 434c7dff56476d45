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
import { selectRestCounts } from '../risk/rest-counts.ts';
import { FIGURES } from './group-report-repository.ts';
import type { CountedFigures } from './group-report-rules.ts';

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

export const listPastGroupFigures = pagedQuery<PastFigures, CountedFigures>(
  'report_past_group_figures',
  BY_ID,
  (p, continued) => sql`
    select g.id, g.name, figures.*
      from (select g.id, g.name from ${pastGroups(p)} as g where ${continued(sql`g.id`)} order by g.id offset 0) as g
     cross join lateral ${selectPastFigures(p, pastActiveMembers(p, sql`g.id`))} as figures`,
  { ...ANY_ATTEMPT, ...PAST_SAMPLES },
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
