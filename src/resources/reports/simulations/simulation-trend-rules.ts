import type { Schemas } from '../../../contract/contract.ts';

/** Counts of the messages in a month at one difficulty. */
export interface TrendCell {
  /** Month, such as `2026-11`. */
  month: string;
  /** Null if the difficulty is unknown; such messages are grouped separately. */
  difficulty: number | null;
  sentCount: number;
  visitCount: number;
  reportCount: number;
}

export type TrendSimulation = Schemas['SimulationTrendSimulation'];
type Count = 'visitCount' | 'reportCount';

/** Number of months that the report covers, including the current one. */
const MONTHS = 12;

/** Lists the months up to the current one (UTC), earliest first. */
export function listTrendMonths(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, index) => {
    const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1 - index), 1);
    return new Date(first).toISOString().slice(0, 7);
  });
}

/** Builds the months of the report. */
export function toTrendMonths(
  months: readonly string[],
  cells: readonly TrendCell[],
  simulations: readonly TrendSimulation[],
): Schemas['SimulationTrendMonth'][] {
  const [visits, reports] = [createAdjustment(cells, 'visitCount'), createAdjustment(cells, 'reportCount')];
  return months.map((month) => {
    const own = cells.filter((cell) => cell.month === month);
    const counts = {
      sentCount: sum(own, 'sentCount'),
      reportCount: sum(own, 'reportCount'),
      visitCount: sum(own, 'visitCount'),
    };
    const minutes = simulations.flatMap(({ firstSentAt, firstReportMinutes }) =>
      firstSentAt.startsWith(month) && firstReportMinutes !== null ? [firstReportMinutes] : [],
    );
    return {
      ...{ month, ...counts },
      reportRate: toRate(counts.reportCount, counts.sentCount),
      visitRate: toRate(counts.visitCount, counts.sentCount),
      adjustedReportRate: reports(own),
      adjustedVisitRate: visits(own),
      firstReportMinutes: median(minutes),
    };
  });
}

/**
 * Adjusts rates for difficulty by indirect standardisation: the rate of the whole year, times the number observed in a
 * month, divided by the number expected for that month's messages if each difficulty had its rate of the whole year.
 */
function createAdjustment(cells: readonly TrendCell[], count: Count): (own: readonly TrendCell[]) => number | null {
  const ofYear = toRatio(cells, count);
  const byDifficulty = Map.groupBy(cells, ({ difficulty }) => difficulty);
  return (own) => {
    const expected = own.reduce((total, { difficulty, sentCount }) => {
      return total + sentCount * toRatio(byDifficulty.get(difficulty)!, count);
    }, 0);
    return expected === 0 ? null : round(Math.min(1, (ofYear * sum(own, count)) / expected));
  };
}

function toRatio(cells: readonly TrendCell[], count: Count): number {
  const sentCount = sum(cells, 'sentCount');
  return sentCount === 0 ? 0 : sum(cells, count) / sentCount;
}

function sum(cells: readonly TrendCell[], count: Count | 'sentCount'): number {
  return cells.reduce((total, cell) => total + cell[count], 0);
}

/** Returns a share with four decimals; null if the whole is zero. */
export function toRate(part: number, whole: number): number | null {
  return whole === 0 ? null : round(part / whole);
}

function round(share: number): number {
  return Math.round(share * 10_000) / 10_000;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!;
}
