import type { Language } from '../../../contract/languages.ts';

export interface Formats {
  number: (value: number) => string;
  /** A number with one decimal, such as a risk score. */
  score: (value: number) => string;
  /** A percentage of a non-zero whole. */
  percent: (part: number, whole: number) => string;
  /** The day of a calendar date, in long form. */
  day: (date: string) => string;
  /** A day in short form, for an axis. */
  shortDay: (date: Date) => string;
  /** The month of a date such as `2026-03`. */
  month: (month: string) => string;
  shortMonth: (month: string) => string;
}

const made = new Map<Language, Formats>();

/** Returns the formats of a language. All dates are calendar dates in UTC, as in the reports. */
export function getFormats(language: Language): Formats {
  const existing = made.get(language);
  if (existing) return existing;
  const formats = makeFormats(language);
  made.set(language, formats);
  return formats;
}

function makeFormats(language: Language): Formats {
  // British dates put the day before the month, as the other two languages do.
  const locale = language === 'en' ? 'en-GB' : language;
  const dates = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (date: Date) => format.format(date);
  };
  const number = new Intl.NumberFormat(locale);
  const score = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const day = dates({ day: 'numeric', month: 'long', year: 'numeric' });
  const month = dates({ month: 'long', year: 'numeric' });
  const shortMonth = dates({ month: 'short', year: '2-digit' });
  return {
    number: (value) => number.format(value),
    score: (value) => score.format(value),
    // Rounded down, so that 100% means that nothing is left.
    percent: (part, whole) => percent.format(Math.floor((part * 100) / whole) / 100),
    day: (date) => day(new Date(date)),
    shortDay: dates({ day: 'numeric', month: 'short' }),
    month: (text) => month(new Date(`${text}-01`)),
    shortMonth: (text) => shortMonth(new Date(`${text}-01`)),
  };
}
