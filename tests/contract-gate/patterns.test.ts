import { normalPattern } from '../../contract-gate/src/normal/normal-pattern.ts';
import { changed } from './support/pairs.ts';

const tag = (contract: any) => contract.components.schemas.NewBook.properties.tags.items;

const same: [name: string, one: string, other: string][] = [
  ['digits', '^\\d{4}$', '^[0-9]{4}$'],
  ['non-digits', '^\\D$', '^[^0-9]$'],
  ['word characters', '^\\w+$', '^[A-Za-z0-9_]+$'],
  [
    'white space',
    '^\\s$',
    '^[ \\t\\n\\v\\f\\r\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]$',
  ],
  ['the dot', '^.$', '^[^\\n\\r\\u2028\\u2029]$'],
  ['Unicode and hexadecimal escapes', '^[\\u0021-\\u007e]+$', '^[\\x21-\\x7e]+$'],
  ['an escape and its character', '^[\\u0021-\\u007e\\u00e9]+$', '^[!-~é]+$'],
  ['an astral character', '^\\u{1F600}$', '^😀$'],
  ['ranges in another order', '^[a-z0-9]$', '^[0-9a-z]$'],
  ['adjacent ranges', '^[a-mn-z]$', '^[a-z]$'],
  ['unneeded escapes', '^[\\.\\-x]$', '^[.x-]$'],
  ['a class with one character', '^[.]x$', '^\\.x$'],
  ['a capturing group', '^(?:ab)+$', '^(ab)+$'],
  ['a group around one character', '^(a)+$', '^a+$'],
  ['a lazy quantifier', '^a+?$', '^a+$'],
  ['counts in place of quantifier signs', '^a{0,}b{1,}c{0,1}d{1}$', '^a*b+c?d$'],
  ['one or more repetitions', '^aa*$', '^a+$'],
  ['alternatives of one character', '^(a|b|[0-9])$', '^[ab0-9]$'],
  ['an unrolled loop', '^[a-z]*(-[a-z]*)*$', '^[a-z-]*$'],
  [
    'the characters of names',
    '^ *[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\ufeff][^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\ufeff]*$',
    '^ *([^\\x00-\\x20\\x7f-\\xa0\u1680\u2000-\u200a\u2027-\u202f\u205f\u3000\ufeff]|\u2027)[^\\x00-\\x1f\\x7f-\\x9f\u2027-\u202f\ufeff]*([\u2027\u202f][^\\x00-\\x1f\\x7f-\\x9f\u2027-\u202f\ufeff]*)*$',
  ],
  ['a negation and its complement', '^[^\\x00-\\x60\\x62-\\u{10FFFF}]$', '^a$'],
];

test.each(same)('the gate treats two spellings of %s as equal', (_name, one, other) => {
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
  ['the position of a hyphen', '^[a-z]$', '^[az-]$'],
  ['the order of a sequence', '^ab$', '^ba$'],
  ['a loop over another part', '^[a-z]*(-[a-y]*)*$', '^[a-z-]*$'],
  ['a loop that runs once', '^[a-z]*(-[a-z]*)?$', '^[a-z-]*$'],
  ['an alternative of two characters', '^(a|bc)$', '^[abc]$'],
  ['the scope of an alternative', '^a|b$', '^[ab]$'],
])('patterns that differ in %s have different normal forms', (_name, one, other) => {
  expect(normalPattern(one)).not.toBe(normalPattern(other));
});

test.each(['^a(?=b)', '^(?!a)b', '(a)\\1', '\\p{L}', '^(?<name>a)$', '\\ba', '(', '[a', 'a)', '[z-a]', '\\'])(
  'the pattern %s is not parsed and stays unchanged',
  (pattern) => {
    expect(normalPattern(pattern)).toBe(pattern);
  },
);

test.each(same)('the normal form of %s matches the same strings as the pattern', (_name, ...patterns) => {
  const samples = ['a', 'ab', 'é', '-', '5', '1234', 'a-z', ' ', '\n', '\u2028', '😀', 'aab', '.x', '', 'abcd', 'aba'];
  for (const pattern of patterns) {
    const matches = (expression: string) => samples.filter((text) => new RegExp(expression, 'u').test(text));
    // An escaped hyphen is valid only in a class.
    const normal = normalPattern(pattern);
    expect([normal, matches(normal)]).toEqual([normal, matches(pattern)]);
  }
});
