import { jest } from '@jest/globals';
import { Bulkhead } from '../../src/limits/bulkhead.ts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Reports whether a slot was acquired immediately. */
async function comesAtOnce(acquired: Promise<() => void>): Promise<boolean> {
  return Promise.race([acquired.then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

test('one company gets at most its share, and all companies together at most `max` slots', async () => {
  const slots = new Bulkhead({ max: 4, maxPerCompany: 2 });
  for (let i = 0; i < 2; i++) expect(await comesAtOnce(slots.acquire('a'))).toBe(true);
  expect(await comesAtOnce(slots.acquire('a'))).toBe(false);
  for (let i = 0; i < 2; i++) expect(await comesAtOnce(slots.acquire('b'))).toBe(true);
  expect(await comesAtOnce(slots.acquire('c'))).toBe(false);
});

test('a released slot goes to the first waiter that can have one', async () => {
  const slots = new Bulkhead({ max: 2, maxPerCompany: 1 });
  const release = await slots.acquire('a');
  await slots.acquire('b');
  const second = slots.acquire('a');
  release();
  release();
  await second;
  expect(await comesAtOnce(slots.acquire('c'))).toBe(false);
});

test('a timed-out wait is rate_limited at the company limit, otherwise service_unavailable', async () => {
  const slots = new Bulkhead({ max: 2, maxPerCompany: 1 });
  await slots.acquire('a');
  await slots.acquire('b');
  const own = slots.acquire('a');
  const others = slots.acquire('c');
  jest.advanceTimersByTime(10_000);
  await expect(own).rejects.toMatchObject({ code: 'rate_limited', headers: { 'Retry-After': '10' } });
  await expect(others).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('the waiting company with the fewest slots is next, even if it came last', async () => {
  const slots = new Bulkhead({ max: 3, maxPerCompany: 2 });
  const [first] = await Promise.all([slots.acquire('a'), slots.acquire('a'), slots.acquire('b')]);
  const waiting = { a: slots.acquire('a'), b: slots.acquire('b'), c: slots.acquire('c') };
  first();
  expect(await comesAtOnce(waiting.c)).toBe(true);
  expect(await comesAtOnce(waiting.b)).toBe(false);
  expect(await comesAtOnce(waiting.a)).toBe(false);
});

test('companies with equally many slots take turns', async () => {
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

test('a wait that times out is service_unavailable while the resource is away', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1, isAway: () => true });
  await slots.acquire('a');
  const second = slots.acquire('a');
  jest.advanceTimersByTime(10_000);
  await expect(second).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('held and waiting count slots and waiters', async () => {
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

test('timeoutMs extends the wait', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1, timeoutMs: 60_000 });
  const release = await slots.acquire('a');
  const second = slots.acquire('a');
  jest.advanceTimersByTime(59_999);
  release();
  await second;
});

test('a client that aborted no longer waits and takes no slot', async () => {
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

test('a slot is held until its work settles, even if the client aborted or the work fails', async () => {
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

test('work does not start if the client aborts just after its slot arrived', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1 });
  const client = new AbortController();
  const run = slots.run('a', client.signal, () => Promise.reject(new Error('begun')));
  client.abort(new Error('gone'));
  await expect(run).rejects.toThrow('gone');
  expect(await comesAtOnce(slots.acquire('a'))).toBe(true);
});

test('a client that aborts in the same tick as its slot arrives releases it', async () => {
  const slots = new Bulkhead({ max: 1, maxPerCompany: 1 });
  const release = await slots.acquire('a');
  const client = new AbortController();
  const abandoned = slots.acquire('a', client.signal);
  release();
  client.abort(new Error('gone'));
  await expect(abandoned).rejects.toThrow('gone');
  expect(slots.held).toBe(0);
});

test('isWantedByOthers is true only if a waiting company is below its share', async () => {
  const slots = new Bulkhead({ max: 4, maxPerCompany: 2 });
  await Promise.all(['a', 'a', 'b', 'b'].map((companyId) => slots.acquire(companyId)));
  void slots.acquire('a').catch(() => undefined);
  expect(slots.isWantedByOthers('b')).toBe(false);
  void slots.acquire('c').catch(() => undefined);
  expect(slots.isWantedByOthers('b')).toBe(true);
});

describe('a company that shares the bulkhead with others', () => {
  const options = { max: 10, maxPerCompany: 4, maxWithOthers: 2 };
  const take = (slots: Bulkhead, companyId: string) => Array.from({ length: 5 }, () => slots.tryAcquire(companyId));
  const count = (releases: unknown[]) => releases.filter(Boolean).length;

  test('gets the smaller share for a second after others used slots, then the full share', () => {
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

  test('gets the smaller share even if others only recorded a use', () => {
    const slots = new Bulkhead(options);
    slots.recordUse('b');
    expect(count(take(slots, 'a'))).toBe(2);
  });

  test('gets the full share for its waiting calls at the next release after the others stop', async () => {
    const slots = new Bulkhead(options);
    slots.tryAcquire('b')!();
    const [release] = take(slots, 'a');
    const waiting = [slots.acquire('a'), slots.acquire('a'), slots.acquire('a')];
    jest.advanceTimersByTime(1001);
    release!();
    await Promise.all(waiting);
    expect(slots.held).toBe(4);
  });

  test('gets no further slot while it holds more than the smaller share', async () => {
    const slots = new Bulkhead(options);
    const [first, second] = take(slots, 'a');
    const waiting = slots.acquire('a');
    slots.tryAcquire('b');
    first!();
    second!();
    expect(await comesAtOnce(waiting)).toBe(false);
  });
});
