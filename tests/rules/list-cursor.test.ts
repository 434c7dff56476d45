/** @jest-environment node */
import type { Order } from '../../src/db/keyset.ts';
import { type ListIdentity, readCursor, writeCursor } from '../../src/operations/list-cursor.ts';

const ID = '0192a3b4-0000-7000-8000-000000000001';
const OTHER = '0192a3b4-0000-7000-8000-000000000002';
const ORDER: Order = {
  breachDate: 'date desc nulls last',
  at: 'timestamptz',
  email: 'text',
  attempt: 'integer',
  id: 'uuid',
};
const list: ListIdentity = { operationId: 'listLearners', companyId: ID, filter: { b: true, a: 'x' }, order: ORDER };
const PLACE = ['2026-03-02', '2026-03-02T08:30:00.120Z', 'ürsula@tenant.test', 2, ID];

test('a cursor round-trips its position', () => {
  expect(readCursor(list, writeCursor(list, PLACE))).toEqual(PLACE);
  expect(readCursor(list, writeCursor(list, [null, ...PLACE.slice(1)]))).toEqual([null, ...PLACE.slice(1)]);
});

test('the order of filters does not matter', () => {
  expect(readCursor({ ...list, filter: { a: 'x', b: true } }, writeCursor(list, PLACE))).toEqual(PLACE);
});

test.each<[string, Partial<ListIdentity>]>([
  ['operation', { operationId: 'listGroups' }],
  ['company', { companyId: OTHER }],
  ['filter', { filter: { b: true } }],
  ['value of a filter', { filter: { b: 'true', a: 'x' } }],
  ['order', { order: { ...ORDER, id: 'uuid desc' } }],
])('a cursor of another %s is invalid', (_what, changes) => {
  expect(readCursor({ ...list, ...changes }, writeCursor(list, PLACE))).toBeUndefined();
});

test('a cursor with a missing, added or changed character is invalid', () => {
  const cursor = writeCursor(list, PLACE);
  for (const index of cursor.split('').keys()) {
    const [before, after] = [cursor.slice(0, index), cursor.slice(index + 1)];
    for (const text of [before, before + after, `${before}A${cursor.slice(index)}`, `${before}~${after}`]) {
      if (text !== cursor) expect(readCursor(list, text)).toBeUndefined();
    }
  }
  for (const text of ['', '=', `${cursor}=`, `${cursor}A`]) expect(readCursor(list, text)).toBeUndefined();
});

test.each([
  [[]],
  [PLACE.slice(1)],
  [[...PLACE, 1]],
  [['2026-02-30', ...PLACE.slice(1)]],
  [['0000-01-01', ...PLACE.slice(1)]],
  [[PLACE[0], 'yesterday', ...PLACE.slice(2)]],
  [[PLACE[0], null, ...PLACE.slice(2)]],
  [[...PLACE.slice(0, 2), 'a\0b', 2, ID]],
  [[...PLACE.slice(0, 2), '\ud800', 2, ID]],
  [[...PLACE.slice(0, 3), 2 ** 31, ID]],
  [[...PLACE.slice(0, 3), 1.5, ID]],
  [[...PLACE.slice(0, 4), 'no id']],
])('a forged cursor with the position %j is rejected before it reaches Postgres', (place) => {
  expect(readCursor(list, writeCursor(list, place))).toBeUndefined();
});
