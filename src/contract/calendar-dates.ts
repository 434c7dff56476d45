import { fullFormats } from 'ajv-formats/dist/formats.js';

const { validate: isDate } = fullFormats.date as { validate: (text: string) => boolean };

/**
 * Normalizes a calendar date: removes surrounding white space. Returns undefined for a string that is not a date in the
 * years 1000 to 2999, as `RequestDate` in the contract requires.
 */
export function calendarDate(text: string): string | undefined {
  const day = text.trim();
  return /^[12]/.test(day) && isDate(day) ? day : undefined;
}
