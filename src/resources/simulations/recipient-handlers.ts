import type { Handler } from '../../contract.ts';
import { requireLearner } from '../people/known-learners.ts';
import { listQueueOfLearner, listSimulationResultsOfLearner } from './recipient-repository.ts';

export const listLearnerSimulationQueue: Handler<'listLearnerSimulationQueue'> = async ({ learnerId }, tenant) => {
  await requireLearner(tenant, learnerId);
  return tenant.rows(listQueueOfLearner, { learnerId });
};

export const listLearnerSimulationResults: Handler<'listLearnerSimulationResults'> = async ({ learnerId }, tenant) => {
  await requireLearner(tenant, learnerId);
  return tenant.rows(listSimulationResultsOfLearner, { learnerId });
};
