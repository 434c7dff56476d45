import type pg from 'pg';
import { ApiError } from '../errors.ts';

const PATIENCE_MS = 5000;

interface Waiter {
  companyId: string;
  go(): void;
}

/**
 * A streamed list holds its connection for as long as its client reads. So that slow readers cannot take the service
 * from others, lists leave a part of the pool to all else, and one company's lists leave a part to the others' lists.
 */
export class CursorSlots {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #held = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();
  #total = 0;

  constructor(poolSize: number) {
    this.#most = Math.max(1, Math.floor(poolSize * 0.7));
    this.#mostOfOne = Math.max(1, Math.floor(poolSize * 0.4));
  }

  /**
   * Waits for a slot, and returns what gives it back (once).
   * @throws {ApiError} after five seconds: `rate_limited` when the company has all that one may have, else
   * `service_unavailable`.
   */
  acquire(companyId: string): Promise<() => void> {
    if (this.#isFree(companyId)) return Promise.resolve(this.#take(companyId));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        reject(this.#refusal(companyId));
      }, PATIENCE_MS);
      const go = () => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        resolve(this.#take(companyId));
      };
      const waiter = { companyId, go };
      this.#waiters.add(waiter);
    });
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
    const message = 'Too many lists of this company are being read at once; read them one after another.';
    return new ApiError('rate_limited', message, { headers: { 'Retry-After': String(PATIENCE_MS / 1000) } });
  }
}

const slots = new WeakMap<pg.Pool, CursorSlots>();

/** The slots of a pool. */
export function cursorSlots(pool: pg.Pool): CursorSlots {
  const known = slots.get(pool);
  if (known) return known;
  const made = new CursorSlots(pool.options.max);
  slots.set(pool, made);
  return made;
}
