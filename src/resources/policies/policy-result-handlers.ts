import type { Handler } from '../../contract.ts';
import { requireLearner } from '../people/known-learners.ts';
import { listPolicyResults } from './assignment-repository.ts';

export const listLearnerPolicyResults: Handler<'listLearnerPolicyResults'> = async (input, tenant) => {
  const { learnerId, policyId = null } = input;
  await requireLearner(tenant, learnerId);
  return tenant.rows(listPolicyResults, { learnerId, policyId });
};
