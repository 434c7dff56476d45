import { setTimeout as sleep } from 'node:timers/promises';
import type { CounterDelta } from './counter-store.ts';
import type { CounterStores } from './rate-limits.ts';

const EXCHANGE_MS = 500;

/** Where the processes add up what each has counted. */
export interface SharedCounts {
  /** Adds to the sums of a limiter, and answers them. Rejects when that is not known to be done. */
  add(limiter: string, deltas: readonly CounterDelta[]): Promise<CounterDelta[]>;
}

/**
 * Twice a second adds what this process has counted, and learns the sums of all, until the signal is aborted. What another
 * process has counted is shared within half a second, and learnt here within half a second more: a limit may be passed by
 * what the others let through in that time.
 * @param onExchange called when the sums of a limiter have been learnt
 * @throws what `add` rejects with; what could not be added is kept for the next time
 */
export async function exchangeCounts(
  stores: CounterStores,
  counts: SharedCounts,
  { signal, onExchange }: { signal: AbortSignal; onExchange: () => void },
): Promise<void> {
  while (!signal.aborted) {
    for (const [limiter, store] of stores) {
      const deltas = store.drainDeltas();
      if (deltas.length === 0) continue;
      try {
        for (const sum of await counts.add(limiter, deltas)) store.applyTotal(sum);
        onExchange();
      } catch (error) {
        store.restoreDeltas(deltas);
        throw error;
      }
    }
    await sleep(EXCHANGE_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
