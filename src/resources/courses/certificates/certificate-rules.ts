import { randomBytes } from 'node:crypto';

/** Crockford's alphabet, without letters that are read as others. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 20;
const NUMBER = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** A number that nobody guesses: 100 random bits. */
export function createNumber(): string {
  return Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
}

/** The number in groups of five, as people read it. */
export function formatNumber(number: string): string {
  return number.replace(/.{5}(?=.)/g, '$&-');
}

/** The number that somebody has typed, in groups or not, in any case; undefined for what is none. */
export function readNumber(typed: string): string | undefined {
  const number = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return NUMBER.test(number) ? number : undefined;
}
