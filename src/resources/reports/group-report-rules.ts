import type { Schemas } from '../../contract/contract.ts';
import { type RiskFactor, riskScoreLevel } from '../risk/risk-rules.ts';

type Figures = Schemas['GroupReportCompany'] & Schemas['GroupReportRow'];

/** Figures that Postgres counts for the company or a group, regardless of the company's modules. */
export type CountedFigures = Omit<Figures, 'riskScoreLevel' | 'training' | 'policies'> &
  NonNullable<Figures['training']> &
  NonNullable<Figures['policies']>;

/** Returns the figures for the report, without those of modules that the company lacks. */
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
