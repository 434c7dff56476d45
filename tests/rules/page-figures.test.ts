import { jest } from '@jest/globals';
import { PageFigures } from '../../src/db/page-figures.ts';
import type { Statement } from '../../src/db/statement.ts';
import type { TenantReader } from '../../src/db/tenant.ts';

const counted = { name: 'count', areFigures: true } as Statement<object, { count: number; text: string }>;
const lookup = { name: 'lookup', isAggregate: true } as Statement<object, { count: number }>;

/** A company whose statements return how often they ran, and a string. */
function createTenant(companyId = 'tenant', text = ''): TenantReader {
  let count = 0;
  const answer = <R>() => [{ count: (count += 1), text } as R];
  return {
    companyId,
    queryOne: <P, R>(_statement: Statement<P, R>) => Promise.resolve(answer<R>()[0]),
    queryAll: <P, R>(_statement: Statement<P, R>) => Promise.resolve(answer<R>()),
    stream: () => {
      throw new Error('not read');
    },
  };
}

const FIRST = { limit: 10 };
const LATER = { limit: 10, cursor: 'a' };

afterEach(() => jest.useRealTimers());

test('later pages repeat the figures of the first page, which always counts them', async () => {
  const [figures, tenant] = [new PageFigures(), createTenant()];
  const count = async (page: object, params = {}) =>
    (await figures.readerOf(tenant, page).queryOne(counted, params))?.count;
  expect([await count(FIRST), await count(LATER), await count(LATER)]).toEqual([1, 1, 1]);
  expect([await count(FIRST), await count(LATER)]).toEqual([2, 2]);
  expect([await count({}), await count(LATER)]).toEqual([3, 2]);
  expect([await count(LATER, { groupId: 'a' }), await count(LATER)]).toEqual([4, 2]);
});

test('figures are kept for a minute', async () => {
  jest.useFakeTimers();
  const [figures, tenant] = [new PageFigures(), createTenant()];
  const count = async (page: object) => (await figures.readerOf(tenant, page).queryAll(counted, {}))[0]!.count;
  await count(FIRST);
  jest.advanceTimersByTime(59_000);
  expect(await count(LATER)).toBe(1);
  jest.advanceTimersByTime(2000);
  expect([await count(LATER), await count(LATER)]).toEqual([2, 2]);
});

test('a company does not get the figures of another company, and lookups are not kept', async () => {
  const figures = new PageFigures();
  const [tenant, other] = [createTenant(), createTenant('other', 'other')];
  await figures.readerOf(tenant, FIRST).queryOne(counted, {});
  expect(await figures.readerOf(other, LATER).queryOne(counted, {})).toMatchObject({ text: 'other' });
  const looked = figures.readerOf(tenant, LATER);
  expect([await looked.queryOne(lookup, {}), await looked.queryOne(lookup, {})]).toMatchObject([
    { count: 2 },
    { count: 3 },
  ]);
});

test('the oldest figures are dropped when all together exceed 16 million characters', async () => {
  const figures = new PageFigures();
  const tenant = createTenant('tenant', 'x'.repeat(6_000_000));
  const count = async (page: object, n: number) =>
    (await figures.readerOf(tenant, page).queryOne(counted, { n }))!.count;
  for (const n of [1, 2, 3]) await count(FIRST, n);
  expect([await count(LATER, 2), await count(LATER, 3)]).toEqual([2, 3]);
  expect(await count(LATER, 1)).toBe(4);
});
