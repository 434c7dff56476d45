import type { Schemas } from '../../../contract/contract.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { figures, pagedQuery, type Parameters } from '../../../db/statement.ts';
import { countedPastAttempts, hasPastAttempts, pastAttempts, pastCourse } from '../../courses/results/past-attempts.ts';
import { ANY_ATTEMPT } from '../../courses/results/reported-attempts.ts';
import { hasAttributes, selectFormerProfileIds } from '../../learners/shared/learner-profile.ts';
import {
  type Past,
  PAST_SAMPLES,
  pastLearner,
  rowsOfLearners,
  rowsOfCompany,
  selectPastGroups,
  selectPastLearners,
  selectPastMemberIds,
  wasMember,
} from '../../learners/shared/past.ts';
import {
  byLeading,
  type Leading,
  sampleLearners,
  selectLearnerId,
  isNamedOrReported,
} from '../../learners/shared/reported-learners.ts';
import { pastRecipients } from '../../simulations/past-recipients.ts';
import { didOutcome } from '../../simulations/recipient-repository.ts';
import { hasStatus, type LearningFilter, learningRow, learningTotals } from './learning-repository.ts';

type PastFilter = LearningFilter & Past;

const getSamples = (leading: Leading): Partial<PastFilter> => {
  const otherFilters = { courseId: null, status: null, simulationId: null, outcome: null };
  return { ...ANY_ATTEMPT, ...PAST_SAMPLES, ...sampleLearners(leading), ...otherFilters };
};

/** Condition that a learner `l` had the outcome in the simulation, if an outcome is given. */
function hadOutcome(p: Parameters<PastFilter>): Sql {
  const isOfLearner = sql`o.learner_id = l.id and o.simulation_id = ${p.simulationId}`;
  return sql`
    (${p.simulationId}::uuid is null or exists (
      select from (select * from ${pastRecipients(p, isOfLearner)} as one offset 0) as r where ${didOutcome(p)}))`;
}

/** Source of the rows of the report as of a day, by the rules of `learning-repository.ts`. */
const build = (leading: Leading, p: Parameters<PastFilter>, continued: (column: Sql) => Sql): Sql => sql`
  from ${selectPastLearners(leading, p, continued)}
 cross join lateral ${pastAttempts(p, sql`l.id`)} as e
 cross join lateral ${pastCourse(p)} as c
 where ${isNamedOrReported(p)}
   and (c.type = 'training' or ${p.courseId}::uuid is not null)
   and (${p.courseId}::uuid is null or e.course_id = ${p.courseId})
   and ${leading === 'learner' ? wasMember(p) : sql`true`} and ${hasStatus(p)} and ${hasPastAttempts(p)}
   and ${hadOutcome(p)}`;

export const listPastLearningRows = byLeading((leading) =>
  pagedQuery<PastFilter, Schemas['LearningReportRow']>(
    `learning_rows_past_${leading}`,
    { learnerId: 'uuid', courseId: 'uuid', attempt: 'integer' },
    (p, continued) =>
      sql`select ${learningRow(selectLearnerId(leading), selectPastGroups(p))} ${build(leading, p, continued)}`,
    getSamples(leading),
  ),
);

/** Selects the ids of the learners that the leading filter finds. */
function selectLedIds(leading: Exclude<Leading, 'all'>, p: Parameters<PastFilter>): Sql {
  if (leading === 'learner') return sql`select ${p.learnerId}::uuid as learner_id`;
  if (leading === 'group') return selectPastMemberIds(p);
  return selectFormerProfileIds(p, () => sql`true`);
}

/** Condition that an attempt belongs to the courses of the report. */
const isInCourses = (p: Parameters<PastFilter>): Sql => sql`
  case when ${p.courseId}::uuid is not null then course_id = ${p.courseId}
       else course_id = any(array(select id from courses where type = 'training')) end`;

/** Condition that the learner of an attempt `e` had the outcome in the simulation, if an outcome is given. */
const areOfRecipients = (p: Parameters<PastFilter>): Sql => sql`
  (${p.simulationId}::uuid is null or e.learner_id in (
    select r.learner_id from ${pastRecipients(p, sql`o.simulation_id = ${p.simulationId}`)} as r
     where ${didOutcome(p)}))`;

/**
 * Totals of the report's rows. The statements read all attempts and learners at once. `in (…) is true` keeps Postgres
 * from joining them: it expects few learners in a group, and would compare each attempt with each learner.
 */
export const pastLearningSummary = byLeading((leading) =>
  figures<PastFilter, Schemas['LearningReportSummary']>(
    `learning_summary_past_${leading}`,
    (p) => {
      const ids = leading === 'all' ? null : selectLedIds(leading, p);
      const rowsIn = ids === null ? rowsOfCompany(p) : rowsOfLearners(p, ids);
      const isLed = ids === null ? sql`true` : sql`o.id = any(array(${ids}))`;
      return sql`
        select ${learningTotals(sql`e.learner_id`)}
          from ${countedPastAttempts(p, rowsIn, isInCourses(p))} as e
         where ${hasStatus(p)}
           and (e.learner_id in (
                 select l.id from ${pastLearner(p, isLed)} as l
                  where ${isNamedOrReported(p)} and ${hasAttributes(p)}
                    and ${leading === 'learner' ? wasMember(p) : sql`true`})) is true
           and ${areOfRecipients(p)}`;
    },
    getSamples(leading),
  ),
);
