import type { Handler } from '../../contract.ts';
import { requireLearner } from '../people/known-learners.ts';
import { listResultsOfLearner } from './result-repository.ts';

export const listLearnerCourseResults: Handler<'listLearnerCourseResults'> = async ({ learnerId }, tenant) => {
  await requireLearner(tenant, learnerId);
  return listResultsOfLearner(tenant, learnerId, 'training');
};

export const listLearnerGapAnalysisResults: Handler<'listLearnerGapAnalysisResults'> = async (
  { learnerId },
  tenant,
) => {
  await requireLearner(tenant, learnerId);
  return listResultsOfLearner(tenant, learnerId, 'gap_analysis');
};
