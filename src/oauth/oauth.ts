import { type RequestHandler, Router } from 'express';
import type pg from 'pg';
import type { Verify } from '../auth/bearer-token.ts';
import { ApiKeyCache } from '../auth/api-key-cache.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../observability/logger.ts';
import { createConnector } from '../outbound/connector.ts';
import { createFetch, type Fetch } from '../outbound/fetch.ts';
import type { Readiness } from '../http/readiness.ts';
import { adaptersOn } from './adapters.ts';
import { type Addresses, buildAddresses, PATHS } from '../http/addresses.ts';
import { approvalRoutes } from './approval-routes.ts';
import { Approvals } from './approvals.ts';
import { failInOAuth, failWithPage } from './failures.ts';
import { allowAnyOrigin, refuseMethod, requireOurHost, requireStarted } from '../http/guards.ts';
import type { CountRequest } from '../http/rate-limits/rate-limits.ts';
import { resourceMetadata, serverMetadata } from './metadata.ts';
import { createProvider } from './provider.ts';
import { createProviderHandler, dropQuery, narrowAuthorization, tidyResponses } from './provider-routes.ts';
import { registration } from './registration.ts';
import { Secrets } from './secrets.ts';
import { createVerifier } from './verifier.ts';

export interface OAuthOptions {
  config: Pick<Config, 'publicUrl' | 'oauthSecrets' | 'corsOrigins'>;
  pool: pg.Pool;
  logger: Logger;
  readiness: Readiness;
  countFailure: CountRequest;
  countAnonymous: CountRequest;
  /** Fetches the metadata documents of clients; by default, from the internet only. */
  fetchDocument?: Fetch;
}

export interface OAuth {
  /** Routes to mount at the root. */
  routes: Router;
  /** Finds the caller of an access token for the tool server; undefined for an invalid token. */
  verify: Verify;
}

/** Creates the tool server's authorization server: a person approves with an API key, an application gets tokens. */
export function createOAuth(options: OAuthOptions): OAuth {
  const { config, pool, logger, countAnonymous, fetchDocument = createFetch(createConnector()) } = options;
  const addresses = buildAddresses(config.publicUrl);
  const secrets = new Secrets(config.oauthSecrets, logger);
  const provider = createProvider({
    ...{ pool, logger, addresses, secrets, fetchDocument, countAnonymous },
    corsOrigins: config.corsOrigins,
  });
  tidyResponses(provider, addresses, logger);
  const approvals = approvalRoutes({
    ...options,
    provider,
    addresses,
    secrets,
    approvals: new Approvals(pool),
    keys: new ApiKeyCache(pool, 0),
  });
  const routes = Router({ caseSensitive: true, strict: true });
  routes.use(
    [PATHS.serverMetadata, PATHS.resourceMetadata, '/oauth', PATHS.connect],
    requireOurHost(addresses),
    requireStarted(options.readiness),
  );
  routes.use([PATHS.authorize, PATHS.connect], leaveOpener);
  routes.use(metadataRoutes(addresses));
  routes.use(protocolRoutes(options, createProviderHandler(provider, addresses), addresses));
  routes.use(approvals);
  routes.use([PATHS.authorize, PATHS.connect], failWithPage(logger));
  routes.use('/oauth', failInOAuth(logger));
  return { routes, verify: createVerifier(pool, addresses.resource) };
}

/** Keeps the approval window connected to the web application that opened it, and to which it returns. */
const leaveOpener: RequestHandler = (_req, res, next) => {
  res.set('Cross-Origin-Opener-Policy', 'unsafe-none');
  next();
};

function metadataRoutes(addresses: Addresses): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const documents: [path: string, document: object][] = [
    [PATHS.serverMetadata, serverMetadata(addresses)],
    [PATHS.resourceMetadata, resourceMetadata(addresses)],
    [`${PATHS.resourceMetadata}/mcp`, resourceMetadata(addresses)],
  ];
  for (const [path, document] of documents) {
    router.all(path, allowAnyOrigin('GET'));
    router.get(path, (_req, res) => void res.json(document));
    router.all(path, refuseMethod('GET', 'HEAD', 'OPTIONS'));
  }
  return router;
}

function protocolRoutes(options: OAuthOptions, answer: RequestHandler, addresses: Addresses): Router {
  const { pool, countAnonymous, config } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const limitAnonymous: RequestHandler = async (req, res, next) => {
    await countAnonymous(req, res);
    next();
  };
  router.get(PATHS.authorize, limitAnonymous, narrowAuthorization(addresses), answer);
  router.get(`${PATHS.authorize}/:uid`, dropQuery, answer);
  router.all([PATHS.authorize, `${PATHS.authorize}/:uid`], refuseMethod('GET', 'HEAD'));
  router.all(PATHS.register, allowAnyOrigin('POST', config.corsOrigins));
  router.post(PATHS.register, limitAnonymous, registration(adaptersOn(pool, addresses.issuer)('Client')));
  for (const path of [PATHS.token, PATHS.revoke]) {
    router.post(path, answer);
    router.options(path, allowAnyOrigin('POST', config.corsOrigins));
  }
  router.all([PATHS.register, PATHS.token, PATHS.revoke], refuseMethod('POST', 'OPTIONS'));
  return router;
}
