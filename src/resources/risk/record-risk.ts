// Risk: how likely a learner is to cause an incident, from 0 to 100, computed once a day.
//
// risk-rules.ts implements the formula of docs/risk-score.md; this file applies it. At 00:05 UTC, one job is queued for
// each company. The job first refreshes the breaches of the watched domains (src/jobs/tasks.ts). Then it takes these
// steps:
//
// 1. Find the days without a record before today: those since the last record, at most 30. A new company starts with
//    yesterday.
// 2. For each day, read the facts about active learners as of the end of the day, 10,000 learners at a time.
// 3. Compute the scores. Only the scores of the last day are stored with the learners; a change of level causes an
//    event. For each day, changes of scores and factors are added to `learner_risks` (risk-entries-repository.ts).
// 4. Record the average of the day and the number of learners in each level in `risk_history`.
// 5. Add the changes of the groups' means to `group_risks`.
//
// Guarantees: a day is recorded once and never changes. Running the job again does nothing. If the job dies while
// computing a day, the next run computes that day again.
//
// Failures:
// - A worker that was stopped catches up. For facts without a date (modules, activity, groups, e-mail addresses and
//   breaches), the current state is then used. Days more than 30 days ago remain empty.
// - If the breach feed does not respond, the cached breaches are used.
// - If the job dies before the last step, the next night adds the missing changes of the groups.
// - Each page of learners has its own transaction. A learner who changes in the meantime counts in either the old or
//   the new state.
//
// Not for: scores within the day. Today's facts count after the next night.
import type { TenantWriter } from '../../db/tenant.ts';
import { findRiskFactors, lastRiskDay, riskFacts, recordRiskDay, storeRiskScores } from './risk-repository.ts';
import { recordGroupRisks, recordLearnerRisks } from './risk-entries-repository.ts';
import { factorRisks, type RiskFacts, type RiskFactor, riskScore, riskScoreLevel } from './risk-rules.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS_CAUGHT_UP = 30;
const LEARNERS_TO_A_PAGE = 10_000;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * Records the company's risk score for each missing day before `today`, up to 30 days, and stores the last score of
 * each active learner. Repeating the call changes nothing.
 * @param today ISO 8601, in UTC
 */
export async function recordRisk(tenant: TenantWriter, today: string): Promise<void> {
  const { date } = (await tenant.queryOne(lastRiskDay, {}))!;
  await recordRiskOfDays(tenant, missingDays(date, today));
}

/** Records the given days, oldest first, and stores the last score of each active learner. */
export async function recordRiskOfDays(tenant: TenantWriter, days: readonly string[]): Promise<void> {
  const factors = await findRiskFactors(tenant);
  for (const day of days) await recordDay(tenant, { day, factors, storesScores: day === days.at(-1) });
}

/** Returns the days to record, oldest first. A company without any record starts with yesterday. */
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
      const facts = {
        learnerIds: rows.map((row) => row.learnerId),
        scores: rows.map((row) => riskScore(row, factors)),
      };
      if (storesScores) await tx.mutate(storeRiskScores, facts);
      await tx.mutate(recordLearnerRisks, { day, ...facts, ...toColumns(rows, factors) });
      return facts;
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
  await tenant.mutate(recordGroupRisks, { day });
}

/** Returns the risks of learners by factor, from 0 to 100 with one decimal; null for factors without a module. */
function toColumns(rows: RiskFacts[], factors: RiskFactor[]): Record<RiskFactor, (number | null)[]> {
  const risks = rows.map(factorRisks);
  const column = (factor: RiskFactor) =>
    risks.map((risk) => (factors.includes(factor) ? Math.round(1000 * risk[factor]) / 10 : null));
  return {
    simulations: column('simulations'),
    courses: column('courses'),
    policies: column('policies'),
    breaches: column('breaches'),
  };
}
