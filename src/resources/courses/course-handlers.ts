import type { components } from '../../../generated/api-types.ts';
import type { Handler } from '../../contract.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { type CoursePairs, enroll, remind, unenroll } from './course-enrollment.ts';
import * as repository from './course-repository.ts';
import { courseFilter } from './course-rules.ts';

type Schemas = components['schemas'];

export const listCourses: Handler<'listCourses'> = (query, tenant) => {
  return repository.listCourses(tenant, courseFilter(query));
};

export const getCourse: Handler<'getCourse'> = ({ courseId }, tenant) => repository.getCourse(tenant, courseId);

export const createCourseEnrollments: Handler<'createCourseEnrollments'> = async ({ body }, tenant) => {
  return { ...(await enroll(tenant, coursesOf(body))), errors: [] };
};

export const sendCourseReminders: Handler<'sendCourseReminders'> = async ({ body }, tenant) => {
  return { ...(await remind(tenant, coursesOf(body))), errors: [] };
};

export const removeCourseEnrollments: Handler<'removeCourseEnrollments'> = async ({ body }, tenant) => {
  const { completed, failures } = await unenroll(tenant, coursesOf(body));
  return { removed: completed, skipped: failures };
};

export const createGapAnalysisEnrollments: Handler<'createGapAnalysisEnrollments'> = async ({ body }, tenant) => {
  const { success, completed, failures } = await enroll(tenant, await gapAnalysisOf(tenant, body.learnerIds));
  return { success, completedIds: completed.map(toLearnerId), failures: failures.map(toGapAnalysisFailure) };
};

export const sendGapAnalysisReminders: Handler<'sendGapAnalysisReminders'> = async ({ body }, tenant) => {
  const { success, completed, failures } = await remind(tenant, await gapAnalysisOf(tenant, body.learnerIds));
  return { success, completedIds: completed.map(toLearnerId), failures: failures.map(toGapAnalysisFailure) };
};

export const removeGapAnalysisEnrollments: Handler<'removeGapAnalysisEnrollments'> = async ({ body }, tenant) => {
  const { completed, failures } = await unenroll(tenant, await gapAnalysisOf(tenant, body.learnerIds));
  return { removedIds: completed.map(toLearnerId), skipped: failures.map(toGapAnalysisFailure) };
};

function coursesOf({ courseIds, learnerIds }: { courseIds: string[]; learnerIds: string[] }): CoursePairs {
  return { learnerIds, targetIds: courseIds, courseName: 'the course' };
}

/** The learners with the one gap analysis of the catalogue. @throws not_found when it has none. */
async function gapAnalysisOf(tenant: TenantWriter, learnerIds: string[]): Promise<CoursePairs> {
  return { learnerIds, targetIds: [await repository.getGapAnalysisId(tenant)], courseName: 'the gap analysis' };
}

function toLearnerId({ learnerId }: Schemas['LearnerCourse']): string {
  return learnerId;
}

/** A failed pair of the gap analysis, whose course goes without saying. */
function toGapAnalysisFailure({
  learnerId,
  code,
  message,
}: Schemas['LearnerCourseFailure']): Schemas['GapAnalysisFailure'] {
  return { learnerId, code, message };
}
