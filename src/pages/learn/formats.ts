import type { Language } from '../../contract/languages.ts';

const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE', fr: 'fr-FR' };

/** Formats of one language for days, times in UTC, and file sizes. */
export interface Formatter {
  day: (time: string) => string;
  time: (time: string) => string;
  size: (bytes: number) => string;
}

const formatters = Object.fromEntries(
  Object.entries(LOCALES).map(([language, locale]) => [language, createFormatter(locale)]),
) as Record<Language, Formatter>;

export function formatter(language: Language): Formatter {
  return formatters[language];
}

function createFormatter(locale: string): Formatter {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  const kilobytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
  return {
    day: (value) => day.format(new Date(value)),
    time: (value) => time.format(new Date(value)),
    size: (bytes) => kilobytes.format(Math.max(1, bytes / 1000)),
  };
}
