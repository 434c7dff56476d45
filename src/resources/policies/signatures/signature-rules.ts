import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';

export type SignatureType = Schemas['SignatureType'];

/** Settings for repeated signatures. Days look like `2026-03-31` and are in UTC, which has no daylight saving time. */
export interface SignatureSettings {
  type: SignatureType;
  startDate: string | null;
  intervalLength: number | null;
  intervalUnit: 'months' | 'years' | null;
  useDefault: boolean;
  setDefault: boolean;
}

/**
 * Completes the settings of a request.
 * @param isDefault whether the company's default comes from this policy; the value of `setDefault` if the request omits
 * it
 * @throws invalid_request if settings contradict each other, or `useDefault` and `setDefault` are both true
 */
export function toSettings(request: Schemas['SignatureSettingsInput'], isDefault = false): SignatureSettings {
  const { type, startDate = null, intervalLength = null, useDefault = false, setDefault = isDefault } = request;
  const given = { type, startDate, intervalLength, intervalUnit: request.intervalUnit ?? null };
  const contradiction = contradictionIn(given);
  if (contradiction) throw invalidField(`body/signatureSettings/${contradiction[0]}`, contradiction[1]);
  if (useDefault && setDefault) {
    const message = request.setDefault
      ? 'cannot be combined with `useDefault`'
      : 'is true and cannot be combined with `useDefault`; send false';
    throw invalidField('body/signatureSettings/setDefault', message);
  }
  const intervalUnit = given.intervalUnit ?? (intervalLength === null ? null : 'months');
  return { ...given, intervalUnit, useDefault, setDefault };
}

type OwnSettings = Omit<SignatureSettings, 'useDefault' | 'setDefault'>;

/** Returns the first field that is missing or contradicts the others, with the reason. */
function contradictionIn(settings: OwnSettings): [keyof OwnSettings, string] | undefined {
  const { type, startDate, intervalLength, intervalUnit } = settings;
  if (type === 'none' && startDate !== null) return ['startDate', 'cannot be combined with the type `none`'];
  if (type === 'none' && intervalLength !== null) return ['intervalLength', 'cannot be combined with the type `none`'];
  if (intervalUnit !== null && intervalLength === null) return ['intervalUnit', 'requires `intervalLength`'];
  if (type === 'lastSignature' && startDate !== null)
    return ['startDate', 'cannot be combined with the type `lastSignature`'];
  if (type === 'lastSignature' && intervalLength === null)
    return ['intervalLength', 'is required with the type `lastSignature`'];
  if (type === 'fixed' && startDate === null && intervalLength === null) {
    return ['startDate', 'is required with the type `fixed` unless `intervalLength` is set'];
  }
  return undefined;
}

/** Returns the same day of the month a number of months later, or the last day of a shorter month. */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const index = year * 12 + (month - 1) + months;
  const [laterYear, laterMonth] = [Math.floor(index / 12), index % 12];
  const lastDate = new Date(Date.UTC(laterYear, laterMonth + 1, 0)).getUTCDate();
  return isoDay(Date.UTC(laterYear, laterMonth, Math.min(date, lastDate)));
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function nextDay(day: string): string {
  return isoDay(Date.parse(day) + 86_400_000);
}

type Interval = Pick<SignatureSettings, 'intervalLength' | 'intervalUnit'>;

function toMonths({ intervalLength, intervalUnit }: Interval): number | null {
  if (intervalLength === null) return null;
  return intervalUnit === 'years' ? intervalLength * 12 : intervalLength;
}

/**
 * Returns the last day, up to today, on which everyone is asked: the first day plus any number of intervals. Returns
 * null before the first day. Each day is computed from the first day, so that a schedule on the 31st returns to the
 * 31st after shorter months.
 */
export function lastFixedDay(firstDay: string, interval: Interval, today: string): string | null {
  if (firstDay > today) return null;
  const months = toMonths(interval);
  if (months === null) return firstDay;
  const [year, month] = firstDay.split('-').map(Number) as [number, number];
  const [todaysYear, todaysMonth] = today.split('-').map(Number) as [number, number];
  let steps = Math.floor(((todaysYear - year) * 12 + todaysMonth - month) / months);
  if (addMonths(firstDay, steps * months) > today) steps -= 1;
  return addMonths(firstDay, steps * months);
}

/** Returns the day up to which signatures have expired by today; null if signatures do not expire. */
export function lastDaySignedDue(interval: Interval, today: string): string | null {
  const months = toMonths(interval);
  if (months === null) return null;
  let day = addMonths(today, -months);
  // The last days of a long month are due with the last day of a shorter month: 28 February also covers the 29th to the
  // 31st.
  while (addMonths(nextDay(day), months) <= today) day = nextDay(day);
  return day;
}

/**
 * Learners to ask today: everyone (or everyone without a signature) who was last asked before a given day, or those who
 * last signed on or before a given day.
 */
export type DueSignatures =
  { ask: 'everyone' | 'unsigned'; askedBefore: string } | { ask: 'signed'; signedUntil: string };

/**
 * Returns the requests that are due today, if any. Fixed days before the settings came into force, or before the policy
 * was published, ask nobody.
 * @param publishedOn day of the first publication; fixed days count from it if no first day is set
 * @param madeOn day on which the settings came into force for the policy
 */
export function dueSignatures(
  settings: OwnSettings,
  { publishedOn, madeOn }: { publishedOn: string; madeOn: string },
  today: string,
): DueSignatures | null {
  if (settings.type === 'none') return null;
  if (settings.type === 'lastSignature') {
    const signedUntil = lastDaySignedDue(settings, today);
    return signedUntil === null ? null : { ask: 'signed', signedUntil };
  }
  const requestedBefore = lastFixedDay(settings.startDate ?? publishedOn, settings, today);
  if (requestedBefore === null || requestedBefore <= publishedOn || requestedBefore <= madeOn) return null;
  return { ask: settings.type === 'fixed' ? 'everyone' : 'unsigned', askedBefore: requestedBefore };
}
