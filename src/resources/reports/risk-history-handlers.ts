import type { Handler, Schemas } from '../../contract/contract.ts';
import { findMinGroupSize } from '../company/settings-repository.ts';
import { requireGroup } from '../learners/shared/known-groups.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import { readPeriod } from '../learners/shared/period.ts';
import { listGroupRisks, listLearnerRisks } from '../risk/risk-entries-repository.ts';
import { riskScoreLevel } from '../risk/risk-rules.ts';
import { hidesMean } from './groups/mean-rules.ts';

export const listLearnerRiskHistory: Handler<'listLearnerRiskHistory'> = async (input, tenant) => {
  const { learnerId } = input;
  const period = readPeriod(input);
  await requireLearner(tenant, learnerId);
  return tenant.stream(listLearnerRisks, { learnerId, ...period }).map(({ date, score, ...factors }) => {
    return { date, score, level: riskScoreLevel(score), factors };
  });
};

export const listGroupRiskHistory: Handler<'listGroupRiskHistory'> = async (input, tenant) => {
  const { groupId } = input;
  const period = readPeriod(input);
  await requireGroup(tenant, groupId);
  const minGroupSize = await findMinGroupSize(tenant);
  return tenant.stream(listGroupRisks, { groupId, ...period }).map((row): Schemas['GroupRiskHistoryEntry'] => {
    const { date, learnerCount, restCount, averageScore, ...factors } = row;
    const entry = { date, learnerCount };
    if (averageScore === null || hidesMean({ learnerCount, restCount }, minGroupSize))
      return { ...entry, averageScore: null, level: null, factors: null };
    return { ...entry, averageScore, level: riskScoreLevel(averageScore), factors };
  });
};
