import { version } from 'uuid';
import { isId, newIds } from '../../src/db/ids.ts';

test('ten thousand new ids all differ, and each is greater than the one before', () => {
  const ids = newIds(10_000);
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.toSorted()).toEqual(ids);
});

test('a new id is a UUID of version 7 that says when it was made', () => {
  const before = Date.now();
  const [id] = newIds(1);
  expect(isId(id!)).toBe(true);
  expect(version(id!)).toBe(7);
  const madeAt = parseInt(id!.replaceAll('-', '').slice(0, 12), 16);
  expect(madeAt).toBeGreaterThanOrEqual(before);
  expect(madeAt).toBeLessThanOrEqual(Date.now());
});

test('no ids are made when none are asked for', () => {
  expect(newIds(0)).toEqual([]);
});
