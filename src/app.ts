import type { RequestListener } from 'node:http';
import cors from 'cors';
import express, { type Request, type Response } from 'express';
import type pg from 'pg';
import { KeyDirectory } from './auth/key-directory.ts';
import { TenantAccess } from './auth/tenant-access.ts';
import type { Config } from './config.ts';
import { ApiError } from './errors.ts';
import { authenticate } from './http/authenticate.ts';
import { errorResponse } from './http/error-response.ts';
import { operationRoutes } from './http/operation-routes.ts';
import { limitByKey, limitFailuresByAddress } from './http/rate-limits.ts';
import { requestContext } from './http/request-context.ts';
import type { RequestValidator } from './http/request-validator.ts';
import { securityHeaders } from './http/security-headers.ts';
import { systemRoutes } from './http/system-routes.ts';
import { createInvoke } from './invoke.ts';
import type { Logger } from './logger.ts';
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
}

/** Composes the service; what stands here from top to bottom is what a request meets. */
export function createApp({
  config,
  logger,
  accessLog,
  pool,
  document,
  validator,
  readiness,
}: AppOptions): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustedProxyHops);

  app.use(requestContext(accessLog, securityHeaders()));
  app.use('/v1', systemRoutes({ document, readiness, rateLimited: config.rateLimitPerMinute > 0 }));
  if (config.corsOrigins.length > 0) app.use('/v1', corsForKeyed(config.corsOrigins));
  app.use(
    '/v1',
    operationRoutes({
      readiness,
      authenticate: authenticate(
        new KeyDirectory(pool, config.keyCacheMs),
        limitFailuresByAddress(config.authFailuresPerMinute),
      ),
      limit: limitByKey(config.rateLimitPerMinute),
      validator,
      invoke: createInvoke(new TenantAccess(pool)),
      stalledClientMs: config.stalledClientMs,
    }),
  );
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

function noSuchPath(): ApiError {
  return new ApiError('not_found', 'There is no such path.');
}

function corsForKeyed(origins: readonly string[]): express.RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
    maxAge: 600,
  });
}
