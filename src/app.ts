import type { RequestListener } from 'node:http';
import express, { type Request, type Response } from 'express';
import { ApiError } from './errors.ts';
import { boundClients } from './http/client-bounds.ts';
import type { Draining } from './http/draining.ts';
import { errorResponse } from './http/error-response.ts';
import type { PublishedContract } from './http/published-contract.ts';
import { requestContext } from './http/request-context.ts';
import type { RequestValidator } from './http/request-validator.ts';
import { securityHeaders } from './http/security-headers.ts';
import { systemRoutes } from './http/system-routes.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ApiOptions } from './roles/api.ts';
import type { DoorOptions } from './roles/door.ts';
import type { McpOptions } from './roles/mcp.ts';

export interface AppOptions extends DoorOptions, McpOptions, Omit<ApiOptions, 'validator'> {
  accessLog: Logger;
  metrics: Pick<Metrics, 'request' | 'toolCall'>;
  contract: PublishedContract;
  draining?: Draining;
  /** Called when the process has the role `api`. */
  loadValidator: () => Promise<RequestValidator>;
}

/**
 * Composes the service; what stands here from top to bottom is what a request meets. What only a role needs that the
 * process does not have is not loaded: it is most of the memory, and of the time to start.
 */
export async function createApp(options: AppOptions): Promise<RequestListener> {
  const { config, logger, accessLog, metrics, contract, readiness, loadValidator, draining } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustedProxyHops);

  app.use(requestContext({ accessLog, headers: securityHeaders(), metrics }));
  app.use('/v1', systemRoutes({ contract, readiness, rateLimited: config.rateLimitPerMinute > 0 }));
  if (config.roles.some((role) => role !== 'worker')) {
    const { openDoor } = await import('./roles/door.ts');
    const door = openDoor(options);
    if (config.roles.includes('api')) {
      const { apiRoutes } = await import('./roles/api.ts');
      app.use(apiRoutes({ ...options, validator: await loadValidator() }, door));
    }
    if (config.roles.includes('mcp')) {
      const { mcpRoutes } = await import('./roles/mcp.ts');
      app.use(mcpRoutes(options, door));
    }
  }
  const answerError = errorResponse(logger);
  app.use((_req, _res, next) => next(noSuchPath()));
  app.use(answerError);
  // A target that Express cannot parse meets none of the above, only this last word.
  return boundClients({ ...config, ...(draining && { draining }) }, (req, res) => {
    app(req as Request, res as Response, (error) => {
      answerError(error ?? noSuchPath(), req as Request, res as Response, () => undefined);
    });
  });
}

function noSuchPath(): ApiError {
  return new ApiError('not_found', 'There is no such path; the contract is at /v1/openapi.json.');
}
