import type { Schemas } from '../../contract/contract.ts';
import { fullName } from '../../db/expressions.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { aggregate, pagedQuery, type Parameters } from '../../db/statement.ts';
import { PROGRESS } from '../courses/results/result-repository.ts';
import { selectRecipientIds } from '../simulations/recipient-repository.ts';

interface LearningFilter {
  learnerId: string | null;
  courseId: string | null;
  status: Schemas['LearningStatusFilter'] | null;
  /** Simulation in which learners must have the `outcome`; null if and only if `outcome` is null. */
  simulationId: string | null;
  outcome: Schemas['SimulationOutcome'] | null;
  includeInactive: boolean;
}

/** Combinations of filters that an index serves. Each has its own statement, so that each can use its index. */
const SHAPES = [
  ...['all', 'learner', 'course', 'simulation'],
  ...['learner_course', 'learner_simulation', 'course_simulation', 'learner_course_simulation'],
];

function buildFilterName({ learnerId, courseId, simulationId }: LearningFilter): string {
  const given = [learnerId && 'learner', courseId && 'course', simulationId && 'simulation'];
  return given.filter(Boolean).join('_') || 'all';
}

/** Creates a statement for each shape. Returns a function that selects the statement for a filter. */
function byShape<T>(make: (shape: string) => T): (filter: LearningFilter) => T {
  const made = new Map(SHAPES.map((shape) => [shape, make(shape)]));
  return (filter) => made.get(buildFilterName(filter))!;
}

const STATUS = sql`
  case when e.finish_date is not null then 'finished' when e.start_date is null then 'not_started' else 'in_progress' end`;

function hasStatus(p: Parameters<LearningFilter>): Sql {
  return sql`
    case ${p.status}::text when 'not_started' then e.start_date is null
                           when 'in_progress' then e.start_date is not null and e.finish_date is null
                           when 'finished' then e.finish_date is not null
                           when 'unfinished' then e.finish_date is null
                           else true end`;
}

/**
 * Builds the FROM and WHERE clauses of the report. Without a learner, inactive learners count only if
 * `includeInactive`; without a course, only training courses count.
 */
function fromEnrollments(p: Parameters<LearningFilter>, shape: string, isContinued = sql`true`): Sql {
  const ofLearners = shape.includes('learner')
    ? sql`e.learner_id = ${p.learnerId}`
    : sql`(${p.includeInactive} or not l.inactive)`;
  const inCourses = shape.includes('course') ? sql`e.course_id = ${p.courseId}` : sql`c.type = 'training'`;
  // An array: with a join, Postgres could search all recipients for each enrolment while it has few statistics.
  const ofRecipients = shape.includes('simulation')
    ? sql`e.learner_id = any(array(${selectRecipientIds(p)}))`
    : sql`true`;
  return sql`
      from enrollments e
      join learners l on l.company_id = e.company_id and l.id = e.learner_id and ${isContinued}
      join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
     where e.company_id = ${p.companyId} and ${ofLearners} and ${inCourses} and ${ofRecipients} and ${hasStatus(p)}`;
}

// NOTE: seeks the groups of each row by index. Postgres would compute a join with the groups of all learners even for a
// narrow filter, and with wrong statistics once per row.
function selectGroups(p: Parameters<LearningFilter>): Sql {
  return sql`
    coalesce((
      select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.name)
        from group_learners gl
        cross join lateral (
          select g.id, g.name from groups g where g.company_id = ${p.companyId} and g.id = gl.group_id offset 0) as g
       where gl.company_id = ${p.companyId} and gl.learner_id = e.learner_id), '[]')`;
}

export const listLearningRows = byShape((shape) =>
  pagedQuery<LearningFilter, Schemas['LearningReportRow']>(
    `learning_rows_${shape}`,
    { learnerId: 'uuid', courseId: 'uuid' },
    (p, onwards) => sql`
      select e.learner_id as "learnerId", ${fullName(sql`l`)} as "learnerName", l.email as "learnerEmail",
             l.external_learner_id as "externalLearnerId", l.inactive, ${selectGroups(p)} as groups,
             e.course_id as "courseId", c.name as "courseName", ${STATUS} as status, e.attempt as attempts,
             ${PROGRESS}
      ${fromEnrollments(p, shape, onwards(sql`l.id`))}`,
  ),
);

/** Totals of the report's rows. */
export const learningSummary = byShape((shape) =>
  aggregate<LearningFilter, Schemas['LearningReportSummary']>(
    `learning_summary_${shape}`,
    (p) => sql`
      select count(distinct e.learner_id)::integer as "learnerCount", count(*)::integer as "enrollmentCount",
             count(e.start_date)::integer as "startedCount", count(e.finish_date)::integer as "finishedCount",
             (count(*) filter (where e.passed))::integer as "passedCount", round(avg(e.score), 2) as "averageScore"
      ${fromEnrollments(p, shape)}`,
  ),
);
