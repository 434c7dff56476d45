import type { Handler } from '../../contract/contract.ts';
import { streamMemberships, streamMessages } from './learner-history-repository.ts';
import { requireLearner } from './shared/known-learners.ts';

export const listLearnerMessages: Handler<'listLearnerMessages'> = async ({ learnerId }, tenant) => {
  await requireLearner(tenant, learnerId);
  return streamMessages(tenant, learnerId);
};

export const listLearnerMemberships: Handler<'listLearnerMemberships'> = async ({ learnerId }, tenant) => {
  await requireLearner(tenant, learnerId);
  return streamMemberships(tenant, learnerId);
};
