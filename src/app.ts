import type { RequestListener } from 'node:http';
import cors from 'cors';
import express, { type Request, type Response, Router } from 'express';
import type pg from 'pg';
import { KeyDirectory } from './auth/key-directory.ts';
import { SetupLinks } from './auth/setup-links.ts';
import { TenantAccess } from './auth/tenant-access.ts';
import type { BreachFeed } from './breach-feed/breach-feed.ts';
import type { Config } from './config.ts';
import { ApiError } from './errors.ts';
import { authenticate } from './http/authenticate.ts';
import { errorResponse } from './http/error-response.ts';
import { operationRoutes } from './http/operation-routes.ts';
import { limitByKey, limitFailuresByAddress } from './http/rate-limits.ts';
import { requestContext } from './http/request-context.ts';
import type { RequestValidator } from './http/request-validator.ts';
import { securityHeaders } from './http/security-headers.ts';
import { setupRoutes } from './http/setup-routes.ts';
import { systemRoutes } from './http/system-routes.ts';
import { createInvoke } from './invoke.ts';
import type { Logger } from './logger.ts';
import { createHandlers } from './operations.ts';
import type { Readiness } from './readiness.ts';

export interface AppOptions {
  config: Config;
  logger: Logger;
  accessLog: Logger;
  pool: pg.Pool;
  /** The bundled contract. */
  document: object;
  validator: RequestValidator;
  readiness: Readiness;
  breachFeed: BreachFeed;
}

/** Composes the service; what stands here from top to bottom is what a request meets. */
export function createApp(options: AppOptions): RequestListener {
  const { config, logger, accessLog, document, readiness } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustedProxyHops);

  app.use(requestContext(accessLog, securityHeaders()));
  app.use('/v1', systemRoutes({ document, readiness, rateLimited: config.rateLimitPerMinute > 0 }));
  if (config.roles.includes('api')) app.use(apiRoutes(options));
  const answerError = errorResponse(logger);
  app.use((_req, _res, next) => next(noSuchPath()));
  app.use(answerError);
  // A target that Express cannot parse meets none of the above, only this last word.
  return (req, res) => {
    app(req as Request, res as Response, (error) => {
      answerError(error ?? noSuchPath(), req as Request, res as Response, () => undefined);
    });
  };
}

/** What a company's key or an invited admin's link opens. */
function apiRoutes({ config, logger, pool, validator, readiness, breachFeed }: AppOptions): Router {
  const limitFailures = limitFailuresByAddress(config.authFailuresPerMinute);
  const router = Router();
  if (config.corsOrigins.length > 0) router.use('/v1', corsForKeyed(config.corsOrigins));
  router.use(
    '/v1',
    operationRoutes({
      readiness,
      authenticate: authenticate(new KeyDirectory(pool, config.keyCacheMs), limitFailures),
      limit: limitByKey(config.rateLimitPerMinute),
      validator,
      invoke: createInvoke(new TenantAccess(pool), createHandlers({ breachFeed })),
      stalledClientMs: config.stalledClientMs,
    }),
  );
  router.use(setupRoutes({ readiness, links: new SetupLinks(pool), limitFailures, logger }));
  return router;
}

function noSuchPath(): ApiError {
  return new ApiError('not_found', 'There is no such path; the contract is at /v1/openapi.json.');
}

function corsForKeyed(origins: readonly string[]): express.RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
    maxAge: 600,
  });
}
