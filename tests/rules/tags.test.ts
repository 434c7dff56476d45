import { isAmong, namesTag, parseIfMatch } from '../../src/contract/etags.ts';

test('If-None-Match matches a weak or strong tag, a list of tags, or *', () => {
  for (const header of ['W/"a"', '"a"', '"b", W/"a"', '*', ' "a" ']) {
    for (const tag of ['"a"', 'W/"a"']) expect(namesTag(header, tag)).toBe(true);
  }
  for (const header of [undefined, '', '"b"', 'a', 'W/"ab"']) expect(namesTag(header, '"a"')).toBe(false);
});

test.each([
  ['"a"', ['"a"']],
  ['"a","b" , W/"c"', ['"a"', '"b"', 'W/"c"']],
  ['""', ['""']],
  [' * ', '*'],
])('If-Match %j contains %j', (header, tags) => expect(parseIfMatch(header)).toEqual(tags));

test.each(['', 'a', '"a', '"a", b', '*, "a"'])('%j is not a valid If-Match', (header) =>
  expect(parseIfMatch(header)).toBeUndefined(),
);

test('If-Match matches strong tags, and weak ones as compressing proxies send them', () => {
  expect([isAmong(['"b"', '"a"'], '"a"'), isAmong('*', '"a"')]).toEqual([true, true]);
  expect([isAmong(['W/"a"'], '"a"'), isAmong(['W/"b"'], '"a"'), isAmong([], '"a"')]).toEqual([true, false, false]);
});
