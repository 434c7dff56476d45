/**
 * Punctuation of URLs and e-mail addresses, for a character class of a regular expression: `.`, `:`, `/`, `@`, and the
 * characters that mail programs and browsers accept in their place. These are characters that NFKC folds into them,
 * Chinese and Japanese full stops, and other slashes.
 */
export const LINK_SIGNS = [
  '.:/@',
  String.raw`\u2024-\u2026\u3002\u33c2\u33c7\u33d8\ufe12\ufe19\ufe30\ufe52\uff0e\uff61\u2488-\u249b\u{1f100}`,
  String.raw`\u2a74\ufe13\ufe55\uff1a\ufe6b\uff20`,
  String.raw`\xbc-\xbe\u2044\u2100\u2101\u2105\u2106\u2150-\u215f\u2189\u2215\u29f8\uff0f`,
].join('');

/** Returns the text as mail programs and browsers read it: without invisible characters, and with plain punctuation. */
export function withPlainSigns(text: string): string {
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replace(/[\u2044\u2215\u29f8]/g, '/');
}
