import { setTimeout as sleep } from 'node:timers/promises';
import type { CounterDelta } from './counter-store.ts';
import type { CounterStores } from './rate-limits.ts';

const EXCHANGE_MS = 500;

/** Sums of the hits of all processes. */
export interface SharedCounts {
  /** Adds to the sums of a limiter, and answers them. Rejects when that is not known to be done. */
  add(limiter: string, deltas: readonly CounterDelta[]): Promise<CounterDelta[]>;
}

/**
 * Adds the hits of this process to the shared sums and takes the sums over, twice a second until the signal is aborted.
 * rate-limits.ts explains what follows for a limit.
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
