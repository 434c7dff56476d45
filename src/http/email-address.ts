const MAX_LENGTH = 254;

/**
 * Reports whether a string has the form of an e-mail address. Only sending an email would show whether the address
 * exists.
 */
export function isAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(text);
}
