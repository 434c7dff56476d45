// Bulkheads: slots for something scarce, shared so that one company cannot take all of them.
//
// A bulkhead guards connections, memory, disk space or other companies' servers. Work takes a slot, and releases it
// when it ends. The rules:
//
// - There are `max` slots. One company holds at most `maxPerCompany`. While other companies use slots too, a company
//   gets further slots only up to `maxWithOthers`; it keeps the slots that it already holds.
// - A company counts as the only one if no other company holds a slot or took one within the last second.
// - If no slot is free, `acquire` waits. A released slot goes to the waiting company that holds the fewest slots. Among
//   equals, the company that was served longest ago comes first. Within a company, waiters are served in order.
//
// The "company" is any string: src/auth/api-key-cache.ts shares by key, src/identity/unauthenticated-lookups.ts by
// network.
//
// Guarantees: a company within its share waits only if all slots are in use. Nobody waits longer than `timeoutMs`. A
// caller that has given up does not get the slot. A release counts only once, even if it is called repeatedly.
//
// Failures: a wait that times out fails with `rate_limited` and `Retry-After` if the company already holds its maximum.
// Otherwise, or if the guarded resource does not respond at all (`isAway`), it fails with `service_unavailable`.
//
// Limits: a bulkhead covers one process; the slots of several processes add up. A bulkhead does not interrupt work, so
// a slot is held for as long as the work takes. Each user of a bulkhead needs its own timeout.
//
// Not for: requests per minute (src/http/rate-limits/rate-limits.ts).
import { ApiError, type ErrorCode } from '../contract/errors.ts';

const TIMEOUT_MS = 10_000;
/** Time for which a company counts as using slots after it took one. */
const RECENT_MS = 1000;

/** Releases a slot. A second call does nothing. */
export type Release = () => void;

export interface BulkheadOptions {
  max: number;
  /** Maximum slots of one company. */
  maxPerCompany: number;
  /** Maximum slots of one company while other companies use slots; `maxPerCompany` by default. */
  maxWithOthers?: number;
  /** Milliseconds to wait for a slot; 10,000 by default. */
  timeoutMs?: number;
  /** Reports whether the guarded resource does not respond at all. No company is then to blame for a timeout. */
  isAway?: () => boolean;
}

interface Waiter {
  go(): void;
}

/** Slots that companies share. */
export class Bulkhead {
  readonly #max: number;
  readonly #maxPerCompany: number;
  readonly #maxWithOthers: number;
  readonly #timeoutMs: number;
  readonly #isAway: () => boolean;
  readonly #heldBy = new Map<string, number>();
  /** Waiters by company, in the order in which companies began to wait or were last served. */
  readonly #waiters = new Map<string, Set<Waiter>>();
  /** The number of rejected calls so far, by error code. */
  readonly refused: ReadonlyMap<string, number>;
  readonly #refused = new Map<ErrorCode, number>();
  #held = 0;
  /**
   * The company that took a slot most recently, the time at which it did, and the time at which a different company
   * last took one.
   */
  #latest = { companyId: '', at: -Infinity, otherAt: -Infinity };

  constructor(options: BulkheadOptions) {
    const { max, maxPerCompany, maxWithOthers = maxPerCompany } = options;
    const { timeoutMs = TIMEOUT_MS, isAway = () => false } = options;
    this.#max = max;
    this.#maxPerCompany = maxPerCompany;
    this.#maxWithOthers = maxWithOthers;
    this.#timeoutMs = timeoutMs;
    this.#isAway = isAway;
    this.refused = this.#refused;
  }

  /** The number of slots in use. */
  get held(): number {
    return this.#held;
  }

