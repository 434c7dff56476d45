import type { components } from '../../../generated/api-types.ts';
import type { RiskHistoryRow } from '../learners/risk-repository.ts';
import { riskScoreLevel } from '../learners/risk-rules.ts';

type Schemas = components['schemas'];

export function toRiskHistoryRow(row: RiskHistoryRow): Schemas['RiskScoreHistoryRow'] {
  return {
    date: row.date,
    averageScore: row.average_score,
    level: riskScoreLevel(row.average_score),
    learnerCount: row.low_count + row.moderate_count + row.high_count + row.critical_count,
    lowCount: row.low_count,
    moderateCount: row.moderate_count,
    highCount: row.high_count,
    criticalCount: row.critical_count,
  };
}
