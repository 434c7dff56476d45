import type { Request } from 'express';
import { calendarDate } from '../../contract/calendar-dates.ts';
import type { FieldValues } from './parts/fields.ts';

/** The filters of a list from its URL, and the cursor of the page. */
export interface ListQuery {
  values: FieldValues;
  cursor: string | undefined;
}

/** Reads the named filters of a list from the URL of its page; a missing filter is empty. */
export function readListQuery({ query }: Pick<Request, 'query'>, names: readonly string[]): ListQuery {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name].trim() : '');
  return { values: Object.fromEntries(names.map((name) => [name, text(name)])), cursor: text('cursor') || undefined };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Converts the days of a period to the times of its filters, in UTC.
 * @returns undefined if a string is not a day
 */
export function toPeriod({ since = '', until = '' }: FieldValues): { since?: string; until?: string } | undefined {
  if (![since, until].every((day) => day === '' || calendarDate(day) !== undefined)) return undefined;
  return {
    ...(since !== '' && { since: new Date(since).toISOString() }),
    ...(until !== '' && { until: new Date(Date.parse(until) + DAY_MS).toISOString() }),
  };
}
