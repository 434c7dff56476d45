import type { RequestListener } from 'node:http';
import cors from 'cors';
import express, { type Request, type RequestHandler, type Response, Router } from 'express';
import type pg from 'pg';
import { KeyDirectory } from './auth/key-directory.ts';
import { SetupLinks } from './auth/setup-links.ts';
import { TenantAccess } from './auth/tenant-access.ts';
import type { BreachFeed } from './breach-feed/breach-feed.ts';
import type { Config } from './config.ts';
import type { Site } from './docs/site.ts';
import { ApiError } from './errors.ts';
import { authenticate } from './http/authenticate.ts';
import { DEPRECATION_HEADERS } from './http/deprecations.ts';
import { docsRoutes } from './http/docs-routes.ts';
import { errorResponse } from './http/error-response.ts';
import { operationRoutes } from './http/operation-routes.ts';
import type { PublishedContract } from './http/published-contract.ts';
import { type KeyBudget, limitByKey, limitFailuresByAddress, limitStrangersByAddress } from './http/rate-limits.ts';
import { contextOf, requestContext } from './http/request-context.ts';
import type { RequestValidator } from './http/request-validator.ts';
import { securityHeaders } from './http/security-headers.ts';
import { setupRoutes } from './http/setup-routes.ts';
import { systemRoutes } from './http/system-routes.ts';
import { createInvoke, type Invoke } from './invoke.ts';
import type { Logger } from './logger.ts';
import { createMcpEndpoint } from './mcp/endpoint.ts';
import { createOAuth, type OAuth } from './mcp/oauth/oauth.ts';
import type { Bearer } from './mcp/oauth/verifier.ts';
import { type CreateServer, createServer } from './mcp/server.ts';
import { setupGuide } from './mcp/setup-guide.ts';
import { createHandlers } from './operations.ts';
import { type Readiness, requireStarted } from './readiness.ts';

export interface AppOptions {
  config: Config;
  logger: Logger;
  accessLog: Logger;
  pool: pg.Pool;
  contract: PublishedContract;
  /** The documentation, when the process has the role `api`. */
  site: () => Site;
  validator: RequestValidator;
  readiness: Readiness;
  breachFeed: BreachFeed;
  /** What answers at /mcp those who were let in; the tools of the contract unless another is given. */
  createMcpServer?: CreateServer;
}

/** Composes the service; what stands here from top to bottom is what a request meets. */
export function createApp(options: AppOptions): RequestListener {
  const { config, logger, accessLog, contract, readiness } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustedProxyHops);

  app.use(requestContext(accessLog, securityHeaders()));
  app.use('/v1', systemRoutes({ contract, readiness, rateLimited: config.rateLimitPerMinute > 0 }));
  const door = openDoor(options);
  if (config.roles.includes('api')) app.use(apiRoutes(options, door));
  if (config.roles.includes('mcp')) {
    const oauth = openAuthorization(options, door);
    app.use(oauth.routes);
    app.all('/mcp', toolServer(options, door, oauth));
    app.all('/setup', setupGuide(config.publicUrl));
  }
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

/** What all that acts for a caller shares: who they are, how often they may call, and what is done for them. */
interface Door {
  keys: KeyDirectory;
  limitFailures: RequestHandler;
  /** The same for those who are no step of a route. Rejects with what it refuses by. */
  countFailure: (req: Request, res: Response) => Promise<void>;
  budget: KeyBudget;
  invoke: Invoke;
}

function openDoor({ config, pool, breachFeed }: AppOptions): Door {
  const limitFailures = limitFailuresByAddress(config.authFailuresPerMinute);
  return {
    keys: new KeyDirectory(pool, config.keyCacheMs),
    limitFailures,
    countFailure: (req, res) => untilNext(limitFailures, req, res),
    budget: limitByKey(config.rateLimitPerMinute),
    invoke: createInvoke(new TenantAccess(pool), createHandlers({ breachFeed })),
  };
}

/** What a company's key or an invited admin's link opens. */
function apiRoutes(options: AppOptions, { keys, limitFailures, budget, invoke }: Door): Router {
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
      stalledClientMs: config.stalledClientMs,
    }),
  );
  router.use(setupRoutes({ readiness, links: new SetupLinks(pool), limitFailures, logger }));
  router.use(docsRoutes(site));
  return router;
}

/** What lets AI clients reach the tool server in the name of a key. */
function openAuthorization(options: AppOptions, door: Door): OAuth {
  const limitStrangers = limitStrangersByAddress(options.config.authFailuresPerMinute);
  return createOAuth({ ...options, ...door, limitStrangers });
}

/** The same for models: the same keys, the same limits, the same operations. */
function toolServer(
  { config, logger, readiness, createMcpServer = createServer }: AppOptions,
  { keys, countFailure, budget, invoke }: Door,
  { verify }: OAuth,
): RequestHandler {
  const endpoint = createMcpEndpoint({
    publicUrl: config.publicUrl,
    invoke,
    logger,
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

/** Runs a middleware alone; rejects with what it passes on. */
function untilNext(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void middleware(req, res, (error?: Error | 'route' | 'router') =>
      error instanceof Error ? reject(error) : resolve(),
    );
  });
}

function noSuchPath(): ApiError {
  return new ApiError('not_found', 'There is no such path; the contract is at /v1/openapi.json.');
}

function corsForKeyed(origins: readonly string[]): express.RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id', ...DEPRECATION_HEADERS],
    maxAge: 600,
  });
}
