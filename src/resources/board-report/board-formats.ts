import type { Language } from '../../contract/languages.ts';

/** Formatting functions for one language. Days are calendar dates. */
export interface BoardFormats {
  number: (value: number) => string;
  /** A number with one decimal, such as a risk score. */
  score: (value: number) => string;
  /** A difference with its sign. */
  change: (value: number) => string;
  /** A share from 0 to 1 as a percentage. */
  percent: (share: number) => string;
  day: (date: string) => string;
  /** The day before a calendar date. */
  dayBefore: (date: string) => string;
}

const DAY_MS = 86_400_000;

export function createFormats(language: Language): BoardFormats {
  const locale = language === 'en' ? 'en-GB' : language;
  const number = new Intl.NumberFormat(locale);
  const score = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const change = new Intl.NumberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    number: (value) => number.format(value),
    score: (value) => score.format(value),
    change: (value) => change.format(value),
    // Rounds down, so that 100% means that nothing is left.
    percent: (share) => percent.format(Math.floor(share * 100 + 1e-9) / 100),
    day: (date) => day.format(new Date(date)),
    dayBefore: (date) => day.format(new Date(Date.parse(date) - DAY_MS)),
  };
}
