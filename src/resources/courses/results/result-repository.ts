import type { Schemas } from '../../../contract/contract.ts';
import { fullName, GRADE } from '../../../db/expressions.ts';
import type { Rows } from '../../../db/rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters, query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { type ChangesQuery, CHANGE_SAMPLES, changedIds, changedPairs } from '../../events/log/changes.ts';

/** A result of a training or a gap analysis; both have the same shape in the contract. */
type Result = Schemas['CourseResult'];
type ResultWithLearner = Schemas['CourseResultWithLearner'];

/** Progress of an enrolment `e`, in the contract's names. */
export const PROGRESS = sql`
  e.enroll_date as "enrollDate", e.start_date as "startDate", e.finish_date as "finishDate", e.score, ${GRADE} as grade`;

/** Times of mails to the learner about an attempt `e`. */
const MAILED = sql`
  e.asked_at as "askedAt", e.reminder_sent_at as "remindedAt", e.mail_failed_at as "mailFailedAt"`;

// Course and learner are flat columns here, and are nested later: JSON for each row takes Postgres four times as long.
const RESULT = sql`
  e.learner_id as "learnerId", e.course_id as "courseId", e.attempt_id as "attemptId", e.attempt, e.attempts, ${PROGRESS}, ${MAILED}, c.name as "courseName", c.difficulty`;

type ResultRow = Omit<Result, 'course'> & { courseName: string; difficulty: Result['course']['difficulty'] };
type ResultWithLearnerRow = ResultRow & Omit<ResultWithLearner['learner'], 'id'>;

/** Attempts to list: the newest of each learner and course, or all of them. */
type Attempts = Schemas['AttemptsFilter'];

const FACTS = sql`company_id, learner_id, course_id, course_owner_id, attempt_id, attempt, enroll_date, start_date,
  finish_date, score, passed, asked_at, reminder_sent_at, mail_failed_at`;

/**
 * Sources of attempts `e`, each with the number of attempts of its pair. The condition on the number leaves out copies
 * of the newest attempt among the earlier ones.
 */
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

/** Creates a statement for each source. */
function bySource<T>(make: (attempts: Attempts, source: (p: Parameters<object>) => Sql) => T): Record<Attempts, T> {
  return { newest: make('newest', SOURCES.newest), all: make('all', SOURCES.all) };
}

const ofLearner = bySource((attempts, source) =>
  pagedQuery<{ learnerId: string; type: Schemas['CourseType'] }, ResultRow>(
    `result_of_learner_${attempts}`,
    { enrollDate: 'date', courseId: 'uuid', attempt: 'integer' },
    (p) => sql`
      select ${RESULT}
        from ${source(p)} e join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
       where e.learner_id = ${p.learnerId} and c.type = ${p.type}`,
    { type: 'training' },
  ),
);

/** Lists the results of a learner in courses of one type, oldest first. */
export function listResultsOfLearner(
  tenant: TenantReader,
  { learnerId, type, attempts }: { learnerId: string; type: Schemas['CourseType']; attempts: Attempts },
): Rows<Result> {
  return tenant.stream(ofLearner[attempts], { learnerId, type }).map(toResult);
}

const ORDERS = {
  newest: { learnerId: 'uuid', courseId: 'uuid' },
  all: { learnerId: 'uuid', courseId: 'uuid', attempt: 'integer' },
} as const;

/** Columns of a learner `l`. */
const LEARNER = sql`
  ${fullName(sql`l`)} as name, l.email, l.external_learner_id as "externalLearnerId", l.inactive`;

const ofActive = bySource((attempts, source) =>
  pagedQuery<{ type: Schemas['CourseType']; includeInactive: boolean }, ResultWithLearnerRow>(
    `result_of_active_${attempts}`,
    ORDERS[attempts],
    (p, onwards) => sql`
      select ${RESULT}, ${LEARNER}
        from ${source(p)} e
        join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
        join learners l on l.company_id = ${p.companyId} and l.id = e.learner_id and ${onwards(sql`l.id`)}
       where c.type = ${p.type} and (${p.includeInactive} or not l.inactive)`,
    { type: 'training' },
  ),
);

