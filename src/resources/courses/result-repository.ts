import type { Schemas } from '../../contract.ts';
import { fullName, GRADE } from '../../db/expressions.ts';
import type { Rows } from '../../db/rows.ts';
import { sql } from '../../db/sql.ts';
import { statement } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';

/** The contract gives the results of training and gap analysis the same shape. */
type Result = Schemas['CourseResult'];
type ResultWithLearner = Schemas['CourseResultWithLearner'];

/** The progress of an enrolment `e`, in the contract's names. */
export const PROGRESS = sql`
  e.enroll_date as "enrollDate", e.start_date as "startDate", e.finish_date as "finishDate", e.score, ${GRADE} as grade`;

// The course and the learner are flat columns here, nested later: JSON for each row takes Postgres four times as long.
const RESULT = sql`
  e.learner_id as "learnerId", e.course_id as "courseId", ${PROGRESS}, c.name as "courseName", c.difficulty`;

type ResultRow = Omit<Result, 'course'> & { courseName: string; difficulty: Result['course']['difficulty'] };
type ResultWithLearnerRow = ResultRow & Omit<ResultWithLearner['learner'], 'id'>;

const ofLearner = statement<{ learnerId: string; type: Schemas['CourseType'] }, ResultRow>(
  'result_of_learner',
  (p) => sql`
    select ${RESULT}
      from enrollments e join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
     where e.company_id = ${p.companyId} and e.learner_id = ${p.learnerId} and c.type = ${p.type}
     order by e.enroll_date, e.course_id`,
  { type: 'training' },
);

/** The enrolments of a learner in courses of one type, oldest first. */
export function listResultsOfLearner(
  tenant: TenantReader,
  learnerId: string,
  type: Schemas['CourseType'],
): Rows<Result> {
  return tenant.rows(ofLearner, { learnerId, type }).map(toResult);
}

const ofActive = statement<{ type: Schemas['CourseType'] }, ResultWithLearnerRow>(
  'result_of_active',
  (p) => sql`
    select ${RESULT}, ${fullName(sql`l`)} as name, l.email, l.external_learner_id as "externalLearnerId"
      from enrollments e
      join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
      join learners l on l.company_id = e.company_id and l.id = e.learner_id
     where e.company_id = ${p.companyId} and c.type = ${p.type} and not l.inactive
     order by e.learner_id, e.course_id`,
  { type: 'training' },
);

/** The enrolments of all active learners in courses of one type, ordered by learner and course. */
export function listResults(tenant: TenantReader, type: Schemas['CourseType']): Rows<ResultWithLearner> {
  return tenant.rows(ofActive, { type }).map(toResultWithLearner);
}

function toResult({ courseName, difficulty, ...result }: ResultRow): Result {
  return { ...result, course: { id: result.courseId, name: courseName, difficulty } };
}

function toResultWithLearner({ name, email, externalLearnerId, ...row }: ResultWithLearnerRow): ResultWithLearner {
  return { ...toResult(row), learner: { id: row.learnerId, name, email, externalLearnerId } };
}
