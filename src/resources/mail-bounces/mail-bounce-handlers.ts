import type { Handler } from '../../contract/contract.ts';
import { clearMailStatus } from '../../mail/bounces/record-bounce.ts';
import { getLearner, lockLearner } from '../learners/learner-repository.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import { listOfLearner } from './mail-bounce-repository.ts';
import { recordReportedBounces } from './reported-bounces.ts';

export const listLearnerBounces: Handler<'listLearnerBounces'> = async ({ learnerId }, tenant) => {
  await requireLearner(tenant, learnerId);
  return tenant.stream(listOfLearner, { learnerId });
};

export const recordMailBounces: Handler<'recordMailBounces'> = ({ body }, tenant) =>
  tenant.transaction((tx) => recordReportedBounces(tx, body.bounces, new Date()));

export const clearLearnerMailStatus: Handler<'clearLearnerMailStatus'> = ({ learnerId }, tenant) => {
  return tenant.transaction(async (tx) => {
    await lockLearner(tx, learnerId);
    await clearMailStatus(tx, learnerId);
    return getLearner(tx, learnerId);
  });
};
