import type { Schemas } from '../../../contract/contract.ts';
import { type RiskFactor, riskScoreLevel } from '../../risk/risk-rules.ts';
import type { SimulationCounts } from './group-simulation-repository.ts';

type Figures = Schemas['GroupReportCompany'] & Schemas['GroupReportRow'];

/** Figures of the company or a group as Postgres counts them, regardless of the company's modules. */
export type CountedFigures = Omit<Figures, 'riskScoreLevel' | 'training' | 'policies' | 'simulations'> &
  NonNullable<Figures['training']> &
  NonNullable<Figures['policies']>;

/** Figures of a department as Postgres counts them, regardless of the company's modules. */
export type CountedDepartment = Omit<CountedFigures, 'id' | 'name'> & Pick<Schemas['DepartmentReportRow'], 'name'>;

interface Shown {
  factors: readonly RiskFactor[];
  /** Whether to hide means, because they cover too few people. */
  hidesMeans: boolean;
}

/** Returns the figures to report, without those of modules that the company lacks. */
export function shownFigures(counted: CountedFigures & SimulationCounts, { factors, hidesMeans }: Shown): Figures {
  const { id, name, learnerCount, assignedCount, signedCount, ...others } = counted;
  const { averageRiskScore: average, sentCount, visitCount, reportCount, ...training } = others;
  const averageRiskScore = hidesMeans ? null : average;
  const rate = (count: number) => (hidesMeans || sentCount === 0 ? null : Math.round((count / sentCount) * 1e4) / 1e4);
  return {
    id,
    name,
    learnerCount,
    averageRiskScore,
    riskScoreLevel: averageRiskScore === null ? null : riskScoreLevel(averageRiskScore),
    training: factors.includes('courses') ? training : null,
    policies: factors.includes('policies') ? { assignedCount, signedCount } : null,
    simulations: factors.includes('simulations')
      ? { sentCount, clickRate: rate(visitCount), reportRate: rate(reportCount) }
      : null,
  };
}

/** Returns a department's counts to report, without those of modules that the company lacks. */
export function shownCounts(
  { name, learnerCount, enrollmentCount, startedCount, finishedCount, passedCount, ...policies }: CountedDepartment,
  factors: readonly RiskFactor[],
): Schemas['DepartmentReportRow'] {
  const { assignedCount, signedCount } = policies;
  return {
    name,
    learnerCount,
    training: factors.includes('courses') ? { enrollmentCount, startedCount, finishedCount, passedCount } : null,
    policies: factors.includes('policies') ? { assignedCount, signedCount } : null,
  };
}

/** Adds up the counts of simulations. */
export function sumCounts(simulations: readonly SimulationCounts[]): SimulationCounts {
  const sum = (name: keyof SimulationCounts) => simulations.reduce((total, counts) => total + counts[name], 0);
  return { sentCount: sum('sentCount'), visitCount: sum('visitCount'), reportCount: sum('reportCount') };
}
