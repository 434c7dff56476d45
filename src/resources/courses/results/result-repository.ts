import type { Schemas } from '../../../contract/contract.ts';
import { GRADE } from '../../../db/expressions.ts';
import type { Rows } from '../../../db/rows.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { pagedQuery, type Parameters, query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import {
  areNewest,
  newestAttempts,
  ANY_ATTEMPT,
  reportedAttempts,
  type ReportedAttempts,
} from './reported-attempts.ts';
import { selectAssignment } from '../../learners/shared/due-dates.ts';
import { hasProfile, matchesProfile, NO_PROFILE } from '../../learners/shared/learner-profile.ts';
import {
  isMember,
  isReported,
  LEARNER,
  type LearnersFilter,
  type ReportLearnerRow,
  sampleLearners,
  selectLearnerId,
  selectLearners,
  splitReportLearner,
} from '../../learners/shared/reported-learners.ts';
import { type ChangesQuery, CHANGE_SAMPLES, changedIds, changedPairs } from '../../events/log/changes.ts';

/** A result of a training or a gap analysis; both have the same shape in the contract. */
type Result = Schemas['CourseResult'];
type ResultWithLearner = Schemas['CourseResultWithLearner'];

/** Progress of an enrolment `e`, in the contract's names. */
export const PROGRESS = sql`
  e.enroll_date as "enrollDate", e.start_date as "startDate", e.finish_date as "finishDate", e.score, ${GRADE} as grade`;

/** Times of emails to the learner about an attempt `e`. */
const MAILED = sql`
  e.asked_at as "askedAt", e.reminder_sent_at as "remindedAt", e.mail_failed_at as "mailFailedAt"`;

// Course and learner are flat columns here, and are nested later: building JSON for each row takes Postgres four times
// as long.
export const resultColumns = (learnerId: Sql): Sql => sql`
  ${learnerId} as "learnerId", e.course_id as "courseId", e.attempt_id as "attemptId", e.attempt, e.attempts, ${PROGRESS}, ${MAILED}, c.name as "courseName", c.difficulty`;

const RESULT = resultColumns(sql`e.learner_id`);

type ResultRow = Omit<Result, 'course' | 'assignment'> & {
  courseName: string;
  difficulty: Result['course']['difficulty'];
};
export type ResultWithLearnerRow = ResultRow & ReportLearnerRow;

type OfLearner = { learnerId: string; type: Schemas['CourseType'] };

type ResultOfLearnerRow = ResultRow & Pick<Result, 'assignment'>;

const selectAttemptResults = (p: Parameters<OfLearner>, attempts: Sql): Sql => sql`
  select ${RESULT}, due.assignment
    from ${attempts} e join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
    left join lateral ${selectAssignment(p, sql`e.learner_id`, sql`e.course_id`)} as due on e.attempt = e.attempts
   where e.learner_id = ${p.learnerId} and c.type = ${p.type}`;

const newestOfLearner = pagedQuery<OfLearner, ResultOfLearnerRow>(
  'result_of_learner_newest',
  { enrollDate: 'date', courseId: 'uuid' },
  (p) => selectAttemptResults(p, newestAttempts(p)),
  { type: 'training' },
);

const reportedOfLearner = pagedQuery<OfLearner & ReportedAttempts, ResultOfLearnerRow>(
  'result_of_learner_reported',
  { enrollDate: 'date', courseId: 'uuid', attempt: 'integer' },
  (p) => selectAttemptResults(p, reportedAttempts(p)),
  { ...ANY_ATTEMPT, type: 'training' },
);

/** Lists a learner's results in courses of one type, oldest first. */
export function listResultsOfLearner(tenant: TenantReader, filter: OfLearner & ReportedAttempts): Rows<Result> {
  const results = areNewest(filter) ? tenant.stream(newestOfLearner, filter) : tenant.stream(reportedOfLearner, filter);
  return results.map(({ assignment, ...row }) => ({ ...toResult(row), assignment }));
}

interface ResultFilter {
  type: Schemas['CourseType'];
  includeInactive: boolean;
}

/** Filter of a report. */
export type ReportFilter = ResultFilter & ReportedAttempts & LearnersFilter;

const BY_PAIR = { learnerId: 'uuid', courseId: 'uuid' } as const;
export const BY_ATTEMPT = { ...BY_PAIR, attempt: 'integer' } as const;

const selectResults = (p: Parameters<ResultFilter>, attempts: Sql, learners: Sql): Sql => sql`
  select ${RESULT}, ${LEARNER}
    from ${attempts} e
    join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
    join ${learners} on l.id = e.learner_id
   where c.type = ${p.type} and (${p.includeInactive} or not l.inactive)`;

const learnersFrom = (p: Parameters<object>, isContinued: Sql): Sql =>
  sql`(select * from learners l where l.company_id = ${p.companyId} and ${isContinued}) as l`;

const newestResults = pagedQuery<ResultFilter, ResultWithLearnerRow>(
  'result_report_newest',
  BY_PAIR,
  (p, continued) => selectResults(p, newestAttempts(p), learnersFrom(p, continued(sql`l.id`))),
  { type: 'training' },
);

const reportedResults = pagedQuery<ResultFilter & ReportedAttempts, ResultWithLearnerRow>(
  'result_report_attempts',
  BY_ATTEMPT,
  (p, continued) => selectResults(p, reportedAttempts(p), learnersFrom(p, continued(sql`l.id`))),
  { ...ANY_ATTEMPT, type: 'training' },
);

