import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import type pg from 'pg';
import type { Site } from './docs/site.ts';
import { ApiError } from './contract/errors.ts';
import { withConnectionLimits } from './http/connection/connection-limits.ts';
import type { Draining } from './http/connection/draining.ts';
import { errorResponse, type SendFailure } from './http/response/error-response.ts';
import type { PublishedContract } from './rest/published-contract.ts';
import { requireProperHead } from './http/guards.ts';
import { getRequestContext, requestContext } from './http/request-context.ts';
import type { RequestValidator } from './rest/request-validator.ts';
import { securityHeaders } from './http/response/security-headers.ts';
import { systemRoutes } from './rest/system-routes.ts';
import type { Logger } from './observability/logger.ts';
import type { Metrics } from './observability/metrics/metrics.ts';
import type { ApiOptions } from './rest/api-routes.ts';
import type { SharedServices, SharedServicesOptions } from './http/shared-services.ts';
import type { McpOptions } from './mcp/mcp-routes.ts';
import type { ScimOptions } from './scim/scim-routes.ts';
import type { XapiOptions } from './xapi/xapi-routes.ts';

export interface AppOptions extends SharedServicesOptions, McpOptions, XapiOptions, Omit<ApiOptions, 'validator'> {
  accessLog: Logger;
  metrics: Pick<Metrics, 'request' | 'toolCall' | 'xapiStatement'>;
  contract: PublishedContract;
  pool: pg.Pool;
  site: Site;
  draining?: Draining;
  /** Loads the request validator; called only if the process has the role `api`. */
  loadValidator: () => Promise<RequestValidator>;
}

/** The service as a request listener. */
export interface App {
  listener: RequestListener;
  /**
   * Message classes for `createServer` with Express' prototypes, so that Express need not set the prototype of each
   * message.
   */
  messages: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/**
 * Composes the service. Requests pass the routes in the order in which this function mounts them. Modules for roles
 * that the process does not have are not loaded, because modules take most of the memory and start-up time.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, logger, contract, readiness, draining } = options;
  const app = bareApp(options);
  const system = systemRoutes({ contract, readiness, rateLimited: config.rateLimitPerMinute > 0 });
  const servesHttp = config.roles.some((role) => role !== 'worker');
  const shared = servesHttp && (await import('./http/shared-services.ts')).createSharedServices(options);
  if (shared && config.contentHost) await serveContent(app, options, shared);
  if (shared && config.roles.includes('api')) await serveApi(app, options, shared, system);
  else app.use('/v1', system);
  if (shared && config.roles.includes('mcp')) await serveMcp(app, options, shared);
  if (shared && config.roles.includes('api')) await servePagesAndSystems(app, options, shared);
  if (shared && config.roles.includes('api')) await serveBounceWebhook(app, options, shared);
  if (shared && config.simulations) await serveSimulations(app, options, shared);
  const failureForm = shared ? await servePages(app, options) : undefined;
  // Formats the errors of SCIM requests that were rejected before the SCIM routes.
  if (shared && config.roles.includes('api')) app.use(...(await createScimFailureHandler(logger)));
  const answerError = errorResponse(logger, failureForm);
  app.use((_req, _res, next) => next(noSuchPath()));
  app.use(answerError);
  // A request target that Express cannot parse reaches none of the routes above, only the last handler.
  const listener = withConnectionLimits({ ...config, ...(draining && { draining }) }, (req, res) => {
    app(req as Request, res as Response, (error) => lastHandler(error, req as Request, res as Response));
  });
  const lastHandler = (error: unknown, req: Request, res: Response) => {
    const answer = () => answerError(error ?? noSuchPath(), req, res, () => undefined);
    if (getRequestContext(res).requestId === undefined) contextStep(options)(req, res, answer);
    else answer();
  };
  return { listener, messages: getMessagePrototypes(app) };
}

/**
 * Composes the service for a thread of `ThreadPool`: the transports whose requests can have large bodies. The process
 * has already applied the rate limits and the connection limits.
 */
export async function createThreadApp(options: Omit<AppOptions, 'contract' | 'site' | 'draining'>): Promise<App> {
  const { createSharedServices } = await import('./http/shared-services.ts');
  const { apiRoutes } = await import('./rest/api-routes.ts');
  const app = bareApp(options);
  const shared = createSharedServices(options);
  app.use('/v1', apiRoutes({ ...options, validator: await options.loadValidator() }, shared).operations);
  await serveSystems(app, options, shared);
  app.use(errorResponse(options.logger));
  return { listener: app as RequestListener, messages: getMessagePrototypes(app) };
}

function bareApp({ config, accessLog, metrics }: Pick<AppOptions, 'config' | 'accessLog' | 'metrics'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustedProxyHops);
  app.set('compression', config.compression);
  app.use(contextStep({ accessLog, metrics }), requireProperHead);
  return app;
}

function contextStep({ accessLog, metrics }: Pick<AppOptions, 'accessLog' | 'metrics'>): RequestHandler {
  return requestContext({ accessLog, headers: securityHeaders(), metrics });
}

/** Creates subclasses of Node's messages with the prototypes that Express gives them. */
function getMessagePrototypes(app: Express): App['messages'] {
  class AppRequest extends IncomingMessage {}
  class AppResponse<Req extends IncomingMessage> extends ServerResponse<Req> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request) as Express['request'];
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response) as Express['response'];
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

