import type { components } from '../../../generated/api-types.ts';
import type { LearnerRow } from './learner-repository.ts';
import { riskScoreLevel } from '../risk/risk-rules.ts';

export function toLearner({ riskScore, groups, manager, ...row }: LearnerRow): components['schemas']['Learner'] {
  return { ...row, riskScoreLevel: riskScoreLevel(riskScore), groups, manager };
}
