import { normalPattern } from '../../contract-gate/src/normal/normal-pattern.ts';
import { changed } from './support/pairs.ts';

const tag = (contract: any) => contract.components.schemas.NewBook.properties.tags.items;

const same: [name: string, one: string, other: string][] = [
  ['digits', '^\\d{4}$', '^[0-9]{4}$'],
  ['the rest of digits', '^\\D$', '^[^0-9]$'],
  ['characters of a word', '^\\w+$', '^[A-Za-z0-9_]+$'],
  [
    'white space',
    '^\\s$',
    '^[ \\t\\n\\v\\f\\r\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]$',
  ],
  ['any character but a line terminator', '^.$', '^[^\\n\\r\\u2028\\u2029]$'],
  ['four digits and two', '^[\\u0021-\\u007e]+$', '^[\\x21-\\x7e]+$'],
  ['an escape and the character', '^[\\u0021-\\u007e\\u00e9]+$', '^[!-~é]+$'],
  ['an astral character', '^\\u{1F600}$', '^😀$'],
  ['ranges in another order', '^[a-z0-9]$', '^[0-9a-z]$'],
  ['ranges that touch', '^[a-mn-z]$', '^[a-z]$'],
  ['escapes that are not needed', '^[\\.\\-x]$', '^[.x-]$'],
  ['a class of one character', '^[.]x$', '^\\.x$'],
  ['a group that captures', '^(?:ab)+$', '^(ab)+$'],
  ['a group around one character', '^(a)+$', '^a+$'],
  ['a lazy repetition', '^a+?$', '^a+$'],
  ['counts for signs', '^a{0,}b{1,}c{0,1}d{1}$', '^a*b+c?d$'],
  ['one and any more', '^aa*$', '^a+$'],
  ['options of one character', '^(a|b|[0-9])$', '^[ab0-9]$'],
  ['a loop that is unrolled', '^[a-z]*(-[a-z]*)*$', '^[a-z-]*$'],
  [
    'the characters of names',
    '^ *[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\ufeff][^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\ufeff]*$',
    '^ *([^\\x00-\\x20\\x7f-\\xa0\u1680\u2000-\u200a\u2027-\u202f\u205f\u3000\ufeff]|\u2027)[^\\x00-\\x1f\\x7f-\\x9f\u2027-\u202f\ufeff]*([\u2027\u202f][^\\x00-\\x1f\\x7f-\\x9f\u2027-\u202f\ufeff]*)*$',
  ],
  ['negation and what it leaves', '^[^\\x00-\\x60\\x62-\\u{10FFFF}]$', '^a$'],
];

test.each(same)('the gate takes two spellings of %s for one', (_name, one, other) => {
  expect(normalPattern(one)).toBe(normalPattern(other));
  const { breaking, compatible } = changed(
    (c) => (tag(c).pattern = one),
    (c) => (tag(c).pattern = other),
  );
  expect([breaking, compatible]).toEqual([[], []]);
});

test.each([
  ['a character', '^[a-z]$', '^[a-y]$'],
  ['a count', '^a{2}$', '^a{3}$'],
  ['an anchor', '^a', 'a'],
  ['the place of a hyphen', '^[a-z]$', '^[az-]$'],
  ['the order of a sequence', '^ab$', '^ba$'],
  ['a loop over another part', '^[a-z]*(-[a-y]*)*$', '^[a-z-]*$'],
  ['a loop that runs once', '^[a-z]*(-[a-z]*)?$', '^[a-z-]*$'],
  ['an option of two characters', '^(a|bc)$', '^[abc]$'],
  ['what is before an option', '^a|b$', '^[ab]$'],
])('patterns that differ in %s have two normal forms', (_name, one, other) => {
  expect(normalPattern(one)).not.toBe(normalPattern(other));
});

test.each(['^a(?=b)', '^(?!a)b', '(a)\\1', '\\p{L}', '^(?<name>a)$', '\\ba', '(', '[a', 'a)', '[z-a]', '\\'])(
  'the pattern %s is not parsed and stays as it is',
  (pattern) => {
    expect(normalPattern(pattern)).toBe(pattern);
  },
);

test.each(same)('the normal form of %s matches what the pattern matches', (_name, ...patterns) => {
  const samples = ['a', 'ab', 'é', '-', '5', '1234', 'a-z', ' ', '\n', '\u2028', '😀', 'aab', '.x', '', 'abcd', 'aba'];
  for (const pattern of patterns) {
    const matches = (expression: string) => samples.filter((text) => new RegExp(expression, 'u').test(text));
    // The hyphen may be escaped in a class alone.
    const normal = normalPattern(pattern);
    expect([normal, matches(normal)]).toEqual([normal, matches(pattern)]);
  }
});
