import type { Handler, Schemas } from '../../contract/contract.ts';
import { lockFreeSeats } from '../learners/shared/learner-locks.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import type { PairCall } from '../learners/shared/learner-assignments.ts';
import { setAutoEnrol } from './auto-enrolment-repository.ts';
import { enrollments } from './course-enrollments.ts';
import * as repository from './course-repository.ts';
import { recordResults, requireOwnEventIds } from './results/course-results.ts';
import {
  type CourseFailureCode,
  courseFilter,
  failureMessages,
  judgeCourseChange,
  requireOwn,
} from './course-rules.ts';
import { changeCourse, insertCourse, removeCourse } from './own-course-repository.ts';
import { deleteContents } from './content/content-repository.ts';
import { endPackage } from './scorm/package-repository.ts';
import { listRecordedResults } from './results/recorded-result-repository.ts';
import { readReportedAttempts } from './results/reported-attempts.ts';
import { listResultsOfLearner } from './results/result-repository.ts';

export const listCourses: Handler<'listCourses'> = (query, tenant) => {
  return tenant.stream(repository.listCourses, courseFilter(query));
};

export const getCourse: Handler<'getCourse'> = ({ courseId }, tenant) => repository.getCourse(tenant, courseId);

export const getCourseReport: Handler<'getCourseReport'> = (query, tenant) => {
  const { courseId = null, source = 'all', includeRetired = false, nameContains = null } = query;
  return tenant.stream(repository.courseFigures, {
    source: source === 'all' ? null : source,
    courseId,
    includeRetired,
    nameContains,
  });
};

export const createCourse: Handler<'createCourse'> = ({ body: { autoEnrol = false, ...course } }, tenant) => {
  return tenant.transaction(async (tx) => {
    const courseId = await insertCourse(tx, course);
    if (autoEnrol) await setAutoEnrol(tx, courseId, autoEnrol);
    return repository.getCourse(tx, courseId);
  });
};

export const updateCourse: Handler<'updateCourse'> = ({ courseId, body }, tenant) => {
  return tenant.transaction(async (tx) => {
    // Waits for other calls that retire a course or make a retired course available again.
    if (body.autoEnrol !== undefined || body.retired !== undefined) await lockFreeSeats(tx);
    judgeCourseChange(await repository.getCourse(tx, courseId), body);
    const { autoEnrol = body.retired === true ? false : undefined, ...changes } = body;
    if (autoEnrol !== undefined) await setAutoEnrol(tx, courseId, autoEnrol);
    await changeCourse(tx, courseId, changes);
    return repository.getCourse(tx, courseId);
  });
};

export const deleteCourse: Handler<'deleteCourse'> = ({ courseId }, tenant) => {
  return tenant.transaction(async (tx) => {
    requireOwn(await repository.getCourse(tx, courseId));
    await setAutoEnrol(tx, courseId, false);
    await removeCourse(tx, courseId);
    await endPackage(tx, courseId);
    await deleteContents(tx, courseId);
    return { id: courseId };
  });
};

export const createCourseEnrollments: Handler<'createCourseEnrollments'> = async ({ body }, tenant) => {
  return { ...(await enrollments.add(tenant, toCourseCall(body))), errors: [] };
};

export const sendCourseReminders: Handler<'sendCourseReminders'> = async ({ body }, tenant) => {
  return { ...(await enrollments.remind(tenant, toCourseCall(body))), errors: [] };
};

export const removeCourseEnrollments: Handler<'removeCourseEnrollments'> = async ({ body }, tenant) => {
  const { completed, failures } = await enrollments.remove(tenant, toCourseCall(body, RESULT_IS_KEPT));
  return { removed: completed, skipped: failures };
};

export const listRecordedCourseResults: Handler<'listRecordedCourseResults'> = async (input, tenant) => {
  const { learnerId = null, courseId = null, includeVoided = false } = input;
  if (learnerId !== null) await requireLearner(tenant, learnerId);
  if (courseId !== null) await repository.getCourse(tenant, courseId);
  return tenant.stream(listRecordedResults, { learnerId, courseId, includeVoided });
};

export const recordCourseResults: Handler<'recordCourseResults'> = ({ body }, tenant, { source }) => {
  return tenant.transaction(async (tx) => {
    const outcome = await recordResults(tx, body.results);
    // xAPI requires that either all statements of a request are recorded, or none.
    if (source?.kind === 'xapi') requireOwnEventIds(outcome);
    return outcome;
  });
};

export const listLearnerCourseResults: Handler<'listLearnerCourseResults'> = async (input, tenant) => {
  const { learnerId, attempts } = input;
  await requireLearner(tenant, learnerId);
  return listResultsOfLearner(tenant, { learnerId, type: 'training', ...readReportedAttempts({ attempts }) });
};

export const listLearnerGapAnalysisResults: Handler<'listLearnerGapAnalysisResults'> = async (input, tenant) => {
  const { learnerId, attempts } = input;
  await requireLearner(tenant, learnerId);
  return listResultsOfLearner(tenant, { learnerId, type: 'gap_analysis', ...readReportedAttempts({ attempts }) });
};

const RESULT_IS_KEPT = '; the result is kept';
type CourseCall = PairCall<CourseFailureCode>;

function toCourseCall({ courseIds, learnerIds }: Schemas['CreateCourseEnrollmentsInput'], note = ''): CourseCall {
  return { learnerIds, targetIds: courseIds, failureMessages: failureMessages('the course', note) };
}
