/** Names that are stored unchanged. */
export const keptTexts: [string, string][] = [
  ['exactly 200 characters', 'x'.repeat(200)],
  ['200 emoji, which are two UTF-16 units each', '🦊'.repeat(200)],
  ['a family emoji joined from several', '👩‍👩‍👧‍👦'],
  ['right-to-left text', 'مرحبا שלום'],
  ['a combining character', 'Zoe\u0308'],
  ['the same character, precomposed', 'Zo\u00eb'],
  ['SQL', "Robert'); drop table learners; --"],
  ['HTML', '<script>alert("1")</script> & co'],
  ['a format string and a template', '%s %n ${7*7} {{7*7}}'],
  ['leading and trailing spaces', '  Ada  '],
  ['zero-width non-joiners between letters', 'می\u200cخواهم'],
  ['punctuation that also occurs in addresses', "Dr. J:son O'Leary s/o Kumar (U.K.)"],
];

/** A name that combines most of `keptTexts`, for code that handles all strings alike. */
export const oddText = ` ${keptTexts
  .slice(2)
  .map(([, text]) => text.trim())
  .join(' ')} `;

/** Names with invisible characters, or with characters that reverse the direction of text. */
export const unseenTexts: [string, string][] = [
  ['a tab and a line break', 'Ada\t\nX'],
  ['control characters', 'a\u0001\u001b[31mb'],
  ['a right-to-left override', 'Ada \u202egnp.exe'],
  ['a zero-width space', 'A\u200bda'],
  ['only a blank letter', '\u3164'],
];

/** Names of people that contain web addresses. They are rejected with an error that names the field. */
export const webAddresses = [
  'http://evil.example/login urgent',
  'www。evil．example',
  'WWW.evil.example',
  'Ada (HTTPS://evil.example)',
];

/** Names that are rejected with an error that names the field. */
export const refusedTexts: [string, unknown][] = [
  ...unseenTexts,
  ['no characters', ''],
  ['only white space', ' \t\n\u00a0\u3000'],
  ['201 characters', 'x'.repeat(201)],
  ['10,000 characters', '🦊'.repeat(10_000)],
  ['a null character', 'Ada\0'],
  ['only a null character', '\0'],
  ['the first half of a surrogate pair', 'Ada\ud83e'],
  ['the second half of a surrogate pair', '\udd8aAda'],
  ['a number', 7],
  ['a list', ['Ada']],
  ['an object', { name: 'Ada' }],
];
