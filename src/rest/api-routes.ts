import cors from 'cors';
import type { RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import { createAuthenticate, EXPIRY_HEADER } from '../http/authenticate.ts';
import { DEPRECATION_HEADERS } from './deprecations.ts';
import { createIdempotencyReader, REPLAYED_HEADER } from './idempotency.ts';
import { leakedKeysRoute } from './leaked-keys.ts';
import { operationRoutes, otherSystemMethods } from './operation-routes.ts';
import { createSignatures } from './signatures.ts';
import type { RequestValidator } from './request-validator.ts';
import type { Readiness } from '../http/readiness.ts';
import type { SharedServices } from '../http/shared-services.ts';

export interface ApiOptions {
  config: Config;
  readiness: Readiness;
  validator: RequestValidator;
}

export interface ApiRoutes {
  /** Routes of the operations that need a key. They come first, because most calls are for these operations. */
  operations: RequestHandler;
  /**
   * Routes of keyless operations that are not in system-routes.ts, and of wrong methods on keyless paths. They come
   * last.
   */
  others: RequestHandler[];
}

/** Serves the operations of the contract by REST, below `/v1`. */
export function apiRoutes(options: ApiOptions, shared: SharedServices): ApiRoutes {
  const { keys, sources, countFailure, budget, invoke, deniedCalls, deprecatedUses, threads } = shared;
  const { config, validator, readiness } = options;
  const before = config.corsOrigins.length > 0 ? [corsForKeyed(config.corsOrigins)] : [];
  const steps = {
    readiness,
    authenticate: createAuthenticate({ keys, sources, countFailure }),
    signatures: createSignatures(sources, countFailure),
    limit: budget.limit,
    validator,
    invoke,
    readIdempotencyKey: createIdempotencyReader(config.secretsKeys),
    packageLimits: config.packageLimits,
    deniedCalls,
    deprecatedUses,
    threads,
  };
  return {
    operations: operationRoutes(steps, before),
    others: [...before, leakedKeysRoute(options, shared), otherSystemMethods()],
  };
}

function corsForKeyed(origins: readonly string[]): RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposedHeaders: [
      'Coverage',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'X-Request-Id',
      'ETag',
      EXPIRY_HEADER,
      REPLAYED_HEADER,
      ...DEPRECATION_HEADERS,
    ],
    maxAge: 600,
  });
}
