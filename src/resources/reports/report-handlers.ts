import type { Handler } from '../../contract.ts';
import { getCourse } from '../courses/course-repository.ts';
import { toResultWithLearner } from '../courses/result-mapper.ts';
import { listResults } from '../courses/result-repository.ts';
import { requireLearner } from '../learners/learner-repository.ts';
import { getLearningSummary, listLearningRows } from './learning-repository.ts';
import { getGroupTree, listParticipationCourses, listParticipationLearners } from './participation-repository.ts';
import { toLearningRow, toLearningSummary } from './report-mapper.ts';

export const getCourseParticipationReport: Handler<'getCourseParticipationReport'> = async (_input, tenant) => {
  return {
    groupTree: await getGroupTree(tenant),
    courses: listParticipationCourses(tenant),
    learners: listParticipationLearners(tenant),
  };
};

export const getCourseResultsReport: Handler<'getCourseResultsReport'> = (_input, tenant) => {
  return listResults(tenant, 'training').map(toResultWithLearner);
};

export const getGapAnalysisResultsReport: Handler<'getGapAnalysisResultsReport'> = (_input, tenant) => {
  return listResults(tenant, 'gap_analysis').map(toResultWithLearner);
};

export const getLearningReport: Handler<'getLearningReport'> = async ({ learnerId, courseId }, tenant) => {
  if (learnerId !== undefined) await requireLearner(tenant, learnerId);
  if (courseId !== undefined) await getCourse(tenant, courseId);
  const filter = { learnerId: learnerId ?? null, courseId: courseId ?? null };
  return {
    generatedAt: new Date().toISOString(),
    summary: toLearningSummary(await getLearningSummary(tenant, filter)),
    rows: listLearningRows(tenant, filter).map(toLearningRow),
  };
};
