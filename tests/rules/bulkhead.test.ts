import { jest } from '@jest/globals';
import { Bulkhead } from '../../src/limits/bulkhead.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Whether a slot came at once. */
async function comesAtOnce(acquired: Promise<() => void>): Promise<boolean> {
  return Promise.race([acquired.then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

test('one company has at most its part, all together no more than there are', async () => {
  const slots = new Bulkhead({ max: 4, maxPerCompany: 2 });
  for (let i = 0; i < 2; i++) expect(await comesAtOnce(slots.acquire('a'))).toBe(true);
  expect(await comesAtOnce(slots.acquire('a'))).toBe(false);
  for (let i = 0; i < 2; i++) expect(await comesAtOnce(slots.acquire('b'))).toBe(true);
  expect(await comesAtOnce(slots.acquire('c'))).toBe(false);
});

test('a slot given back goes to the first who may have it', async () => {
  const slots = new Bulkhead({ max: 2, maxPerCompany: 1 });
  const release = await slots.acquire('a');
  await slots.acquire('b');
  const second = slots.acquire('a');
  release();
  release();
  await second;
  expect(await comesAtOnce(slots.acquire('c'))).toBe(false);
});

test('who waits too long is told whose fault it is', async () => {
  const slots = new Bulkhead({ max: 2, maxPerCompany: 1 });
  await slots.acquire('a');
  await slots.acquire('b');
  const own = slots.acquire('a');
  const others = slots.acquire('c');
  jest.advanceTimersByTime(10_000);
  await expect(own).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '10' } });
  await expect(others).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('of the companies that wait, the one that holds the fewest is next, though it came last', async () => {
  const slots = new Bulkhead({ max: 3, maxPerCompany: 2 });
  const [first] = await Promise.all([slots.acquire('a'), slots.acquire('a'), slots.acquire('b')]);
  const waiting = { a: slots.acquire('a'), b: slots.acquire('b'), c: slots.acquire('c') };
  first();
  expect(await comesAtOnce(waiting.c)).toBe(true);
  expect(await comesAtOnce(waiting.b)).toBe(false);
  expect(await comesAtOnce(waiting.a)).toBe(false);
});

test('companies that hold as many take turns', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1 });
  const order: string[] = [];
  const release = await slots.acquire('x');
  const calls = ['a', 'a', 'a', 'b', 'b'].map((companyId) =>
    slots.run(companyId, undefined, async () => void order.push(companyId)),
  );
  release();
  await Promise.all(calls);
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a']);
});

test('when what the slots are for is away, nobody is told to make fewer calls', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1, isAway: () => true });
  await slots.acquire('a');
  const second = slots.acquire('a');
  jest.advanceTimersByTime(10_000);
  await expect(second).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('it counts what is held and who waits', async () => {
  const slots = new Bulkhead({ max: 2, maxPerCompany: 1 });
  const release = await slots.acquire('a');
  void slots.acquire('a');
  const client = new AbortController();
  slots.acquire('a', client.signal).catch(() => undefined);
  expect({ held: slots.held, waiting: slots.waiting }).toEqual({ held: 1, waiting: 2 });
  client.abort();
  release();
  expect({ held: slots.held, waiting: slots.waiting }).toEqual({ held: 1, waiting: 0 });
  expect(slots.tryAcquire('a')).toBeUndefined();
  expect(slots.tryAcquire('b')).toBeDefined();
});

test('the wait can be longer', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1, timeoutMs: 60_000 });
  const release = await slots.acquire('a');
  const second = slots.acquire('a');
  jest.advanceTimersByTime(59_999);
  release();
  await second;
});

test('who has gone waits no more and takes no slot', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1 });
  const release = await slots.acquire('a');
  const client = new AbortController();
  const abandoned = slots.acquire('a', client.signal);
  client.abort(new Error('gone'));
  await expect(abandoned).rejects.toThrow('gone');
  await expect(slots.acquire('a', client.signal)).rejects.toThrow('gone');
  release();
  expect(await comesAtOnce(slots.acquire('a'))).toBe(true);
});

test('a slot is held as long as its work takes, though who wanted it has gone, and whatever becomes of it', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1 });
  const client = new AbortController();
  const begun = Promise.withResolvers<void>();
  const work = Promise.withResolvers<void>();
  const run = slots.run('a', client.signal, () => {
    begun.resolve();
    return work.promise;
  });
  await begun.promise;
  const next = slots.acquire('a');
  client.abort(new Error('gone'));
  expect(await comesAtOnce(next)).toBe(false);
  work.reject(new Error('failed'));
  await expect(run).rejects.toThrow('failed');
  expect(await comesAtOnce(next)).toBe(true);
});

test('work is not begun for who has gone when a slot has just come', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1 });
  const client = new AbortController();
  const run = slots.run('a', client.signal, () => Promise.reject(new Error('begun')));
  client.abort(new Error('gone'));
  await expect(run).rejects.toThrow('gone');
  expect(await comesAtOnce(slots.acquire('a'))).toBe(true);
});

test('who goes in the moment in which a slot comes does not keep it', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1 });
  const release = await slots.acquire('a');
  const client = new AbortController();
  const abandoned = slots.acquire('a', client.signal);
  release();
  client.abort(new Error('gone'));
  await expect(abandoned).rejects.toThrow('gone');
  expect(slots.held).toBe(0);
});

test('a slot is wanted when another company waits that may have more, and not when it has all that one may have', async () => {
  const slots = new Bulkhead({ max: 4, maxPerCompany: 2 });
  await Promise.all(['a', 'a', 'b', 'b'].map((companyId) => slots.acquire(companyId)));
  void slots.acquire('a').catch(() => undefined);
  expect(slots.isWantedByOthers('b')).toBe(false);
  void slots.acquire('c').catch(() => undefined);
  expect(slots.isWantedByOthers('b')).toBe(true);
});

describe('beside other companies a company has a smaller part', () => {
  const options = { max: 10, maxPerCompany: 4, maxBesideOthers: 2 };
  const take = (slots: Bulkhead, companyId: string) => Array.from({ length: 5 }, () => slots.tryAcquire(companyId));
  const count = (releases: unknown[]) => releases.filter(Boolean).length;

  test('of slots that others have had within the last second, and all of its part when nobody has', () => {
    const slots = new Bulkhead(options);
    const releases = take(slots, 'a');
    expect(count(releases)).toBe(4);
    for (const release of releases) release?.();
    slots.tryAcquire('b')!();
    expect(count(take(slots, 'a'))).toBe(2);
    jest.advanceTimersByTime(1001);
    expect(count(take(slots, 'a'))).toBe(2);
    expect(count(take(slots, 'b'))).toBe(2);
  });

  test('also when the others only could have used some', () => {
    const slots = new Bulkhead(options);
    slots.recordUse('b');
    expect(count(take(slots, 'a'))).toBe(2);
  });

  test('and when it is alone again, those of its calls that wait get the rest with the next slot given back', async () => {
    const slots = new Bulkhead(options);
    slots.tryAcquire('b')!();
    const [release] = take(slots, 'a');
    const waiting = [slots.acquire('a'), slots.acquire('a'), slots.acquire('a')];
    jest.advanceTimersByTime(1001);
    release!();
    await Promise.all(waiting);
    expect(slots.held).toBe(4);
  });

  test('though it held more before they came, it gets no further one', async () => {
    const slots = new Bulkhead(options);
    const [first, second] = take(slots, 'a');
    const waiting = slots.acquire('a');
    slots.tryAcquire('b');
    first!();
    second!();
    expect(await comesAtOnce(waiting)).toBe(false);
  });
});
