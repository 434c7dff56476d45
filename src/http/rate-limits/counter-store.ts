import type { Store } from 'express-rate-limit';

export const WINDOW_MS = 60_000;

interface Count {
  /** Hits in all processes, as far as this process knows. */
  totalHits: number;
  resetTime: Date;
  /** Hits not yet reported to other processes, which `totalHits` includes. */
  unshared: number;
}

/** Recent hits of a key, to exchange with other processes. */
export interface CounterDelta {
  counted: string;
  hits: number;
  resetsInMs: number;
}

/**
 * A store that counts in fixed windows. The store of express-rate-limit 8 returns one shared object, so concurrent
 * requests would all see the count of the last request.
 */
export class CounterStore implements Store {
  readonly localKeys = true;
  readonly #counts = new Map<string, Count>();
  readonly #unshared = new Set<string>();
  #sweepAt = 0;

  increment(key: string): Count {
    const now = Date.now();
    this.#sweep(now);
    const existing = this.#counts.get(key);
    const count =
      existing && existing.resetTime.getTime() > now
        ? { ...existing, totalHits: existing.totalHits + 1, unshared: existing.unshared + 1 }
        : { totalHits: 1, unshared: 1, resetTime: new Date(now + WINDOW_MS) };
    this.#counts.set(key, count);
    this.#unshared.add(key);
    return count;
  }

  decrement(key: string): void {
    const count = this.#counts.get(key);
    if (count) this.#counts.set(key, { ...count, totalHits: Math.max(0, count.totalHits - 1) });
  }

  resetKey(key: string): void {
    this.#counts.delete(key);
  }

  /** Returns the hits since the last call, and marks them as reported. */
  drainDeltas(): CounterDelta[] {
    const now = Date.now();
    const deltas: CounterDelta[] = [];
    for (const key of this.#unshared) {
      const count = this.#counts.get(key);
      if (!count || count.unshared === 0 || count.resetTime.getTime() <= now) continue;
      deltas.push({ counted: key, hits: count.unshared, resetsInMs: count.resetTime.getTime() - now });
      this.#counts.set(key, { ...count, unshared: 0 });
    }
    this.#unshared.clear();
    return deltas;
  }

  /** Marks deltas as unreported again, because they could not be sent. */
  restoreDeltas(deltas: readonly CounterDelta[]): void {
    for (const { counted, hits } of deltas) {
      const count = this.#counts.get(counted);
      if (!count) continue;
      this.#counts.set(counted, { ...count, unshared: count.unshared + hits });
      this.#unshared.add(counted);
    }
  }

  /** Adopts the total of all processes, and the end of their window. */
  applyTotal({ counted, hits, resetsInMs }: CounterDelta): void {
    const count = this.#counts.get(counted);
    if (!count) return;
    const resetTime = new Date(Date.now() + resetsInMs);
    this.#counts.set(counted, { ...count, totalHits: hits + count.unshared, resetTime });
  }

  #sweep(now: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + WINDOW_MS;
    for (const [key, { resetTime }] of this.#counts) if (resetTime.getTime() <= now) this.#counts.delete(key);
  }
}
