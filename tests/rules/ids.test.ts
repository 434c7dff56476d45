import { version } from 'uuid';
import { isId, newIds } from '../../src/db/ids.ts';

test('ten thousand new ids are distinct and ascending', () => {
  const ids = newIds(10_000);
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.toSorted()).toEqual(ids);
});

test('a new id is a version 7 UUID with its creation time', () => {
  const before = Date.now();
  const [id] = newIds(1);
  expect(isId(id!)).toBe(true);
  expect(version(id!)).toBe(7);
  const madeAt = parseInt(id!.replaceAll('-', '').slice(0, 12), 16);
  expect(madeAt).toBeGreaterThanOrEqual(before);
  expect(madeAt).toBeLessThanOrEqual(Date.now());
});

test('newIds(0) returns an empty list', () => {
  expect(newIds(0)).toEqual([]);
});
