import { randomBytes } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';

/** Crockford's Base32 alphabet, without letters that can be misread. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 20;
const NUMBER = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Creates an unguessable number of 100 random bits. */
export function createNumber(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** Formats a certificate number in groups of five characters, for people to read. */
export function formatNumber(number: string): string {
  return number.replace(/.{5}(?=.)/g, '$&-');
}

/**
 * Parses a certificate number that a person entered, in any case and with or without groups; undefined if it is
 * invalid.
 */
export function readNumber(typed: string): string | undefined {
  const number = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return NUMBER.test(number) ? number : undefined;
}

/** Returns the last day on which a certificate is valid; null if it does not expire. */
export function lastValidDay(finishDate: string, validForMonths: number | null): string | null {
  if (validForMonths === null) return null;
  return Temporal.PlainDate.from(finishDate).add({ months: validForMonths }).toString();
}
