import { Temporal } from 'temporal-polyfill';
import { type Sql, sql } from '../../../db/sql.ts';
import { type Parameters, pointQuery, query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import type { Period } from './period.ts';

const UTC = 'UTC';

const stored = pointQuery<object, { timeZone: string | null }>('company_time_zone', (p, knex) =>
  knex('company_settings').where({ company_id: p.companyId }).select({ timeZone: 'time_zone' }),
);

/** Finds the time zone in which the company's days begin. */
export async function findTimeZone(tenant: TenantReader): Promise<string> {
  return (await tenant.queryOne(stored, {}))?.timeZone ?? UTC;
}

// Postgres checks the name again when it computes days, and its list of time zones can differ from Node's.
const known = query<{ timeZone: string }, { name: string }>(
  'known_time_zone',
  (p) => sql`
    select z.name from companies k join pg_timezone_names z on lower(z.name) = lower(${p.timeZone})
     where k.id = ${p.companyId}
       and (lower(z.name) in ('utc', 'gmt')
            or not exists (select from pg_timezone_abbrevs a where lower(a.abbrev) = lower(z.name)))`,
);

/**
 * Time zones that Postgres has returned, in Postgres's spelling, so that clients cannot add entries. To find a time
 * zone, Postgres reads the files of all 600, which takes 20 ms.
 */
const knownNames = new Set<string>();

/**
 * Reports whether Postgres has a time zone, in upper or lower case. Rejects `CET` and a few other names that stand both
 * for a zone with daylight saving time and for a fixed offset: Postgres would use the fixed offset.
 */
export async function isKnownTimeZone(tenant: TenantReader, timeZone: string): Promise<boolean> {
  if (knownNames.has(timeZone)) return true;
  const row = await tenant.queryOne(known, { timeZone });
  if (row) knownNames.add(row.name);
  return row !== undefined;
}

/**
 * Builds the expression for the company's time zone. Postgres looks up the time zone once per statement, by key, so
 * writes do not need a query before them.
 */
export const companyZone = (p: Parameters<object>): Sql => sql`
  coalesce((select z.time_zone from company_settings z where z.company_id = ${p.companyId}), 'UTC')`;

/** Builds the expression for the company's day at a given time. */
export const toCompanyDay = (p: Parameters<object>, time: Sql): Sql => sql`
  (${time} at time zone ${companyZone(p)})::date`;

/** Builds the expression for the start of a day in the company's time zone. */
export const toDayStart = (p: Parameters<object>, day: Sql): Sql => sql`
  (${day}::timestamp at time zone ${companyZone(p)})`;

/** Columns of the enrolment day and its start. A later change to the time zone does not move them. */
export const ENROL_DAY = sql`enroll_date, enrolled_from`;

/** Builds the values of `ENROL_DAY` for an enrolment that is created now. */
export const toEnrolDay = (p: Parameters<object>): Sql => sql`
  ${toCompanyDay(p, sql`now()`)}, ${toDayStart(p, toCompanyDay(p, sql`now()`))}`;

/** Returns the day of a time in a time zone, such as `2026-01-31`. */
export function formatDay(time: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** Returns the day that is the given number of days later. */
export function moveDay(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Returns the number of days in a period, including the first and the last day. */
export function countDays(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days + 1;
}

/** Returns the start of a day as an ISO 8601 time. If clocks skip midnight, the day begins after the gap. */
function startOfDay(day: string, timeZone: string): string {
  return toTime(Temporal.PlainDate.from(day), timeZone);
}

/** Returns the end of a day (exclusive) as an ISO 8601 time. */
export function endOfDay(day: string, timeZone: string): string {
  return toTime(Temporal.PlainDate.from(day).add({ days: 1 }), timeZone);
}

function toTime(date: Temporal.PlainDate, timeZone: string): string {
  return new Date(date.toZonedDateTime(timeZone).epochMilliseconds).toISOString();
}

/** Start (inclusive) and end (exclusive) of a period; null if unlimited. */
export interface PeriodTimes {
  periodStart: string | null;
  periodEnd: string | null;
}

/** Finds the start and the end of a period in the company's time zone. */
export async function findPeriodTimes(tenant: TenantReader, { from, to }: Period): Promise<PeriodTimes> {
  if (from === null && to === null) return { periodStart: null, periodEnd: null };
  const timeZone = await findTimeZone(tenant);
  return {
    periodStart: from === null ? null : startOfDay(from, timeZone),
    periodEnd: to === null ? null : endOfDay(to, timeZone),
  };
}