/** Builds the query for the results of the learners in a group or with a profile. */
const makeResultQuery = (leading: 'group' | 'profile') =>
  pagedQuery<ReportFilter, ResultWithLearnerRow>(
    `result_report_${leading}`,
    BY_ATTEMPT,
    (p, continued) => sql`
      select ${resultColumns(selectLearnerId(leading))}, ${LEARNER}
        from ${selectLearners(leading, p, continued)}
        join ${reportedAttempts(p)} e on e.learner_id = member.learner_id and ${continued(sql`e.learner_id`)}
        join courses c on c.owner_id = e.course_owner_id and c.id = e.course_id
       where c.type = ${p.type}`,
    { ...sampleLearners(leading), ...ANY_ATTEMPT, type: 'training' },
  );

const resultsOfGroup = makeResultQuery('group');
const resultsOfProfile = makeResultQuery('profile');

/** Lists results in courses of one type, ordered by learner and course. Includes inactive learners only on request. */
export function listResults(tenant: TenantReader, filter: ReportFilter): Rows<ResultWithLearner> {
  return streamResults(tenant, filter).map(toResultWithLearner);
}

function streamResults(tenant: TenantReader, filter: ReportFilter): Rows<ResultWithLearnerRow> {
  if (filter.groupId !== null) return tenant.stream(resultsOfGroup, filter);
  if (hasProfile(filter)) return tenant.stream(resultsOfProfile, filter);
  return areNewest(filter) ? tenant.stream(newestResults, filter) : tenant.stream(reportedResults, filter);
}

type ChangedFilter = ReportFilter & ChangesQuery;

// Changes to a learner or a course also change the results that show them. A change to a group changes only the report
// about that group. Changes to a profile are changes to the person (migration add_profile_filters).
const changedResults = (p: Parameters<ChangedFilter>): Sql => sql`
  ${changedPairs(p, 'enrollment')}
  union
  select e.learner_id, e.course_id
    from (${changedIds(p, 'person')}
          union
          select member.id from (${changedIds(p, 'learner')}) as member where ${p.groupId}::uuid is not null) as person
   cross join lateral (
     select e.learner_id, e.course_id from enrollments e
      where e.company_id = ${p.companyId} and e.learner_id = person.id offset 0) as e
  union
  select e.learner_id, e.course_id from courses c
   cross join lateral (
     select e.learner_id, e.course_id from enrollments e
      where e.company_id = ${p.companyId} and e.course_id = c.id offset 0) as e
   where c.owner_id in (managed_catalogue(), ${p.companyId}) and c.updated_at >= ${p.coursesSince}::timestamptz`;

/** Condition that the report covers a learner `l`. */
const isCovered = (p: Parameters<ChangedFilter>): Sql => sql`
  ${isReported(p)} and ${isMember(p)} and ${matchesProfile(p)}`;

const resultsThatChanged = pagedQuery<ChangedFilter, ResultWithLearnerRow>(
  'result_changed',
  BY_ATTEMPT,
  (p) => sql`
    select ${RESULT}, ${LEARNER}
      from (${changedResults(p)}) as changed
      join courses c on c.owner_id in (managed_catalogue(), ${p.companyId}) and c.id = changed.target_id
      cross join lateral (
        select l.* from learners l where l.company_id = ${p.companyId} and l.id = changed.learner_id offset 0) as l
      cross join lateral (
        select r.* from ${reportedAttempts(p)} r where r.learner_id = l.id and r.course_id = c.id offset 0) as e
     where c.type = ${p.type} and ${isCovered(p)}`,
  { ...CHANGE_SAMPLES, ...NO_PROFILE, ...ANY_ATTEMPT, type: 'training' },
);

/** A pair whose results the list no longer contains; `courseId` is null for a removed learner. */
interface RemovedResult {
  learnerId: string;
  courseId: string | null;
}

const removedResults = query<ChangedFilter, RemovedResult>(
  'result_removed',
  (p) => sql`
    select changed.learner_id as "learnerId", c.id as "courseId"
      from (${changedResults(p)}) as changed
      join courses c on c.owner_id in (managed_catalogue(), ${p.companyId}) and c.id = changed.target_id
     where c.type = ${p.type} and (
       select e.learner_id
         from ${reportedAttempts(p)} e join learners l on l.company_id = ${p.companyId} and l.id = e.learner_id
        where e.learner_id = changed.learner_id and e.course_id = c.id and ${isCovered(p)} limit 1) is null
    union all
    select person.id, null from (${changedIds(p, 'person')}) as person
     where (select l.id from learners l where l.company_id = ${p.companyId} and l.id = person.id limit 1) is null
     order by 1, 2`,
  { ...CHANGE_SAMPLES, ...NO_PROFILE, ...ANY_ATTEMPT, type: 'training' },
);

/** Lists the changes to the results that `listResults` returns. All results of a learner in a course are adjacent. */
export function listChangedResults(
  tenant: TenantReader,
  filter: ChangedFilter,
): { results: Rows<ResultWithLearner>; removed: Rows<RemovedResult> } {
  return {
    results: tenant.stream(resultsThatChanged, filter).map(toResultWithLearner),
    removed: tenant.stream(removedResults, filter),
  };
}

function toResult({ courseName, difficulty, ...result }: ResultRow): Omit<Result, 'assignment'> {
  return { ...result, course: { id: result.courseId, name: courseName, difficulty } };
}

export function toResultWithLearner(row: ResultWithLearnerRow): ResultWithLearner {
  const { learner, others } = splitReportLearner(row);
  return { ...toResult(others), learner };
}
