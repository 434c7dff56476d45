const MAX_LENGTH = 254;

/** Whether a text may be an e-mail address. Whether it is one, only a mail to it would show. */
export function isAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(text);
}
