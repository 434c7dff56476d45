import { Temporal } from 'temporal-polyfill';
import { type Sql, sql } from '../../db/sql.ts';
import type { Parameters } from '../../db/statement.ts';

/** Working hours in which campaign messages are sent, from Monday to Friday. */
const FIRST_HOUR = 9;
const END_HOUR = 17;
const OPENS = sql`time '09:00'`;
const CLOSES = sql`time '17:00'`;
const FRIDAY = 5;

/** Builds the expression for the time zone of a learner `l`. */
export const learnerZone = (p: Parameters<object>): Sql => sql`
  coalesce(l.time_zone, (select s.time_zone from company_settings s where s.company_id = ${p.companyId}), 'UTC')`;

/** Builds the expression for the first working day on or after a day. */
export const workingDay = (day: Sql): Sql => sql`
  (${day} + (array[0, 0, 0, 0, 0, 2, 1])[extract(isodow from ${day})::integer])`;

/** Builds the expression for the time at which the working hours of a day begin. */
export const openingTime = (day: Sql, zone: Sql): Sql => sql`((${day} + ${OPENS}) at time zone ${zone})`;

/**
 * Builds the expression for the earliest day of a message whose cause arose at a given time: the next day if that was
 * after the working hours.
 */
export const dayOfCause = (time: Sql, zone: Sql): Sql => sql`
  ((${time} at time zone ${zone})::date + case when (${time} at time zone ${zone})::time >= ${CLOSES} then 1 else 0 end)`;

/** Builds the condition that a learner `l` is on leave at a time. `absent_until` is the last day of the leave. */
export const isOnLeave = (time: Sql, zone: Sql): Sql => sql`
  coalesce(l.absent_until >= (${time} at time zone ${zone})::date, false)`;

/** Builds the condition that a time is in the working hours. */
export const isInWorkingHours = (time: Sql, zone: Sql): Sql => sql`
  (extract(isodow from ${time} at time zone ${zone}) <= 5
   and (${time} at time zone ${zone})::time >= ${OPENS} and (${time} at time zone ${zone})::time < ${CLOSES})`;

/**
 * Builds the expression for the next working day that is later than a given day, unless that is null, and whose working
 * hours begin after a given time.
 */
export const nextMorning = (time: Sql, zone: Sql, after: Sql): Sql => sql`(
  select ${workingDay(sql`n.day`)}
    from (select greatest((${time} at time zone ${zone})::date
                          + case when (${time} at time zone ${zone})::time < ${OPENS} then 0 else 1 end,
                          ${after} + 1) as day) as n)`;

/** Builds the expression for the start of the working hours on the next Monday after a time. */
export const nextMonday = (time: Sql, zone: Sql): Sql => sql`(
  select ${openingTime(sql`(case when (w.monday + ${OPENS}) > ${time} at time zone ${zone} then w.monday else w.monday + 7 end)`, zone)}
    from (select date_trunc('week', ${time} at time zone ${zone})::date as monday) as w)`;

/** Builds the expression for the Monday of a time's week. */
export const startOfWeek = (time: Sql, zone: Sql): Sql => sql`date_trunc('week', ${time} at time zone ${zone})::date`;

/** Reports whether a time is during a leave whose last day is `absentUntil`. */
export function isInLeave(
  time: Date,
  { timeZone, absentUntil }: { timeZone: string; absentUntil: string | null },
): boolean {
  if (absentUntil === null) return false;
  const day = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  return Temporal.PlainDate.compare(day, absentUntil) <= 0;
}

/** Reports whether a time is within the working hours. */
export function isWorkingTime(time: Date, timeZone: string): boolean {
  const { dayOfWeek, hour } = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone);
  return dayOfWeek <= FRIDAY && hour >= FIRST_HOUR && hour < END_HOUR;
}
