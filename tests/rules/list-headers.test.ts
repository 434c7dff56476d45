import { Rows } from '../../src/db/rows.ts';
import { metaHeaders } from '../../src/http/response/send-list.ts';

const list = (beside: object) => Rows.of(() => [].values()).withMeta(beside);

test('what stands beside a list is in headers, in ASCII', () => {
  expect(metaHeaders(list({ coverage: { watchedDomains: ['bücher.test'] } }))).toEqual([
    ['Coverage', '{"watchedDomains":["b\\u00fccher.test"]}'],
  ]);
  expect(metaHeaders(Rows.of(() => [].values()))).toEqual([]);
});

test('a field that is too long for a header is refused, by name', () => {
  const long = list({ coverage: { watchedDomains: Array.from({ length: 500 }, (_, n) => `watched-${n}.test`) } });
  expect(() => metaHeaders(long)).toThrow(/coverage/);
});
