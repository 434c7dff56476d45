import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { ApiError } from '../errors.ts';
import { contextOf } from './request-context.ts';

const WINDOW_MS = 60_000;

/** Limits a key to a number of requests a minute and says in IETF headers what is left. 0 turns the limit off. */
export function limitByKey(perMinute: number): RequestHandler {
  return limiter('per-key', perMinute, (req) => contextOf(req.res!).caller!.keyId);
}

/** Limits what one address may get wrong in a minute. An IPv6 address counts with its network. 0 turns it off. */
export function limitFailuresByAddress(perMinute: number): RequestHandler {
  return limiter('failed-authentication', perMinute, (req) => ipKeyGenerator(req.ip ?? ''));
}

function limiter(identifier: string, perMinute: number, keyGenerator: (req: Request) => string): RequestHandler {
  if (perMinute === 0) return (_req, _res, next) => next();
  return rateLimit({
    windowMs: WINDOW_MS,
    limit: perMinute,
    identifier,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    keyGenerator,
    handler(_req, res, next) {
      const seconds = String(res.getHeader('Retry-After') ?? WINDOW_MS / 1000);
      next(new ApiError('rate_limited', `Too many requests; try again in ${seconds} seconds.`));
    },
  });
}
