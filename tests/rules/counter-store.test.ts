import { jest } from '@jest/globals';
import { CounterStore } from '../../src/http/rate-limits/counter-store.ts';

const WINDOW = expect.any(Number) as number;

test('drainDeltas returns each hit once', () => {
  const store = new CounterStore();
  store.increment('key');
  store.increment('key');
  expect(store.drainDeltas()).toEqual([{ counted: 'key', hits: 2, resetsInMs: WINDOW }]);
  expect(store.drainDeltas()).toEqual([]);
  store.increment('key');
  expect(store.drainDeltas()).toEqual([{ counted: 'key', hits: 1, resetsInMs: WINDOW }]);
});

test('applyTotal sets the total of all processes, plus the hits since the last drain', () => {
  const store = new CounterStore();
  store.increment('key');
  store.drainDeltas();
  store.increment('key');
  store.applyTotal({ counted: 'key', hits: 41, resetsInMs: 5000 });
  const { totalHits, resetTime } = store.increment('key');
  expect(totalHits).toBe(43);
  expect(resetTime.getTime() - Date.now()).toBeLessThanOrEqual(5000);
});

test('restoreDeltas returns failed deltas with the next drain', () => {
  const store = new CounterStore();
  store.increment('key');
  const told = store.drainDeltas();
  store.increment('key');
  store.restoreDeltas(told);
  expect(store.drainDeltas()).toEqual([{ counted: 'key', hits: 2, resetsInMs: WINDOW }]);
});

test('an expired window is not drained and starts again', () => {
  jest.useFakeTimers();
  const store = new CounterStore();
  store.increment('key');
  jest.advanceTimersByTime(60_000);
  expect(store.drainDeltas()).toEqual([]);
  expect(store.increment('key').totalHits).toBe(1);
  jest.useRealTimers();
});
