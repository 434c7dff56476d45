// Rate limits: how many requests a caller can make in a minute, counted over all processes.
//
// The limits: `per-key` for API keys and signed-in people, `per-source` and `per-directory` with ten times as many
// requests, because those systems send a request per item. `failed-authentication` and `anonymous` count by IP address,
// and by /56 network for IPv6. So does `reported-mails`, with ten times as many requests. A limit of 0 is off.
//
// Counting. Each process counts in memory, in fixed windows of 60 s that begin with the first request
// (counter-store.ts), and decides by its own numbers at once, so no request waits for the network. A request above a
// limit is rejected with `rate_limited` and `Retry-After`. REST, SCIM and xAPI responses carry the IETF headers
// `ratelimit` and `ratelimit-policy`.
//
// Exchange. Twice a second each process adds its unreported hits to shared sums, and adopts the sums
// (shared-counts.ts). The sums live in an unlogged table of Postgres or, if configured, in Redis (postgres-counts.ts,
// redis-counts.ts). cluster-sync.ts keeps the connection, and clears the cache of API keys when a key changes.
//
// Guarantees: every process knows of a hit within about a second. A limit can be exceeded only by the requests that
// other processes accept in that second.
//
// Failures:
// - The store of the sums is down: each process counts on its own, keeps its unreported hits for the next exchange, and
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

/** The counter stores of the limits, by name. */
export type CounterStores = Map<string, CounterStore>;

/** The requests that a key can still make in this minute, over all transports. */
export interface KeyBudget {
  /** Counts each request, and reports the remaining requests in IETF headers. */
  limit: RequestHandler;
  /** Counts each request of a directory in a separate budget: the first synchronization of a directory is a burst. */
  limitDirectory: RequestHandler;
  /** Counts a request. @throws {ApiError} `rate_limited` if none is left */
  take: (keyId: string) => void;
}

/**
 * Counts a request from an IP address. @throws {ApiError} `rate_limited`, with `Retry-After`, after too many requests
 */
export type CountRequest = (req: Request, res: Response) => Promise<void>;

/**
 * Factor for the budgets of sources and directories, which send a request per event or user. Sources do not retry
 * rejected requests.
 */
const CALLS_OF_SYSTEM = 10;

/**
 * Creates the budgets of keys, and the budgets of sources and directories with ten times as many requests. A
 * `perMinute` of 0 turns the limits off.
 */
export function limitByKey(perMinute: number, stores: CounterStores): KeyBudget {
  const createBudget = (name: string, max: number) =>
    new Budget({ name, perMinute: max, store: storeIn(stores, name) });
  const ofKeys = createBudget('per-key', perMinute);
  const ofSources = createBudget('per-source', perMinute * CALLS_OF_SYSTEM);
  const ofDirectories = createBudget('per-directory', perMinute * CALLS_OF_SYSTEM);
  const limitBy = (budgetFor: (caller: Caller) => Budget): RequestHandler => {
    return (_req, res, next) => {
      const caller = getRequestContext(res).caller!;
      budgetFor(caller).takeAndReport(caller.keyId, res);
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
  /** Maximum requests per minute; 0 for no limit. */
  perMinute: number;
  store: CounterStore;
}

/** A budget of requests per window. express-rate-limit would hash the key and read the IP address for each request. */
class Budget {
  readonly #limit: Limit;
  readonly #policy: string;

  constructor(limit: Limit) {
    this.#limit = limit;
    this.#policy = `"${limit.name}"; q=${limit.perMinute}; w=${WINDOW_MS / 1000}`;
  }

  /** Counts a request. @throws {ApiError} `rate_limited` if none is left */
  take(counted: string): void {
    const { left, seconds } = this.#count(counted);
    if (left < 0) throw tooMany(seconds);
  }

  /**
   * Counts a request, and reports the remaining ones in the headers of IETF draft 8.
   * @throws {ApiError} as `take` does
   */
  takeAndReport(counted: string, res: Response): void {
    if (this.#limit.perMinute === 0) return;
    const { left, seconds } = this.#count(counted);
    res.setHeader('ratelimit', `"${this.#limit.name}"; r=${Math.max(0, left)}; t=${seconds}`);
    res.setHeader('ratelimit-policy', this.#policy);
    if (left < 0) throw tooMany(seconds);
  }

  /** Counts a request. Returns the remaining requests and the seconds until the window ends. */
  #count(counted: string): { left: number; seconds: number } {
    const { perMinute, store } = this.#limit;
    if (perMinute === 0) return { left: 0, seconds: 0 };
    const { totalHits, resetTime } = store.increment(counted);
    return { left: perMinute - totalHits, seconds: Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1000)) };
  }
}

/**
 * Limits the failed authentications per IP address and minute. IPv6 addresses count by /56 network.
 * @param perMinute 0 for no limit
 */
export function limitFailuresByAddress(perMinute: number, stores: CounterStores): CountRequest {
  return countByAddress('failed-authentication', perMinute, stores);
}

/** Limits the requests without a key per IP address and minute. @param perMinute 0 for no limit */
export function limitAnonymousByAddress(perMinute: number, stores: CounterStores): CountRequest {
  return countByAddress('anonymous', perMinute, stores);
}

/**
 * Multiple of the per-minute limit that one IP address can report. The people of an office share an address, and all
 * report a simulation within minutes.
 */
const REPORTS_OF_NETWORK = 10;

/** Limits the emails reported per IP address and minute to ten times `perMinute`. @param perMinute 0 for no limit */
export function limitReportsByAddress(perMinute: number, stores: CounterStores): CountRequest {
  return countByAddress('reported-mails', perMinute * REPORTS_OF_NETWORK, stores);
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
      // Otherwise each string that a client makes up would have its own count.
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
