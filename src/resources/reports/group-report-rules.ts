import type { Schemas } from '../../contract/contract.ts';
import { type RiskFactor, riskScoreLevel } from '../risk/risk-rules.ts';

type Figures = Schemas['GroupReportCompany'] & Schemas['GroupReportRow'];

/** What Postgres counts of the company or a group, whatever modules the company has. */
export type CountedFigures = Omit<Figures, 'riskScoreLevel' | 'training' | 'policies'> &
  NonNullable<Figures['training']> &
  NonNullable<Figures['policies']>;

/** The figures as the report has them: without those of modules that the company has not. */
export function shownFigures(counted: CountedFigures, factors: readonly RiskFactor[]): Figures {
  const { id, name, learnerCount, averageRiskScore, assignedCount, signedCount, ...training } = counted;
  return {
    id,
    name,
    learnerCount,
    averageRiskScore,
    riskScoreLevel: averageRiskScore === null ? null : riskScoreLevel(averageRiskScore),
    training: factors.includes('courses') ? training : null,
    policies: factors.includes('policies') ? { assignedCount, signedCount } : null,
  };
}
