import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, type Options, rateLimit, type Store } from 'express-rate-limit';
import { ApiError } from '../errors.ts';
import { contextOf } from './request-context.ts';

const WINDOW_MS = 60_000;

/** What a key may still call in this minute, through whichever door. */
export interface KeyBudget {
  /** Takes one for each request, and says in IETF headers what is left. */
  limit: RequestHandler;
  /** Takes one. @throws {ApiError} `rate_limited` when there is none left */
  take: (keyId: string) => void;
}

/** Counts a request of an address. @throws {ApiError} `rate_limited`, with `Retry-After`, when it had too many */
export type CountRequest = (req: Request, res: Response) => Promise<void>;

/** 0 turns the limit off. */
export function limitByKey(perMinute: number): KeyBudget {
  const store = new CountStore();
  const limit = limiter('per-key', perMinute, (req) => contextOf(req.res!).caller!.keyId, store);
  return {
    limit,
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
export function limitFailuresByAddress(perMinute: number): CountRequest {
  return countByAddress('failed-authentication', perMinute);
}

/** Limits what one address may begin in a minute without a key. 0 turns it off. */
export function limitAnonymousByAddress(perMinute: number): CountRequest {
  return countByAddress('anonymous', perMinute);
}

function countByAddress(identifier: string, perMinute: number): CountRequest {
  const limit = limiter(identifier, perMinute, (req) => ipKeyGenerator(req.ip ?? ''));
  return (req, res) =>
    new Promise((resolve, reject) => {
      void limit(req, res, (refusal?: unknown) => (refusal instanceof Error ? reject(refusal) : resolve()));
    });
}

function limiter(
  identifier: string,
  perMinute: number,
  keyGenerator: (req: Request) => string,
  store: Store = new CountStore(),
): RequestHandler {
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

interface Count {
  totalHits: number;
  resetTime: Date;
}

/**
 * Counts in fixed windows. express-rate-limit's MemoryStore returns the same object to concurrent requests, so they all see
 * the last count.
 */
class CountStore implements Store {
  readonly localKeys = true;
  readonly #counts = new Map<string, Count>();
  #windowMs = WINDOW_MS;
  #sweepAt = 0;

  init({ windowMs }: Options): void {
    this.#windowMs = windowMs;
  }

  increment(key: string): Count {
    const now = Date.now();
    this.#sweep(now);
    const count = this.#counts.get(key);
    const isOver = !count || count.resetTime.getTime() <= now;
    const next = isOver
      ? { totalHits: 1, resetTime: new Date(now + this.#windowMs) }
      : { ...count, totalHits: count.totalHits + 1 };
    this.#counts.set(key, next);
    return next;
  }

  decrement(key: string): void {
    const count = this.#counts.get(key);
    if (count) this.#counts.set(key, { ...count, totalHits: Math.max(0, count.totalHits - 1) });
  }

  resetKey(key: string): void {
    this.#counts.delete(key);
  }

  #sweep(now: number): void {
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + this.#windowMs;
    for (const [key, { resetTime }] of this.#counts) if (resetTime.getTime() <= now) this.#counts.delete(key);
  }
}
