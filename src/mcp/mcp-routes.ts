import { type RequestHandler, Router } from 'express';
import type { Bearer, Verify } from '../auth/bearer-token.ts';
import type { ApiKeyCache } from '../auth/api-key-cache.ts';
import type { Config } from '../config/config.ts';
import { getRequestContext } from '../http/request-context.ts';
import type { Logger } from '../observability/logger.ts';
import { createMcpEndpoint } from './endpoint.ts';
import { type CreateServer, createServer } from './server.ts';
import { setupGuide } from './setup-guide.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { requireStarted } from '../http/guards.ts';
import type { Readiness } from '../http/readiness.ts';
import type { SharedServices } from '../http/shared-services.ts';

export interface McpOptions {
  config: Config;
  logger: Logger;
  readiness: Readiness;
  metrics: Pick<Metrics, 'toolCall'>;
  /** Creates the server that handles authenticated requests to /mcp; by default, it serves the contract's tools. */
  createMcpServer?: CreateServer;
}

/**
 * Serves the tool server for AI clients, with the same keys, limits and operations as REST, and the guide on how to
 * connect.
 * @param verify finds the caller of an access token
 */
export function mcpRoutes(options: McpOptions, shared: SharedServices, verify: Verify): Router {
  const router = Router();
  router.all('/mcp', requireStarted(options.readiness), toolServer(options, shared, verify));
  router.all('/setup', setupGuide(options.config.publicUrl));
  return router;
}

function toolServer(
  { config, logger, metrics, createMcpServer }: McpOptions,
  { keys, countFailure, budget, invoke }: SharedServices,
  verify: Verify,
): RequestHandler {
  const endpoint = createMcpEndpoint({
    publicUrl: config.publicUrl,
    corsOrigins: config.corsOrigins,
    invoke,
    logger,
    metrics,
    createServer: createMcpServer ?? createServer,
    hasPlainCalls: createMcpServer === undefined,
    findBearer: async (token) => (await findKey(keys, token)) ?? verify(token),
    countFailure,
    takeCall: budget.take,
  });
  return (req, res) => endpoint(req, res, (caller) => (getRequestContext(res).caller = caller));
}

async function findKey(keys: ApiKeyCache, key: string): Promise<Bearer | undefined> {
  const caller = await keys.find(key);
  return caller && { caller, clientId: caller.keyId };
}
