import { type Request, type RequestHandler, type Response, Router } from 'express';
import contract from '../../generated/scim.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { type AnyOperationId, type ScimOperationId, scimOperations } from '../contract/contract.ts';
import { notFound } from '../contract/errors.ts';
import type { Logger } from '../observability/logger.ts';
import { requireOpenTo } from '../operations/invoke.ts';
import { ContractVersions } from '../released/contract-versions.ts';
import { jsonResponses } from '../released/json-responses.ts';
import { buildAddresses } from '../http/addresses.ts';
import { createAuthenticate } from '../http/authenticate.ts';
import { sendStatic } from '../http/response/static-response.ts';
import { refuseMethod, requireStarted } from '../http/guards.ts';
import { jsonBody, storableText } from '../http/body/json-body.ts';
import { withoutEmptySegments } from '../http/connection/plain-path.ts';
import type { Readiness } from '../http/readiness.ts';
import { getRequestContext, named } from '../http/request-context.ts';
import type { SharedServices } from '../http/shared-services.ts';
import * as discovery from './discovery.ts';
import { groupActions } from './group-actions.ts';
import { readProjection } from './resource.ts';
import { scimErrors, sendDocument, sendFailure } from './scim-responses.ts';
import { userActions } from './user-actions.ts';

export interface ScimOptions {
  config: Config;
  logger: Logger;
  readiness: Readiness;
}

const PATH = '/scim/v2';
const ONE_KIND = 'Users and groups cannot be searched together; POST to /Users/.search or to /Groups/.search.';

/** Handles a request whose caller is known and whose body is read. */
export type Action = (req: Request, res: Response) => Promise<void>;

/** Serves SCIM 2.0 as described in `api/scim.yaml`: discovery, users and groups. */
export function scimRoutes(options: ScimOptions, shared: SharedServices): Router {
  const { issuer } = buildAddresses(options.config.publicUrl);
  const base = `${issuer}${PATH}`;
  const router = Router({ caseSensitive: false, strict: false });
  router.use(discoveryRoutes(base, `${issuer}/docs/directories`));
  const users = userActions(shared.invoke, base);
  const groups = groupActions(shared.invoke, base);
  const route = routeWith(options, shared);
  router.get('/Users', ...route('listScimUsers', users.list));
  router.post('/Users', ...route('createScimUser', users.create));
  router.post('/Users/.search', ...route('searchScimUsers', users.search));
  router.post('/Groups/.search', ...route('searchScimGroups', groups.search));
  router.post('/.search', (_req, res) => sendFailure(res, 501, ONE_KIND));
  router.all(['/.search', '/Users/.search', '/Groups/.search'], refuseMethod('POST'));
  router.get('/Users/:learnerId', ...route('getScimUser', users.get));
  router.put('/Users/:learnerId', ...route('replaceScimUser', users.replace));
  router.patch('/Users/:learnerId', ...route('updateScimUser', users.update));
  router.delete('/Users/:learnerId', ...route('deleteScimUser', users.remove));
  router.get('/Groups', ...route('listScimGroups', groups.list));
  router.post('/Groups', ...route('createScimGroup', groups.create));
  router.get('/Groups/:groupId', ...route('getScimGroup', groups.get));
  router.put('/Groups/:groupId', ...route('replaceScimGroup', groups.replace));
  router.patch('/Groups/:groupId', ...route('updateScimGroup', groups.update));
  router.delete('/Groups/:groupId', ...route('deleteScimGroup', groups.remove));
  router.all(['/Users', '/Groups'], refuseMethod('GET', 'HEAD', 'POST'));
  router.all(['/Users/:id', '/Groups/:id'], refuseMethod('GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'));
  router.use(() => {
    throw notFound('endpoint');
  });
  const mounted = Router();
  mounted.use(withoutEmptySegments('/scim'));
  mounted.use(PATH, router, scimErrors(options.logger));
  return mounted;
}

/** Serves discovery, which needs no key because it is the same for everybody. */
function discoveryRoutes(base: string, guide: string): Router {
  const router = Router({ caseSensitive: false, strict: false });
  const versions = new ContractVersions('scim', { running: () => contract.info.version });
  const json = jsonResponses(contract);
  router.get('/openapi.json', async (req, res) => sendStatic(req, res, await json(versions.requested(req.query))));
  router.get('/ServiceProviderConfig', (_req, res) => sendDocument(res, discovery.serviceProviderConfig(base, guide)));
  for (const [path, documents] of [
    ['/ResourceTypes', discovery.resourceTypesAt(base)],
    ['/Schemas', discovery.schemasAt(base)],
  ] as const) {
    router.get(path, (_req, res) => sendDocument(res, discovery.toDocumentList(documents)));
    router.get(`${path}/:id`, ({ params }, res) => {
      const document = documents.get(params.id);
      if (!document) throw notFound('document');
      sendDocument(res, document);
    });
    router.all([path, `${path}/:id`], refuseMethod('GET', 'HEAD'));
  }
  router.all(['/openapi.json', '/ServiceProviderConfig'], refuseMethod('GET', 'HEAD'));
  return router;
}

/** Maximum length of a list attribute that is accepted but not stored. */
const MAX_ITEMS_OF_OTHERS = 1000;

/** Builds the steps of an operation: authenticate, limit, read the body, act. */
function routeWith({ readiness }: ScimOptions, shared: SharedServices) {
  const { keys, sources, countFailure, budget, deniedCalls, threads } = shared;
  const authenticate = createAuthenticate({ keys, sources, countFailure });
  const openTo = (operationId: AnyOperationId): RequestHandler => {
    return async (_req, res, next) => {
      const caller = getRequestContext(res).caller!;
      await deniedCalls.record({ operationId, caller, input: {} }, () => requireOpenTo(caller, operationId));
      next();
    };
  };
  const createBodySteps = (operationId: ScimOperationId): RequestHandler[] => {
    const { bodyLimitBytes: maxBytes, bodyMaxItems } = scimOperations[operationId];
    if (maxBytes === null) return [];
    const bounds = { maxItems: Math.max(bodyMaxItems, MAX_ITEMS_OF_OTHERS) };
    return [acceptScimJson, jsonBody({ required: true, maxBytes, bounds, threads })];
  };
  return (operationId: ScimOperationId, act: Action): RequestHandler[] => [
    named(operationId),
    requireStarted(readiness),
    authenticate(operationId),
    budget.limitDirectory,
    openTo(operationId),
    requireProjection,
    ...createBodySteps(operationId),
    storableText,
    (req, res) => act(req, res),
  ];
}

/**
 * Rejects invalid attribute names before the request has an effect; otherwise they would only be read for the response,
 * after the effect.
 */
const requireProjection: RequestHandler = (req, _res, next) => {
  readProjection(req.query);
  next();
};

/** Makes the body parser read `application/scim+json` as JSON. */
const acceptScimJson: RequestHandler = (req, _res, next) => {
  const type = req.headers['content-type'];
  if (type !== undefined)
    req.headers['content-type'] = type.replace(/^\s*application\/scim\+json/i, 'application/json');
  next();
};