interface ResultFilter {
  type: Schemas['CourseType'];
  includeInactive: boolean;
}

export type ReportedResults = ResultFilter & { attempts: Attempts };

/** Lists results in courses of one type, ordered by learner and course. Includes inactive learners only on request. */
export function listResults(tenant: TenantReader, { attempts, ...filter }: ReportedResults): Rows<ResultWithLearner> {
  return tenant.stream(ofActive[attempts], filter).map(toResultWithLearner);
}

type ChangedFilter = ResultFilter & ChangesQuery;

// Changes of a learner or a course also change the results that show them.
const changedResults = (p: Parameters<ChangedFilter>): Sql => sql`
  ${changedPairs(p, 'enrollment')}
  union
  select e.learner_id, e.course_id from (${changedIds(p, 'person')}) as person
   cross join lateral (
     select e.learner_id, e.course_id from enrollments e
      where e.company_id = ${p.companyId} and e.learner_id = person.id offset 0) as e
  union
  select e.learner_id, e.course_id from courses c
   cross join lateral (
     select e.learner_id, e.course_id from enrollments e
      where e.company_id = ${p.companyId} and e.course_id = c.id offset 0) as e
   where c.owner_id in (managed_catalogue(), ${p.companyId}) and c.updated_at >= ${p.coursesSince}::timestamptz`;

const changedOfActive = bySource((attempts, source) =>
  pagedQuery<ChangedFilter, ResultWithLearnerRow>(
    `result_changed_${attempts}`,
    ORDERS[attempts],
    (p) => sql`
      select ${RESULT}, ${LEARNER}
        from (${changedResults(p)}) as changed
        join courses c on c.owner_id in (managed_catalogue(), ${p.companyId}) and c.id = changed.target_id
        cross join lateral (
          select l.* from learners l where l.company_id = ${p.companyId} and l.id = changed.learner_id offset 0) as l
        cross join lateral (
          select r.* from ${source(p)} r where r.learner_id = l.id and r.course_id = c.id offset 0) as e
       where c.type = ${p.type} and (${p.includeInactive} or not l.inactive)`,
    { ...CHANGE_SAMPLES, type: 'training' },
  ),
);

/** A pair whose results the list does not contain, or no longer contains; `courseId` is null for a removed learner. */
interface RemovedResult {
  learnerId: string;
  courseId: string | null;
}

const removedOfActive = query<ChangedFilter, RemovedResult>(
  'result_removed',
  (p) => sql`
    select changed.learner_id as "learnerId", c.id as "courseId"
      from (${changedResults(p)}) as changed
      join courses c on c.owner_id in (managed_catalogue(), ${p.companyId}) and c.id = changed.target_id
     where c.type = ${p.type} and (
       select e.learner_id
         from enrollments e join learners l on l.company_id = ${p.companyId} and l.id = e.learner_id
        where e.company_id = ${p.companyId} and e.learner_id = changed.learner_id and e.course_id = c.id
          and (${p.includeInactive} or not l.inactive) limit 1) is null
    union all
    select person.id, null from (${changedIds(p, 'person')}) as person
     where (select l.id from learners l where l.company_id = ${p.companyId} and l.id = person.id limit 1) is null
     order by 1, 2`,
  { ...CHANGE_SAMPLES, type: 'training' },
);

/** Lists the changes to the results of `listResults`. All results of a learner in a course are adjacent. */
export function listChangedResults(
  tenant: TenantReader,
  { attempts, ...filter }: ReportedResults & ChangesQuery,
): { results: Rows<ResultWithLearner>; removed: Rows<RemovedResult> } {
  return {
    results: tenant.stream(changedOfActive[attempts], filter).map(toResultWithLearner),
    removed: tenant.stream(removedOfActive, filter),
  };
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