/** Mounts the content host. It comes first, so that no other route responds on that host. */
async function serveContent(app: Express, options: AppOptions, shared: SharedServices): Promise<void> {
  const { onContentHost } = await import('./pages/learn/packages/content-host.ts');
  const content = options.config.contentHost!;
  const { contentRoutes } = await import('./pages/learn/packages/content-routes.ts');
  app.use(onContentHost(content, contentRoutes({ ...options, ...options.config, content }, shared)));
}

async function serveApi(app: Express, options: AppOptions, shared: SharedServices, system: Router): Promise<void> {
  const { apiRoutes } = await import('./rest/api-routes.ts');
  const api = apiRoutes({ ...options, validator: await options.loadValidator() }, shared);
  // Most requests are for keyed operations, so their routes come first.
  app.use('/v1', api.operations, system, ...api.others);
}

/** Mounts the other routes of the role `api`. They come after the MCP tools, which are called more often. */
async function servePagesAndSystems(app: Express, options: AppOptions, shared: SharedServices): Promise<void> {
  const { SetupLinks } = await import('./identity/setup-links.ts');
  const { PersonSessions } = await import('./identity/person-sessions.ts');
  const { setupRoutes } = await import('./pages/setup/setup-routes.ts');
  const { consoleRoutes } = await import('./pages/console/console-routes.ts');
  const { learnRoutes } = await import('./pages/learn/learn-routes.ts');
  const { createSsoRoutes } = await import('./pages/sso/sso-routes.ts');
  const { unsubscribeRoutes } = await import('./pages/unsubscribe/unsubscribe-routes.ts');
  const { reportButtonRoutes } = await import('./pages/report-button/report-button-routes.ts');
  const { docsRoutes } = await import('./docs/docs-routes.ts');
  const { changesRoutes } = await import('./docs/changes/changes-routes.ts');
  const { searchRoutes } = await import('./docs/search/search-routes.ts');
  await serveSystems(app, options, shared);
  app.use(learnRoutes(options, shared), consoleRoutes(options, shared), createSsoRoutes(options, shared));
  const { pool } = options;
  const people = { links: new SetupLinks(pool), sessions: new PersonSessions(pool) };
  app.use(setupRoutes({ ...options, ...shared, ...people }), unsubscribeRoutes(options, shared));
  app.use(reportButtonRoutes(options, shared));
  app.use(changesRoutes(options), searchRoutes(options.site), docsRoutes(options.site));
}

/** Mounts the xAPI and SCIM routes. */
async function serveSystems(app: Express, options: XapiOptions & ScimOptions, shared: SharedServices): Promise<void> {
  const { xapiRoutes } = await import('./xapi/xapi-routes.ts');
  const { scimRoutes } = await import('./scim/scim-routes.ts');
  app.use(xapiRoutes(options, shared), scimRoutes(options, shared));
}

/** Mounts the webhook of the mail provider if it is enabled. */
async function serveBounceWebhook(app: Express, options: AppOptions, shared: SharedServices): Promise<void> {
  const { bounces: settings, webhooks } = options.config;
  if (!settings || settings.webhookSecrets.length === 0) return;
  const { bounceWebhookRoutes } = await import('./bounce-webhook/bounce-webhook-routes.ts');
  const { createConnector } = await import('./outbound/connector.ts');
  const { createFetch } = await import('./outbound/fetch.ts');
  const { ReturnedMessages } = await import('./resources/mail-bounces/returned-messages.ts');
  const { TenantAccess } = await import('./auth/tenant-access.ts');
  const messages = new ReturnedMessages({ ...options, access: new TenantAccess(options.pool) });
  const fetch = createFetch(createConnector({ allowedNetworks: webhooks.allowedNetworks }));
  app.use(bounceWebhookRoutes({ ...options, settings, messages, fetch }, shared));
}

async function createScimFailureHandler(logger: Logger): Promise<[path: string, handler: ErrorRequestHandler]> {
  const { scimErrors, scimFailures } = await import('./scim/scim-responses.ts');
  return [scimFailures.path, scimErrors(logger)];
}

/** Mounts the landing pages, even without the role `simulate`: links lead to the API unless SIMULATION_URL is set. */
async function serveSimulations(app: Express, options: AppOptions, shared: SharedServices): Promise<void> {
  const { simulationRoutes } = await import('./pages/landing/simulation-routes.ts');
  app.use(simulationRoutes(options, shared));
}

/** Mounts the start page and the assets of all pages. Returns the function that sends errors to browsers. */
async function servePages(app: Express, { config, pool }: AppOptions): Promise<SendFailure> {
  const { startRoutes } = await import('./pages/start/start-routes.ts');
  const { failureForBrowsers } = await import('./pages/start/failure-for-browsers.ts');
  const { serveAssets } = await import('./http/html/assets.ts');
  const { PAGE_ASSETS } = await import('./http/html/page.ts');
  const { brandRoutes } = await import('./pages/shared/brand-routes.ts');
  app.use(serveAssets(PAGE_ASSETS), brandRoutes(pool), startRoutes(config));
  return failureForBrowsers(config);
}

async function serveMcp(app: Express, options: AppOptions, shared: SharedServices): Promise<void> {
  const { createOAuth } = await import('./oauth/oauth.ts');
  const { mcpRoutes } = await import('./mcp/mcp-routes.ts');
  const oauth = createOAuth({ ...options, ...shared });
  app.use(mcpRoutes(options, shared, oauth.verify), oauth.routes);
}

function noSuchPath(): ApiError {
  return new ApiError('not_found', 'Path not found; /v1/openapi.json lists the paths.');
}
