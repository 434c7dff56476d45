import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ApiError } from '../errors.ts';
import { CountStore, WINDOW_MS } from './count-store.ts';
import { contextOf } from './request-context.ts';

/** What each limit counts, by its name. */
export type CountStores = Map<string, CountStore>;

/** What a key may still call in this minute, through whichever door. */
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
export function limitByKey(perMinute: number, stores: CountStores): KeyBudget {
  const callerOf = (req: Request) => contextOf(req.res!).caller!;
  const limitOf = (identifier: string, most: number, store: CountStore) =>
    limiter({ identifier, perMinute: most, store }, (req) => callerOf(req).keyId);
  const store = storeIn(stores, 'per-key');
  const ofKeys = limitOf('per-key', perMinute, store);
  const ofSources = limitOf('per-source', perMinute * CALLS_OF_SYSTEM, storeIn(stores, 'per-source'));
  const ofDirectories = limitOf('per-directory', perMinute * CALLS_OF_SYSTEM, storeIn(stores, 'per-directory'));
  return {
    limit: (req, res, next) => (callerOf(req).source ? ofSources : ofKeys)(req, res, next),
    limitDirectory: ofDirectories,
    take(keyId) {
      if (perMinute === 0) return;
      const { totalHits, resetTime } = store.increment(keyId);
      if (totalHits <= perMinute) return;
      const seconds = Math.max(1, Math.ceil((resetTime.getTime() - Date.now()) / 1000));
      throw tooMany(String(seconds), { 'Retry-After': String(seconds) });
    },
  };
}

/** Limits what one address may get wrong in a minute. An IPv6 address counts with its network. 0 turns it off. */
export function limitFailuresByAddress(perMinute: number, stores: CountStores): CountRequest {
  return countByAddress('failed-authentication', perMinute, stores);
}

/** Limits what one address may begin in a minute without a key. 0 turns it off. */
export function limitAnonymousByAddress(perMinute: number, stores: CountStores): CountRequest {
  return countByAddress('anonymous', perMinute, stores);
}

function countByAddress(identifier: string, perMinute: number, stores: CountStores): CountRequest {
  const store = storeIn(stores, identifier);
  const limit = limiter({ identifier, perMinute, store }, (req) => ipKeyGenerator(req.ip ?? ''));
  return (req, res) =>
    new Promise((resolve, reject) => {
      void limit(req, res, (refusal?: unknown) => (refusal instanceof Error ? reject(refusal) : resolve()));
    });
}

function storeIn(stores: CountStores, identifier: string): CountStore {
  const store = new CountStore();
  stores.set(identifier, store);
  return store;
}

interface Limit {
  identifier: string;
  perMinute: number;
  store: CountStore;
}

function limiter({ identifier, perMinute, store }: Limit, keyGenerator: (req: Request) => string): RequestHandler {
  if (perMinute === 0) return (_req, _res, next) => next();
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    identifier,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator,
    store,
    handler: (_req, res, next) => next(tooMany(String(res.getHeader('Retry-After') ?? WINDOW_MS / 1000))),
  });
}

function tooMany(seconds: string, headers: Record<string, string> = {}): ApiError {
  return new ApiError('rate_limited', `Too many requests; try again in ${seconds} seconds.`, { headers });
}
