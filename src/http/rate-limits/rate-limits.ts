// Rate limits: how many requests a caller can make in a minute, counted over all processes.
//
// The limits: `per-key` for API keys and signed-in people, `per-source` and `per-directory` with ten times as many
// requests, because those systems send a request per item. `failed-authentication` and `anonymous` count by address,
// and by /56 network for IPv6. A limit of 0 is off.
//
// Counting. Each process counts in memory, in fixed windows of 60 s that begin with the first request
// (counter-store.ts). It decides by its own numbers at once, so no request waits for the network. A refusal is
// `rate_limited` with `Retry-After`. REST, SCIM and xAPI responses carry the IETF headers `ratelimit` and
// `ratelimit-policy`.
//
// Exchange. Twice a second each process adds the hits that it has not reported yet to shared sums, and takes the sums
// over (shared-counts.ts). The sums live in an unlogged table of Postgres or, if one is configured, in Redis
// (postgres-counts.ts, redis-counts.ts). cluster-sync.ts keeps the connection, and also forgets cached API keys when
// one is revoked.
//
// Guarantees: a hit is known everywhere within about a second. A limit can be exceeded by what the other processes let
// through in that second, and by no more.
//
// Failures:
// - The store of the sums is down: each process counts for itself, keeps its unreported hits for the next exchange, and
//   reconnects every half second. The log says so once.
// - Postgres crashes or fails over, or Redis restarts empty: the sums begin at zero. Nothing else depends on them.
//
// Not for: concurrency. src/limits/bulkhead.ts bounds how much of the service one company uses at the same moment.
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Caller } from '../../auth/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import { CounterStore, WINDOW_MS } from './counter-store.ts';
import { getClientAddress, getRequestContext } from '../request-context.ts';

/** What each limit counts, by its name. */
export type CounterStores = Map<string, CounterStore>;

/** What a key may still call in this minute, over whichever transport. */
export interface KeyBudget {
  /** Takes one for each request, and says in IETF headers what is left. */
  limit: RequestHandler;
  /** The same for directories, whose first synchronization is a burst. It is another budget. */
  limitDirectory: RequestHandler;
  /** Takes one. @throws {ApiError} `rate_limited` when there is none left */
  take: (keyId: string) => void;
}

/** Counts a request of an address. @throws {ApiError} `rate_limited`, with `Retry-After`, when it had too many */
export type CountRequest = (req: Request, res: Response) => Promise<void>;

/** A source sends each event in a call of its own, and does not send again what is refused; a directory each user. */
const CALLS_OF_SYSTEM = 10;

/** A source or a directory has ten times the calls of a key. 0 turns the limit off. */
export function limitByKey(perMinute: number, stores: CounterStores): KeyBudget {
  const createBudget = (name: string, max: number) =>
    new Budget({ name, perMinute: max, store: storeIn(stores, name) });
  const ofKeys = createBudget('per-key', perMinute);
  const ofSources = createBudget('per-source', perMinute * CALLS_OF_SYSTEM);
  const ofDirectories = createBudget('per-directory', perMinute * CALLS_OF_SYSTEM);
  const limitBy = (budgetFor: (caller: Caller) => Budget): RequestHandler => {
    return (_req, res, next) => {
      const caller = getRequestContext(res).caller!;
      budgetFor(caller).takeAndTell(caller.keyId, res);
      next();
    };
  };
  return {
    limit: limitBy(({ source }) => (source ? ofSources : ofKeys)),
    limitDirectory: limitBy(() => ofDirectories),
    take: (keyId) => void ofKeys.take(keyId),
  };
}

interface Limit {
  name: string;
  /** 0: there is none. */
  perMinute: number;
  store: CounterStore;
}

/** Requests of a window. express-rate-limit would hash the key and ask for the address on each of them. */
class Budget {
  readonly #limit: Limit;
  readonly #policy: string;

  constructor(limit: Limit) {
    this.#limit = limit;
    this.#policy = `"${limit.name}"; q=${limit.perMinute}; w=${WINDOW_MS / 1000}`;
  }

  /** Takes one. @throws {ApiError} `rate_limited` when there is none left */
  take(counted: string): void {
    const { left, seconds } = this.#count(counted);
    if (left < 0) throw tooMany(seconds);
  }

  /** Takes one, and says in the headers of the draft-8 what is left. @throws {ApiError} as `take` does */
  takeAndTell(counted: string, res: Response): void {
    if (this.#limit.perMinute === 0) return;
    const { left, seconds } = this.#count(counted);
    res.setHeader('ratelimit', `"${this.#limit.name}"; r=${Math.max(0, left)}; t=${seconds}`);
    res.setHeader('ratelimit-policy', this.#policy);
    if (left < 0) throw tooMany(seconds);
  }

  /** What is left after one more, and the seconds until all of it is there again. */
  #count(counted: string): { left: number; seconds: number } {
    const { perMinute, store } = this.#limit;
    if (perMinute === 0) return { left: 0, seconds: 0 };
    const { totalHits, resetTime } = store.increment(counted);
    return { left: perMinute - totalHits, seconds: Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1000)) };
  }
}

/** Limits what one address may get wrong in a minute. An IPv6 address counts with its /56 network. 0 turns it off. */
export function limitFailuresByAddress(perMinute: number, stores: CounterStores): CountRequest {
  return countByAddress('failed-authentication', perMinute, stores);
}

/** Limits what one address may begin in a minute without a key. 0 turns it off. */
export function limitAnonymousByAddress(perMinute: number, stores: CounterStores): CountRequest {
  return countByAddress('anonymous', perMinute, stores);
}

function countByAddress(identifier: string, perMinute: number, stores: CounterStores): CountRequest {
  if (perMinute === 0) return () => Promise.resolve();
  const limit = rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    identifier,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator: (req) => {
      const address = getClientAddress(req);
      // Otherwise each made-up text would have a count of its own.
      return address === null ? 'no address' : ipKeyGenerator(address);
    },
    store: storeIn(stores, identifier),
    handler: (_req, res, next) => next(tooMany(Number(res.getHeader('Retry-After')))),
  });
  return (req, res) =>
    new Promise((resolve, reject) => {
      void limit(req, res, (refusal?: unknown) => (refusal instanceof Error ? reject(refusal) : resolve()));
    });
}

function storeIn(stores: CounterStores, identifier: string): CounterStore {
  const store = new CounterStore();
  stores.set(identifier, store);
  return store;
}

function tooMany(seconds: number): ApiError {
  const headers = { 'Retry-After': String(seconds) };
  return new ApiError('rate_limited', `Too many requests; try again in ${seconds} seconds.`, { headers });
}
