import { invalidField } from '../../../contract/errors.ts';

/** First and last day, such as `2026-01-31`; null if unlimited. */
export interface Period {
  from: string | null;
  to: string | null;
}

/** @throws invalid_request if the period ends before it begins */
export function readPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }): Period {
  if (from !== undefined && to !== undefined && from > to) throw invalidField('query/from', 'must not be after `to`');
  return { from: from ?? null, to: to ?? null };
}
