import { type RequestHandler, Router } from 'express';
import type pg from 'pg';
import type { KeyDirectory } from '../../auth/key-directory.ts';
import type { Config } from '../../config.ts';
import { limitStrangersByAddress } from '../../web/rate-limits.ts';
import { contextOf } from '../../web/request-context.ts';
import type { Logger } from '../../logger.ts';
import { createMcpEndpoint } from './endpoint.ts';
import { createOAuth, type OAuth } from '../oauth/oauth.ts';
import type { Bearer } from '../oauth/verifier.ts';
import { type CreateServer, createServer } from './server.ts';
import { setupGuide } from './setup-guide.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { type Readiness, requireStarted } from '../../web/readiness.ts';
import type { Door } from '../../web/shared-services.ts';

export interface McpOptions {
  config: Config;
  logger: Logger;
  pool: pg.Pool;
  readiness: Readiness;
  metrics: Pick<Metrics, 'toolCall'>;
  /** What answers at /mcp those who were let in; the tools of the contract unless another is given. */
  createMcpServer?: CreateServer;
}

/** The same as the API for models, with the same keys, limits and operations, and what lets them in in a key's name. */
export function mcpRoutes(options: McpOptions, door: Door): Router {
  const { config } = options;
  const limitStrangers = limitStrangersByAddress(config.authFailuresPerMinute);
  const oauth = createOAuth({ ...options, ...door, limitStrangers });
  const router = Router();
  router.use(oauth.routes);
  router.all('/mcp', toolServer(options, door, oauth));
  router.all('/setup', setupGuide(config.publicUrl));
  return router;
}

function toolServer(
  { config, logger, readiness, metrics, createMcpServer = createServer }: McpOptions,
  { keys, countFailure, budget, invoke }: Door,
  { verify }: OAuth,
): RequestHandler {
  const endpoint = createMcpEndpoint({
    publicUrl: config.publicUrl,
    invoke,
    logger,
    metrics,
    createServer: createMcpServer,
    findBearer: async (token) => (await findKey(keys, token)) ?? verify(token),
    countFailure,
    takeCall: budget.take,
  });
  return (req, res) => {
    requireStarted(readiness);
    return endpoint(req, res, (caller) => (contextOf(res).caller = caller));
  };
}

const KEY_KNOWN_MS = 60_000;

/** A key has no end that a client must know; it is looked at anew with each request. */
async function findKey(keys: KeyDirectory, key: string): Promise<Bearer | undefined> {
  const caller = await keys.find(key);
  return caller && { caller, clientId: caller.keyId, expiresAt: new Date(Date.now() + KEY_KNOWN_MS) };
}