  /** The number of callers that wait for a slot. */
  get waiting(): number {
    return [...this.#waiters.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** The companies that cannot currently have another slot. */
  get fullCompanies(): string[] {
    return [...this.#heldBy.keys()].filter((companyId) => !this.#mayHaveMore(companyId));
  }

  /** Reports whether a slot that the company releases would go to another company. */
  isWantedByOthers(companyId: string): boolean {
    return [...this.#waiters.keys()].some((other) => other !== companyId && this.#mayHaveMore(other));
  }

  /** Takes a slot if one is free, or returns undefined. Saves frequent callers the cost of a promise. */
  tryAcquire(companyId: string): Release | undefined {
    return this.#isFree(companyId) ? this.#take(companyId) : undefined;
  }

  /**
   * Waits for a slot.
   * @param signal ends the wait; a caller whose signal is aborted does not get the slot
   * @throws {ApiError} if the wait takes too long: `rate_limited` if the company already holds its maximum, otherwise
   *   `service_unavailable`
   * @throws the signal's reason
   */
  async acquire(companyId: string, signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    const release = this.tryAcquire(companyId) ?? (await this.#wait(companyId, signal));
    if (!signal?.aborted) return release;
    release();
    throw signal.reason;
  }

  #wait(companyId: string, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abandon);
        this.#remove(companyId, waiter);
      };
      const abandon = () => {
        leave();
        reject(signal!.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(this.#refusal(companyId));
      }, this.#timeoutMs);
      const go = () => {
        leave();
        resolve(this.#take(companyId));
      };
      const waiter = { go };
      this.#add(companyId, waiter);
      signal?.addEventListener('abort', abandon);
    });
  }

  /** Runs `work` in a slot, and releases the slot afterwards. @throws the errors of `acquire` and `work` */
  async run<T>(companyId: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(companyId, signal);
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      release();
    }
  }

  #isFree(companyId: string): boolean {
    return this.#held < this.#max && this.#mayHaveMore(companyId);
  }

  #mayHaveMore(companyId: string): boolean {
    const count = this.#countHeld(companyId);
    return count < this.#maxWithOthers || (count < this.#maxPerCompany && this.#isAlone(companyId));
  }

  #isAlone(companyId: string): boolean {
    if (this.#held > this.#countHeld(companyId)) return false;
    const { companyId: latest, at, otherAt } = this.#latest;
    return performance.now() - (latest === companyId ? otherAt : at) > RECENT_MS;
  }

  /** Counts a company as using slots even if it takes none, because it might need one a moment later. */
  recordUse(companyId: string): void {
    const { companyId: before, at, otherAt } = this.#latest;
    this.#latest = { companyId, at: performance.now(), otherAt: before === companyId ? otherAt : at };
  }

  #take(companyId: string): Release {
    this.recordUse(companyId);
    this.#held += 1;
    this.#heldBy.set(companyId, this.#countHeld(companyId) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#release(companyId);
    };
  }

  #release(companyId: string): void {
    this.#held -= 1;
    const left = this.#countHeld(companyId) - 1;
    if (left === 0) this.#heldBy.delete(companyId);
    else this.#heldBy.set(companyId, left);
    // Serves several waiters, because a company that is the only one again can have more slots.
    for (let next = this.#nextWaiter(); next; next = this.#nextWaiter()) next.go();
  }

  #nextWaiter(): Waiter | undefined {
    let next: string | undefined;
    for (const companyId of this.#waiters.keys()) {
      if (!this.#isFree(companyId)) continue;
      if (next === undefined || this.#countHeld(companyId) < this.#countHeld(next)) next = companyId;
    }
    return next === undefined ? undefined : this.#waiters.get(next)!.values().next().value;
  }

  #add(companyId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(companyId);
    if (waiters) waiters.add(waiter);
    else this.#waiters.set(companyId, new Set([waiter]));
  }

  /** Removes a waiter. Its company then queues behind the others. */
  #remove(companyId: string, waiter: Waiter): void {
    const waiters = this.#waiters.get(companyId)!;
    waiters.delete(waiter);
    this.#waiters.delete(companyId);
    if (waiters.size > 0) this.#waiters.set(companyId, waiters);
  }

  #countHeld(companyId: string): number {
    return this.#heldBy.get(companyId) ?? 0;
  }

  #refusal(companyId: string): ApiError {
    const error = this.#errorFor(companyId);
    this.#refused.set(error.code, (this.#refused.get(error.code) ?? 0) + 1);
    return error;
  }

  #errorFor(companyId: string): ApiError {
    if (this.#isAway() || this.#mayHaveMore(companyId)) {
      return new ApiError('service_unavailable', 'The service is temporarily unavailable; try again later.');
    }
    const message = 'Too many concurrent calls of this company; make fewer at once.';
    return new ApiError('rate_limited', message, { headers: { 'Retry-After': String(this.#timeoutMs / 1000) } });
  }
}
