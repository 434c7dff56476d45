import type { Period } from '../learners/shared/period.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Parameters } from '../../db/statement.ts';

/** Condition that the message to a recipient `r` was sent on the days (UTC) of the period; true without limits. */
export function isSentInPeriod(p: Parameters<Period>): Sql {
  return sql`
    (${p.from}::date is null or r.sent_at >= ${p.from}::date::timestamp at time zone 'UTC')
    and (${p.to}::date is null or r.sent_at < (${p.to}::date + 1)::timestamp at time zone 'UTC')`;
}
