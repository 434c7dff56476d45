import { jest } from '@jest/globals';
import { CounterStore } from '../../src/http/rate-limits/counter-store.ts';

const WINDOW = expect.any(Number) as number;

test('what was counted is told once', () => {
  const store = new CounterStore();
  store.increment('key');
  store.increment('key');
  expect(store.drainDeltas()).toEqual([{ counted: 'key', hits: 2, resetsInMs: WINDOW }]);
  expect(store.drainDeltas()).toEqual([]);
  store.increment('key');
  expect(store.drainDeltas()).toEqual([{ counted: 'key', hits: 1, resetsInMs: WINDOW }]);
});

test('the sum of all processes counts, with what was counted here since it was told', () => {
  const store = new CounterStore();
  store.increment('key');
  store.drainDeltas();
  store.increment('key');
  store.applyTotal({ counted: 'key', hits: 41, resetsInMs: 5000 });
  const { totalHits, resetTime } = store.increment('key');
  expect(totalHits).toBe(43);
  expect(resetTime.getTime() - Date.now()).toBeLessThanOrEqual(5000);
});

test('what could not be told is told the next time', () => {
  const store = new CounterStore();
  store.increment('key');
  const told = store.drainDeltas();
  store.increment('key');
  store.restoreDeltas(told);
  expect(store.drainDeltas()).toEqual([{ counted: 'key', hits: 2, resetsInMs: WINDOW }]);
});

test('a window that is over is not told, and is begun anew', () => {
  jest.useFakeTimers();
  const store = new CounterStore();
  store.increment('key');
  jest.advanceTimersByTime(60_000);
  expect(store.drainDeltas()).toEqual([]);
  expect(store.increment('key').totalHits).toBe(1);
  jest.useRealTimers();
});
