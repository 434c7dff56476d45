import type { RequestListener } from 'node:http';
import express, { type Request, type Response } from 'express';
import { ApiError } from './errors.ts';
import { boundClients } from './web/client-bounds.ts';
import type { Draining } from './web/draining.ts';
import { errorResponse } from './web/error-response.ts';
import type { PublishedContract } from './doors/api/published-contract.ts';
import { requestContext } from './web/request-context.ts';
import type { RequestValidator } from './doors/api/request-validator.ts';
import { securityHeaders } from './web/security-headers.ts';
import { systemRoutes } from './doors/api/system-routes.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ApiOptions } from './doors/api/api-routes.ts';
import type { DoorOptions } from './web/shared-services.ts';
import type { McpOptions } from './doors/mcp/mcp-routes.ts';

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
    const { openDoor } = await import('./web/shared-services.ts');
    const door = openDoor(options);
    if (config.roles.includes('api')) {
      const { apiRoutes } = await import('./doors/api/api-routes.ts');
      app.use(apiRoutes({ ...options, validator: await loadValidator() }, door));
    }
    if (config.roles.includes('mcp')) {
      const { mcpRoutes } = await import('./doors/mcp/mcp-routes.ts');
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
