import { jest } from '@jest/globals';
import { FairSlots } from '../../src/fair-slots.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Whether a slot came at once. */
async function comesAtOnce(acquired: Promise<() => void>): Promise<boolean> {
  return Promise.race([acquired.then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

test('one company has at most its part, all together no more than there are', async () => {
  const slots = new FairSlots({ most: 4, mostOfOne: 2 });
  for (let i = 0; i < 2; i++) expect(await comesAtOnce(slots.acquire('a'))).toBe(true);
  expect(await comesAtOnce(slots.acquire('a'))).toBe(false);
  for (let i = 0; i < 2; i++) expect(await comesAtOnce(slots.acquire('b'))).toBe(true);
  expect(await comesAtOnce(slots.acquire('c'))).toBe(false);
});

test('a slot given back goes to the first who may have it', async () => {
  const slots = new FairSlots({ most: 2, mostOfOne: 1 });
  const giveBack = await slots.acquire('a');
  await slots.acquire('b');
  const second = slots.acquire('a');
  giveBack();
  giveBack();
  await second;
  expect(await comesAtOnce(slots.acquire('c'))).toBe(false);
});

test('who waits too long is told whose fault it is', async () => {
  const slots = new FairSlots({ most: 2, mostOfOne: 1 });
  await slots.acquire('a');
  await slots.acquire('b');
  const own = slots.acquire('a');
  const others = slots.acquire('c');
  jest.advanceTimersByTime(10_000);
  await expect(own).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '10' } });
  await expect(others).rejects.toMatchObject({ code: 'service_unavailable' });
});
