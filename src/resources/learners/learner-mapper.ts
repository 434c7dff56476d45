import type { Schemas } from '../../contract.ts';
import type { LearnerRow } from './learner-repository.ts';
import { riskScoreLevel } from '../risk/risk-rules.ts';

export function toLearner({ riskScore, groups, manager, ...row }: LearnerRow): Schemas['Learner'] {
  return { ...row, riskScoreLevel: riskScoreLevel(riskScore), groups, manager };
}
