import type { Schemas } from '../../contract.ts';
import { fullName, GRADE } from '../../db/expressions.ts';
import type { Rows } from '../../db/rows.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { orderedList, type Parameters } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';

/** The contract gives the results of training and gap analysis the same shape. */
type Result = Schemas['CourseResult'];
type ResultWithLearner = Schemas['CourseResultWithLearner'];

/** The progress of an enrolment `e`, in the contract's names. */
export const PROGRESS = sql`
  e.enroll_date as "enrollDate", e.start_date as "startDate", e.finish_date as "finishDate", e.score, ${GRADE} as grade`;

/** What the learner of an attempt `e` was mailed about it. */
const MAILED = sql`
  e.asked_at as "askedAt", e.reminder_sent_at as "remindedAt", e.mail_failed_at as "mailFailedAt"`;

// The course and the learner are flat columns here, nested later: JSON for each row takes Postgres four times as long.
const RESULT = sql`
  e.learner_id as "learnerId", e.course_id as "courseId", e.attempt_id as "attemptId", e.attempt, e.attempts, ${PROGRESS}, ${MAILED}, c.name as "courseName", c.difficulty`;

type ResultRow = Omit<Result, 'course'> & { courseName: string; difficulty: Result['course']['difficulty'] };
type ResultWithLearnerRow = ResultRow & Omit<ResultWithLearner['learner'], 'id'>;

/** Which attempts of each learner and course: the newest, which its result goes by, or all of them. */
type Attempts = Schemas['AttemptsFilter'];

const FACTS = sql`company_id, learner_id, course_id, course_owner_id, attempt_id, attempt, enroll_date, start_date,
  finish_date, score, passed, asked_at, reminder_sent_at, mail_failed_at`;

/** A source of attempts `e`, each with the number of them. One that was taken back to is in both tables. */
const SOURCES: Record<Attempts, (p: Parameters<object>) => Sql> = {
  newest: (p) => sql`(select ${FACTS}, attempt as attempts from enrollments where company_id = ${p.companyId})`,
  all: (p) => sql`(
    select ${FACTS}, attempt as attempts from enrollments where company_id = ${p.companyId}
    union all
    select a.*, newest.attempt as attempts
      from (select ${FACTS} from enrollment_attempts where company_id = ${p.companyId}) as a
      join enrollments newest on newest.company_id = ${p.companyId} and newest.learner_id = a.learner_id
       and newest.course_id = a.course_id and newest.attempt > a.attempt)`,
};

/** Makes a statement for each of the sources. */
function bySource<T>(make: (attempts: Attempts, source: (p: Parameters<object>) => Sql) => T): Record<Attempts, T> {
  return { newest: make('newest', SOURCES.newest), all: make('all', SOURCES.all) };
}

const ofLearner = bySource((attempts, source) =>
  orderedList<{ learnerId: string; type: Schemas['CourseType'] }, ResultRow>(
    `result_of_learner_${attempts}`,
    { enrollDate: 'date', courseId: 'uuid', attempt: 'integer' },
    (p) => sql`
      select ${RESULT}
        from ${source(p)} e join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
       where e.learner_id = ${p.learnerId} and c.type = ${p.type}`,
    { type: 'training' },
  ),
);

/** The results of a learner in courses of one type, oldest first. */
export function listResultsOfLearner(
  tenant: TenantReader,
  { learnerId, type, attempts }: { learnerId: string; type: Schemas['CourseType']; attempts: Attempts },
): Rows<Result> {
  return tenant.rows(ofLearner[attempts], { learnerId, type }).map(toResult);
}

const ORDERS = {
  newest: { learnerId: 'uuid', courseId: 'uuid' },
  all: { learnerId: 'uuid', courseId: 'uuid', attempt: 'integer' },
} as const;

const ofActive = bySource((attempts, source) =>
  orderedList<{ type: Schemas['CourseType']; includeInactive: boolean }, ResultWithLearnerRow>(
    `result_of_active_${attempts}`,
    ORDERS[attempts],
    (p) => sql`
      select ${RESULT}, ${fullName(sql`l`)} as name, l.email, l.external_learner_id as "externalLearnerId",
             l.inactive
        from ${source(p)} e
        join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
        join learners l on l.company_id = ${p.companyId} and l.id = e.learner_id
       where c.type = ${p.type} and (${p.includeInactive} or not l.inactive)`,
    { type: 'training' },
  ),
);

/** The results of all active learners, or of all, in courses of one type, ordered by learner and course. */
export function listResults(
  tenant: TenantReader,
  { attempts, ...filter }: { type: Schemas['CourseType']; attempts: Attempts; includeInactive: boolean },
): Rows<ResultWithLearner> {
  return tenant.rows(ofActive[attempts], filter).map(toResultWithLearner);
}

function toResult({ courseName, difficulty, ...result }: ResultRow): Result {
  return { ...result, course: { id: result.courseId, name: courseName, difficulty } };
}

function toResultWithLearner({
  name,
  email,
  externalLearnerId,
  inactive,
  ...row
}: ResultWithLearnerRow): ResultWithLearner {
  return { ...toResult(row), learner: { id: row.learnerId, name, email, externalLearnerId, inactive } };
}
