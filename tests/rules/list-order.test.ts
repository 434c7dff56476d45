/** @jest-environment node */
import { afterKeyset, orderBy, toKeyset } from '../../src/db/keyset.ts';

test('one column is compared by itself', () => {
  expect(orderBy({ id: 'uuid' })).toBe('"id"');
  expect(afterKeyset({ id: 'uuid' }, 2)).toBe('"id" > (select $2::uuid)');
});

test('columns of one direction are one range of an index', () => {
  const order = { occurredAt: 'timestamptz desc', id: 'uuid desc' } as const;
  expect(orderBy(order)).toBe('"occurredAt" desc, "id" desc');
  expect(afterKeyset(order, 3)).toBe(
    '"occurredAt" <= (select $3::timestamptz) and ("occurredAt", "id") < ((select $3::timestamptz), (select $4::uuid))',
  );
});

test('rows without a value stand behind all that have one, each by its other columns', () => {
  const order = { breachDate: 'date desc nulls last', id: 'uuid' } as const;
  expect(orderBy(order)).toBe('"breachDate" desc nulls last, "id"');
  const further = '("breachDate" < (select $1::date) or ("breachDate" is null and (select $1::date) is not null))';
  expect(afterKeyset(order, 1)).toBe(
    `(${further} or ("breachDate" is not distinct from (select $1::date) and "id" > (select $2::uuid)))`,
  );
});

test('a place has the values of the order’s columns alone', () => {
  expect(toKeyset({ learnerId: 'uuid', attempt: 'integer' }, { attempt: 2, name: 'Ada', learnerId: 'x' })).toEqual([
    'x',
    2,
  ]);
});
