import { Temporal } from 'temporal-polyfill';

/** A day such as `2026-01-31`. Days compare as strings do. */
export type Day = string;

export const BEFORE_ALL: Day = '0000-01-01';
const DAY_MS = 86_400_000;
const FIRST_HOUR = 9;
const END_HOUR = 17;
const HOUR_MINUTES = 60;

/** A time as the clocks of a time zone show it. */
export interface Local {
  day: Day;
  /** Minutes since midnight. */
  minutes: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function toLocal(at: number, zone: string): Local {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  const [day, time] = format.format(at).split(' ') as [Day, string];
  const [hours, minutes] = time.split(':').map(Number) as [number, number];
  return { day, minutes: hours * HOUR_MINUTES + minutes };
}

export const addDays = (day: Day, days: number): Day =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

export const addMonths = (day: Day, months: number): Day => Temporal.PlainDate.from(day).add({ months }).toString();

/** Returns the number of a day in its week, from 1 (Monday) to 7 (Sunday). */
export const weekday = (day: Day): number => new Date(day).getUTCDay() || 7;

/** Returns the given day, or the first working day after it. */
export const workingDay = (day: Day): Day => addDays(day, [0, 0, 0, 0, 0, 2, 1][weekday(day) - 1]!);

/** Returns the start of a day. */
export const startOf = (day: Day, zone: string): number =>
  Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;

export const isWorkingTime = ({ day, minutes }: Local): boolean =>
  weekday(day) <= 5 && minutes >= FIRST_HOUR * HOUR_MINUTES && minutes < END_HOUR * HOUR_MINUTES;

/** Returns the day on which people get the message about an event at the given time, before weekends are skipped. */
export const dayOfCause = ({ day, minutes }: Local): Day =>
  minutes >= END_HOUR * HOUR_MINUTES ? addDays(day, 1) : day;

export const latest = <Value extends string | number>(...values: Value[]): Value =>
  values.reduce((a, b) => (b > a ? b : a));

export const countDays = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;
