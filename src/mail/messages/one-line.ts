import { LINK_SIGNS } from './link-signs.ts';

/** Invisible character that occurs in no URL or e-mail address. */
const MARK = '\u200b';
const SIGNS = new RegExp(`(?<=\\S)[${LINK_SIGNS}]+(?=\\S)`, 'gu');
const SIGNS_AT_ENDS = new RegExp(`^[${LINK_SIGNS}]+|[${LINK_SIGNS}]+$`, 'gu');

/**
 * Makes a name safe for a header or a line of an email. The name can contain control characters such as line breaks,
 * and text that mail programs turn into a link, such as `www.evil.example`.
 */
export function oneLine(text: string): string {
  return withoutEncodedWords(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
    .trim()
    .replace(SIGNS, marked);
}

/** Makes a name safe next to other text: `evil` followed by `.example` would form a domain. */
export function oneLineAmidText(text: string): string {
  return oneLine(text).replace(SIGNS_AT_ENDS, marked);
}

/**
 * Puts a mark on both sides of each punctuation character: some programs treat a single mark as a letter of the domain.
 */
function marked(signs: string): string {
  return `${MARK}${[...signs].join(MARK)}${MARK}`;
}

/**
 * Breaks up `=?`, which begins an encoded word. The mark itself must be encoded, so no program reads the text as an
 * encoded word.
 */
export function withoutEncodedWords(text: string): string {
  return text.replaceAll('=?', `=${MARK}?`);
}
