import { invalidField } from '../../contract/errors.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Parameters } from '../../db/statement.ts';

/** First and last day (UTC) on which a message was sent, such as `2026-01-31`; null without a limit. */
export interface SentPeriod {
  from: string | null;
  to: string | null;
}

/** @throws invalid_request if the period ends before it begins */
export function readSentPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }): SentPeriod {
  if (from !== undefined && to !== undefined && from > to) throw invalidField('query/from', 'must not be after to');
  return { from: from ?? null, to: to ?? null };
}

/** Condition that the message to a recipient `r` was sent in the period; true without limits. */
export function isSentInPeriod(p: Parameters<SentPeriod>): Sql {
  return sql`
    (${p.from}::date is null or r.sent_at >= ${p.from}::date::timestamp at time zone 'UTC')
    and (${p.to}::date is null or r.sent_at < (${p.to}::date + 1)::timestamp at time zone 'UTC')`;
}
