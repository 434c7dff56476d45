import cors from 'cors';
import { type RequestHandler, Router } from 'express';
import type { Config } from '../../config.ts';
import { authenticate } from './authenticate.ts';
import { DEPRECATION_HEADERS } from './deprecations.ts';
import { operationRoutes } from './operation-routes.ts';
import type { RequestValidator } from './request-validator.ts';
import type { Readiness } from '../../web/readiness.ts';
import type { SharedServices } from '../../web/shared-services.ts';

export interface ApiOptions {
  config: Config;
  readiness: Readiness;
  validator: RequestValidator;
}

/** The operations of the contract, by REST. */
export function apiRoutes(options: ApiOptions, { keys, countFailure, budget, invoke }: SharedServices): Router {
  const { config, validator, readiness } = options;
  const router = Router();
  if (config.corsOrigins.length > 0) router.use('/v1', corsForKeyed(config.corsOrigins));
  router.use(
    '/v1',
    operationRoutes({
      readiness,
      authenticate: authenticate(keys, countFailure),
      limit: budget.limit,
      validator,
      invoke,
    }),
  );
  return router;
}

function corsForKeyed(origins: readonly string[]): RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', ...DEPRECATION_HEADERS],
    maxAge: 600,
  });
}
