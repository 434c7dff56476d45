import type { Schemas } from '../../../contract/contract.ts';

/** Number of months on the chart, up to the current one. */
const MONTHS = 24;

export interface MonthOfBreaches {
  /** A month such as `2026-03`. */
  month: string;
  services: string[];
  accountCount: number;
}

export interface BreachesByMonth {
  /** The last months up to that of `today`, oldest first, including months without a breach. */
  months: MonthOfBreaches[];
  /** Number of accounts in older breaches. */
  earlierCount: number;
  /** Number of accounts in breaches of unknown date. */
  undatedCount: number;
}

/** Counts exposed accounts by the month of the breach. An account that two services leaked counts twice. */
export function breachesByMonth(services: readonly Schemas['BreachedService'][], today: Date): BreachesByMonth {
  const months = lastMonths(today).map((month): MonthOfBreaches => ({ month, services: [], accountCount: 0 }));
  const byMonth = new Map(months.map((one) => [one.month, one]));
  const result = { months, earlierCount: 0, undatedCount: 0 };
  for (const { breachDate, name, accountCount } of services) {
    const month = breachDate === null ? undefined : byMonth.get(breachDate.slice(0, 7));
    if (breachDate === null) result.undatedCount += accountCount;
    else if (!month) result.earlierCount += accountCount;
    else {
      month.services.push(name);
      month.accountCount += accountCount;
    }
  }
  return result;
}

function lastMonths(today: Date): string[] {
  return Array.from({ length: MONTHS }, (_, index) => {
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - (MONTHS - 1 - index), 1));
    return month.toISOString().slice(0, 7);
  });
}
