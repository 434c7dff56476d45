/** @jest-environment node */
import { afterKeyset, orderBy, toKeyset } from '../../src/db/keyset.ts';

test('a single column is compared directly', () => {
  expect(orderBy({ id: 'uuid' })).toBe('"id"');
  expect(afterKeyset({ id: 'uuid' }, 2)).toBe('"id" > (select $2::uuid)');
});

test('columns with the same direction become a row comparison, so an index range serves it', () => {
  const order = { occurredAt: 'timestamptz desc', id: 'uuid desc' } as const;
  expect(orderBy(order)).toBe('"occurredAt" desc, "id" desc');
  expect(afterKeyset(order, 3)).toBe(
    '"occurredAt" <= (select $3::timestamptz) and ("occurredAt", "id") < ((select $3::timestamptz), (select $4::uuid))',
  );
});

test('rows without a value come last, ordered by the other columns', () => {
  const order = { breachDate: 'date desc nulls last', id: 'uuid' } as const;
  expect(orderBy(order)).toBe('"breachDate" desc nulls last, "id"');
  const further = '("breachDate" < (select $1::date) or ("breachDate" is null and (select $1::date) is not null))';
  expect(afterKeyset(order, 1)).toBe(
    `(${further} or ("breachDate" is not distinct from (select $1::date) and "id" > (select $2::uuid)))`,
  );
});

test('toKeyset keeps only the columns of the order', () => {
  expect(toKeyset({ learnerId: 'uuid', attempt: 'integer' }, { attempt: 2, name: 'Ada', learnerId: 'x' })).toEqual([
    'x',
    2,
  ]);
});
