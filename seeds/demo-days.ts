// Days are numbered from 1 January 1970, in UTC.
export const DAY_MS = 86_400_000;

/** The last day of the demo's data. */
export const LAST_DATE = '2026-11-18';

export function toDay(date: string | number | Date): number {
  return Math.floor(new Date(date).getTime() / DAY_MS);
}

export function formatDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Adds working days; a weekend counts as the Friday before it. The first day of 1970 was a Thursday. */
export function workdaysAfter(day: number, count: number): number {
  const sinceMonday = (day + 3) % 7;
  const workday = Math.min(sinceMonday, 4);
  return day - sinceMonday + workday + count + 2 * Math.floor((workday + count) / 5);
}
