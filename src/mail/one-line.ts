import { LINK_SIGNS } from './link-signs.ts';

/** An invisible character that no address contains. */
const MARK = '\u200b';
const SIGNS = new RegExp(`(?<=\\S)[${LINK_SIGNS}]+(?=\\S)`, 'gu');

/**
 * Makes a name safe for a header or a line of a mail. It may hold line breaks and other control characters, and text
 * that mail programs turn into a link, such as `www.evil.example`.
 */
export function oneLine(text: string): string {
  return (
    withoutEncodedWords(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
      .trim()
      // A mark on both sides: some programs take one mark for a letter of the domain.
      .replace(SIGNS, (signs) => `${MARK}${[...signs].join(MARK)}${MARK}`)
  );
}

/** `=?` begins an encoded word. With the mark, which must be encoded itself, the text cannot be read as one. */
export function withoutEncodedWords(text: string): string {
  return text.replaceAll('=?', `=${MARK}?`);
}
