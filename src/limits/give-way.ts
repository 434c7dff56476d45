import { setImmediate } from 'node:timers/promises';

/**
 * Yields to the event loop in the middle of long work. Awaits `setImmediate` twice: the first callback runs before the
 * poll phase reads the sockets again.
 */
export async function giveWay(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/** Time for which work runs before it yields to other requests. */
const TURN_MS = 8;

/** Runs work that pauses at each `yield`. Lets other requests run after every 8 ms of work. */
export async function runInTurns<T>(work: Generator<void, T, void>): Promise<T> {
  await giveWay();
  for (let startedAt = performance.now(); ;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - startedAt < TURN_MS) continue;
    await giveWay();
    startedAt = performance.now();
  }
}

/** Runs work that pauses at each `yield` to completion, without pausing. */
export function runAtOnce<T>(work: Generator<void, T, void>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Maps items, and yields to other requests as `runInTurns` does. */
export function mapInTurns<T, U>(items: readonly T[], map: (item: T, index: number) => U): Promise<U[]> {
  return runInTurns(mapInSteps(items, map));
}

/** Maps items, and pauses after each of them. */
function* mapInSteps<T, U>(items: readonly T[], map: (item: T, index: number) => U): Generator<void, U[], void> {
  const mapped: U[] = [];
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    yield;
  }
  return mapped;
}
