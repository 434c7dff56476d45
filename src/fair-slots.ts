import { ApiError } from './errors.ts';

const PATIENCE_MS = 10_000;

interface Waiter {
  companyId: string;
  go(): void;
}

/** A number of slots for what takes long, of which the calls of one company can have a part alone. */
export class FairSlots {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #patienceMs: number;
  readonly #held = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();
  #total = 0;

  constructor({ most, mostOfOne, patienceMs = PATIENCE_MS }: { most: number; mostOfOne: number; patienceMs?: number }) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
    this.#patienceMs = patienceMs;
  }

  /**
   * Waits for a slot, and returns what gives it back; calling that twice does no harm.
   * @param signal ends the wait
   * @throws {ApiError} when patience ends: `rate_limited` when the company has all that one may have, else
   * `service_unavailable`. And the signal's reason.
   */
  acquire(companyId: string, signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.#isFree(companyId)) return Promise.resolve(this.#take(companyId));
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandon);
        this.#waiters.delete(waiter);
      };
      const abandon = () => {
        leave();
        reject(signal!.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.#refusal(companyId));
      }, this.#patienceMs);
      const go = () => {
        leave();
        resolve(this.#take(companyId));
      };
      const waiter = { companyId, go };
      this.#waiters.add(waiter);
      signal?.addEventListener('abort', abandon);
    });
  }

  /** Works in a slot, which is given back when the work is over. @throws what `acquire` and the work throw. */
  async run<T>(companyId: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const giveBack = await this.acquire(companyId, signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      giveBack();
    }
  }

  #isFree(companyId: string): boolean {
    return this.#total < this.#most && this.#heldBy(companyId) < this.#mostOfOne;
  }

  #take(companyId: string): () => void {
    this.#total += 1;
    this.#held.set(companyId, this.#heldBy(companyId) + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#giveBack(companyId);
    };
  }

  #giveBack(companyId: string): void {
    this.#total -= 1;
    const left = this.#heldBy(companyId) - 1;
    if (left === 0) this.#held.delete(companyId);
    else this.#held.set(companyId, left);
    for (const waiter of this.#waiters) {
      if (this.#isFree(waiter.companyId)) return waiter.go();
    }
  }

  #heldBy(companyId: string): number {
    return this.#held.get(companyId) ?? 0;
  }

  #refusal(companyId: string): ApiError {
    if (this.#heldBy(companyId) < this.#mostOfOne) {
      return new ApiError('service_unavailable', 'The service is temporarily unavailable.');
    }
    const message = 'Too many lists, changes or uploads of this company run at once; make fewer calls side by side.';
    return new ApiError('rate_limited', message, { headers: { 'Retry-After': String(this.#patienceMs / 1000) } });
  }
}
