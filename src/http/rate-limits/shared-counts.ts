import { setTimeout as sleep } from 'node:timers/promises';
import type { CounterDelta } from './counter-store.ts';
import type { CounterStores } from './rate-limits.ts';

const EXCHANGE_MS = 500;

/** Sums of the hits of all processes. */
export interface SharedCounts {
  /** Adds deltas to the sums of a limiter, and returns the sums. Rejects unless the addition is confirmed. */
  add(limiter: string, deltas: readonly CounterDelta[]): Promise<CounterDelta[]>;
}

/**
 * Adds the hits of this process to the shared sums and adopts the sums, twice a second until the signal is aborted. See
 * rate-limits.ts for the effect on limits.
 * @param onExchange called after each exchange of a limiter
 * @throws the error of `add`; the hits that could not be added are kept for the next exchange
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
