import type { TenantWriter } from '../../db/tenant.ts';
import { findRiskFactors, lastRiskDay, riskFacts, recordRiskDay, storeRiskScores } from './risk-repository.ts';
import { type RiskFactor, riskScore, riskScoreLevel } from './risk-rules.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS_CAUGHT_UP = 30;
const LEARNERS_TO_A_PAGE = 10_000;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * Records the company's risk score of each missing day before `today`, up to thirty days, and stores the last score of
 * each active learner. Running it again changes nothing.
 * @param today ISO 8601, in UTC
 */
export async function recordRisk(tenant: TenantWriter, today: string): Promise<void> {
  const { date } = (await tenant.queryOne(lastRiskDay, {}))!;
  await recordRiskOfDays(tenant, missingDays(date, today));
}

/** Records days, oldest first, and stores the last score of each active learner. */
export async function recordRiskOfDays(tenant: TenantWriter, days: readonly string[]): Promise<void> {
  const factors = await findRiskFactors(tenant);
  for (const day of days) await recordDay(tenant, { day, factors, storesScores: day === days.at(-1) });
}

/** The days to record, oldest first. A company without any record starts with yesterday. */
function missingDays(lastDay: string | null, today: string): string[] {
  const yesterday = Date.parse(today) - DAY_MS;
  const first = lastDay === null ? yesterday : Date.parse(lastDay) + DAY_MS;
  const days: string[] = [];
  for (let day = Math.max(first, yesterday - (MAX_DAYS_CAUGHT_UP - 1) * DAY_MS); day <= yesterday; day += DAY_MS) {
    days.push(new Date(day).toISOString().slice(0, 10));
  }
  return days;
}

async function recordDay(
  tenant: TenantWriter,
  { day, factors, storesScores }: { day: string; factors: RiskFactor[]; storesScores: boolean },
): Promise<void> {
  const levels = { low: 0, moderate: 0, high: 0, critical: 0 };
  let sum = 0;
  for (let afterId = BEFORE_ALL_IDS; ;) {
    const page = { day, afterId, limit: LEARNERS_TO_A_PAGE };
    const { learnerIds, scores } = await tenant.transaction(async (tx) => {
      const rows = await tx.queryAll(riskFacts, page);
      const found = {
        learnerIds: rows.map((row) => row.learnerId),
        scores: rows.map((row) => riskScore(row, factors)),
      };
      if (storesScores) await tx.mutate(storeRiskScores, found);
      return found;
    });
    for (const score of scores) {
      sum += score;
      levels[riskScoreLevel(score)] += 1;
    }
    if (learnerIds.length < LEARNERS_TO_A_PAGE) break;
    afterId = learnerIds.at(-1)!;
  }
  const { low, moderate, high, critical } = levels;
  await tenant.mutate(recordRiskDay, {
    date: day,
    averageScore: sum / Math.max(low + moderate + high + critical, 1),
    lowCount: low,
    moderateCount: moderate,
    highCount: high,
    criticalCount: critical,
  });
}
