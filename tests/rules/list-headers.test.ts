import { Rows } from '../../src/db/rows.ts';
import { metaHeaders } from '../../src/http/response/send-list.ts';

const list = (beside: object) => Rows.of(() => [].values()).withMeta(beside);

test('the metadata of a list becomes ASCII headers', () => {
  expect(metaHeaders(list({ coverage: { watchedDomains: ['bücher.test'] } }))).toEqual([
    ['Coverage', '{"watchedDomains":["b\\u00fccher.test"]}'],
  ]);
  expect(metaHeaders(Rows.of(() => [].values()))).toEqual([]);
});

test('a metadata field that is too long for a header is rejected with its name', () => {
  const long = list({ coverage: { watchedDomains: Array.from({ length: 500 }, (_, n) => `watched-${n}.test`) } });
  expect(() => metaHeaders(long)).toThrow(/coverage/);
});
