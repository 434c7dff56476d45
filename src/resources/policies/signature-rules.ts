import type { Schemas } from '../../contract.ts';
import { invalidField } from '../../errors.ts';

export type SignatureType = Schemas['SignatureType'];

/** How often learners sign again. Days are `2026-03-31`, in UTC: no clock is ever put forward or back. */
export interface SignatureSettings {
  type: SignatureType;
  startDate: string | null;
  intervalLength: number | null;
  intervalUnit: 'months' | 'years' | null;
  useDefault: boolean;
  setDefault: boolean;
}

/**
 * The settings that a request means, with what it left out.
 * @param isDefault whether the settings of the policy are the company's default, which they stay unless it says otherwise
 * @throws invalid_request for settings that contradict themselves, or that both follow the default and make it
 */
export function toSettings(request: Schemas['SignatureSettingsInput'], isDefault = false): SignatureSettings {
  const { type, startDate = null, intervalLength = null, useDefault = false, setDefault = isDefault } = request;
  const given = { type, startDate, intervalLength, intervalUnit: request.intervalUnit ?? null };
  const contradiction = contradictionIn(given);
  if (contradiction) throw invalidField(`body/signatureSettings/${contradiction[0]}`, contradiction[1]);
  if (useDefault && setDefault) {
    const message = request.setDefault ? 'contradicts useDefault' : 'is true and contradicts useDefault: send false';
    throw invalidField('body/signatureSettings/setDefault', message);
  }
  const intervalUnit = given.intervalUnit ?? (intervalLength === null ? null : 'months');
  return { ...given, intervalUnit, useDefault, setDefault };
}

type OwnSettings = Omit<SignatureSettings, 'useDefault' | 'setDefault'>;

/** The first field that the others leave without a meaning, or that they need, and why. */
function contradictionIn(settings: OwnSettings): [keyof OwnSettings, string] | undefined {
  const { type, startDate, intervalLength, intervalUnit } = settings;
  if (type === 'none' && startDate !== null) return ['startDate', 'has no meaning with none'];
  if (type === 'none' && intervalLength !== null) return ['intervalLength', 'has no meaning with none'];
  if (intervalUnit !== null && intervalLength === null)
    return ['intervalUnit', 'has no meaning without intervalLength'];
  if (type === 'lastSignature' && startDate !== null) return ['startDate', 'has no meaning with lastSignature'];
  if (type === 'lastSignature' && intervalLength === null) return ['intervalLength', 'is required with lastSignature'];
  if (type === 'fixed' && startDate === null && intervalLength === null) {
    return ['startDate', 'is required with fixed where there is no intervalLength'];
  }
  return undefined;
}

/** The day that is so many months later, or the last of its month when that is shorter. */
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

function monthsOf({ intervalLength, intervalUnit }: Interval): number | null {
  if (intervalLength === null) return null;
  return intervalUnit === 'years' ? intervalLength * 12 : intervalLength;
}

/**
 * The last day up to today on which everyone is asked: the first day, or any number of intervals after it. Null before
 * the first. Each is counted from the first day, so that the 31st stays the 31st where a month has one.
 */
export function lastFixedDay(firstDay: string, interval: Interval, today: string): string | null {
  if (firstDay > today) return null;
  const months = monthsOf(interval);
  if (months === null) return firstDay;
  const [year, month] = firstDay.split('-').map(Number) as [number, number];
  const [todaysYear, todaysMonth] = today.split('-').map(Number) as [number, number];
  let steps = Math.floor(((todaysYear - year) * 12 + todaysMonth - month) / months);
  if (addMonths(firstDay, steps * months) > today) steps -= 1;
  return addMonths(firstDay, steps * months);
}

/**
 * The last day on which a signature was given that is one interval old today: those up to it are due again. Null when
 * nobody is asked again.
 */
export function lastDaySignedDue(interval: Interval, today: string): string | null {
  const months = monthsOf(interval);
  if (months === null) return null;
  let day = addMonths(today, -months);
  // The last days of a long month end with those of a shorter one: on 28 February also the 29th to 31st are due.
  while (addMonths(nextDay(day), months) <= today) day = nextDay(day);
  return day;
}

/** Whom a policy's settings ask today: everyone, or who never signed, last asked before a day; or who signed up to one. */
export type DueSignatures =
  { ask: 'everyone' | 'unsigned'; askedBefore: string } | { ask: 'signed'; signedUntil: string };

/**
 * What falls due by today, or null when nothing does. Fixed days that were past when the settings were made, or the
 * policy published, ask nobody.
 * @param publishedOn the day of the first publication, from which fixed days are counted where no first day is set
 * @param madeOn the day on which these settings came to hold for the policy
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
  const askedBefore = lastFixedDay(settings.startDate ?? publishedOn, settings, today);
  if (askedBefore === null || askedBefore <= publishedOn || askedBefore <= madeOn) return null;
  return { ask: settings.type === 'fixed' ? 'everyone' : 'unsigned', askedBefore };
}
