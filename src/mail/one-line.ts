import { LINK_SIGNS } from './link-signs.ts';

/** An invisible character that no address contains. */
const MARK = '\u200b';
const SIGNS = new RegExp(`(?<=\\S)[${LINK_SIGNS}]+(?=\\S)`, 'gu');
const SIGNS_AT_ENDS = new RegExp(`^[${LINK_SIGNS}]+|[${LINK_SIGNS}]+$`, 'gu');

/**
 * Makes a name safe for a header or a line of a mail. It may hold line breaks and other control characters, and text
 * that mail programs turn into a link, such as `www.evil.example`.
 */
export function oneLine(text: string): string {
  return withoutEncodedWords(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
    .trim()
    .replace(SIGNS, marked);
}

/** The same for a name that other text may touch: `evil` and `.example` would make an address. */
export function oneLineAmidText(text: string): string {
  return oneLine(text).replace(SIGNS_AT_ENDS, marked);
}

/** A mark on both sides: some programs take one mark for a letter of the domain. */
function marked(signs: string): string {
  return `${MARK}${[...signs].join(MARK)}${MARK}`;
}

/** `=?` begins an encoded word. With the mark, which must be encoded itself, the text cannot be read as one. */
export function withoutEncodedWords(text: string): string {
  return text.replaceAll('=?', `=${MARK}?`);
}
