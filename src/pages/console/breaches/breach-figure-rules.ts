import type { Schemas } from '../../../contract/contract.ts';

/** Months on the chart, up to this one. */
const MONTHS = 24;

export interface MonthOfBreaches {
  /** Such as `2026-03`. */
  month: string;
  services: string[];
  accountCount: number;
}

export interface BreachesByMonth {
  /** Up to the month of `today`, oldest first, those without a breach too. */
  months: MonthOfBreaches[];
  /** Accounts in breaches that are older. */
  earlierCount: number;
  /** Accounts in breaches of which nobody knows the day. */
  undatedCount: number;
}

/** Exposed accounts by the month of the breach. An account that two services leaked counts twice. */
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
