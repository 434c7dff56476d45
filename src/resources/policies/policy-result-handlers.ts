import type { Handler } from '../../contract.ts';
import { requireLearner } from '../people/known-learners.ts';
import { listPolicyResults } from './assignment-repository.ts';

export const listLearnerPolicyResults: Handler<'listLearnerPolicyResults'> = async (input, tenant) => {
  await requireLearner(tenant, input.learnerId);
  return listPolicyResults(tenant, input.learnerId, input.policyId);
};
