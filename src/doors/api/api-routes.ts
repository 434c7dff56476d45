import cors from 'cors';
import { type RequestHandler, Router } from 'express';
import type pg from 'pg';
import { SetupLinks } from '../../auth/setup-links.ts';
import type { Config } from '../../config.ts';
import type { Site } from '../docs/site.ts';
import { authenticate } from './authenticate.ts';
import { DEPRECATION_HEADERS } from './deprecations.ts';
import { docsRoutes } from '../docs/docs-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import type { RequestValidator } from './request-validator.ts';
import { setupRoutes } from '../setup/setup-routes.ts';
import type { Logger } from '../../logger.ts';
import type { Readiness } from '../../web/readiness.ts';
import type { Door } from '../../web/shared-services.ts';

export interface ApiOptions {
  config: Config;
  logger: Logger;
  pool: pg.Pool;
  readiness: Readiness;
  site: Site;
  validator: RequestValidator;
}

/** What a company's key or an invited admin's link opens, and the documentation. */
export function apiRoutes(options: ApiOptions, { keys, limitFailures, budget, invoke }: Door): Router {
  const { config, logger, pool, site, validator, readiness } = options;
  const router = Router();
  if (config.corsOrigins.length > 0) router.use('/v1', corsForKeyed(config.corsOrigins));
  router.use(
    '/v1',
    operationRoutes({
      readiness,
      authenticate: authenticate(keys, limitFailures),
      limit: budget.limit,
      validator,
      invoke,
    }),
  );
  router.use(setupRoutes({ readiness, links: new SetupLinks(pool), limitFailures, logger }));
  router.use(docsRoutes(site));
  return router;
}

function corsForKeyed(origins: readonly string[]): RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', ...DEPRECATION_HEADERS],
    maxAge: 600,
  });
}
