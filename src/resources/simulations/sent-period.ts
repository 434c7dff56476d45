import type { PeriodTimes } from '../learners/shared/company-days.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Parameters } from '../../db/statement.ts';

/** Condition that the message to a recipient `r` was sent in the period; true if the period is unlimited. */
export function isSentInPeriod(p: Parameters<PeriodTimes>): Sql {
  return sql`
    (${p.periodStart}::timestamptz is null or r.sent_at >= ${p.periodStart}::timestamptz)
    and (${p.periodEnd}::timestamptz is null or r.sent_at < ${p.periodEnd}::timestamptz)`;
}

/** Sample parameters with which tests run the statements. */
export const ANY_TIME = { periodStart: null, periodEnd: null } as const satisfies PeriodTimes;
