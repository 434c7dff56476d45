import { readFileSync } from 'node:fs';
import { problemOfPattern } from '../../scripts/check/portable-pattern.ts';
import { patternsIn } from '../support/patterns.ts';

test.each(['openapi', 'scim'])('every pattern of generated/%s.json is portable', (name) => {
  const patterns = patternsIn(JSON.parse(readFileSync(`generated/${name}.json`, 'utf8')));
  expect(patterns.length).toBeGreaterThan(2);
  expect(patterns.flatMap((pattern) => problemOfPattern(pattern) ?? [])).toEqual([]);
});

test.each([
  ['^\\u0041$', 'write the character itself'],
  ['^\\u{1F600}$', 'write the character itself'],
  ['^[\\x7f-\\xa0]$', 'Ruby reads it as a byte'],
  ['^\\d+$', 'write [0-9]'],
  ['^[\\D]+$', 'write [0-9]'],
  ['^\\w+$', 'write [A-Za-z0-9_]'],
  ['^[^\\s]+$', 'write the characters out'],
  ['\\bword', 'write the characters out'],
  ['^a.*$', 'write a negated class'],
  ['^(?=a)', 'RE2 and Rust have no assertions'],
  ['^(?<!a)b', 'RE2 and Rust have no assertions'],
  ['(?<year>[0-9])', 'use ( or (?: for a group'],
  ['(?i)a', 'use ( or (?: for a group'],
  ['(a)\\1', 'some languages do not support it'],
  ['\\p{L}', 'some languages do not support it'],
  ['\\x{41}', 'some languages do not support it'],
  ['\\v', 'some languages do not support it'],
  ['\\0', 'some languages do not support it'],
  ['\\cA', 'some languages do not support it'],
  ['\\Aa\\z', 'some languages do not support it'],
  ['a\\-b', 'some languages do not support it'],
  ['a\\/b', 'some languages do not support it'],
  ['a{,2}', 'escape it'],
  ['a{b}', 'escape it'],
  ['a]', 'escape it'],
  ['a++', 'some languages do not support it'],
  ['[a[b]', 'a nested class'],
  ['[]a]', 'an empty class'],
  ['[^]', 'an empty class'],
  ['[a&&b]', 'operator in Java or Rust'],
  ['[a--b]', 'operator in Java or Rust'],
  ['[\u2028]', 'ends the line'],
  ['[\u0007]', 'some languages do not support it'],
  ['[😀]', 'two characters'],
  ['(', 'not a valid pattern'],
  ['a)', 'not a valid pattern'],
  ['[z-a]', 'not a valid pattern'],
  ['[a', 'not a valid pattern'],
  ['a{1001}', 'at most 1000'],
  ['(a{40}){40}', 'at most 1000'],
  ['^[^a]$', 'a negated class'],
  ['^[^a]{1,5}$', 'a negated class'],
  ['^([^a]b)*$', 'a negated class'],
])('the pattern %s is not portable', (pattern, reason) => {
  expect(problemOfPattern(pattern)?.toLowerCase()).toContain(reason.toLowerCase());
});

test.each([
  '',
  '^[a-z]{2,3}(-[A-Z][a-z]{3})?$',
  '^(?:a|bc)+?$',
  '^[0-9A-Za-z:.,%"\\[\\] _-]+$',
  '^[a\\-z]\\.\\x41\\t$',
  '^([!#-~][!-~]{0,254}|"([!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$',
  '^[^\\x00]*$',
  '^[^a][^b]*$',
  '^[\u2010-\u2027]é山$',
  '^(a{30}){30}$',
])('the pattern %s is portable', (pattern) => {
  expect(problemOfPattern(pattern)).toBeUndefined();
});
