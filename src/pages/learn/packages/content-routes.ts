import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { ContentHost } from '../../../config/content-url.ts';
import { ApiError } from '../../../contract/errors.ts';
import { serveAssets } from '../../../http/html/assets.ts';
import { jsonBody } from '../../../http/body/json-body.ts';
import { refuseMethod, requireStarted } from '../../../http/guards.ts';
import type { Readiness } from '../../../http/readiness.ts';
import { getRequestOrigin } from '../../../http/request-context.ts';
import { toApiError } from '../../../http/response/error-response.ts';
import type { SharedServices } from '../../../http/shared-services.ts';
import type { Logger } from '../../../observability/logger.ts';
import { callAs } from '../../shared/page-context.ts';
import { isContentHost } from './content-host.ts';
import { type ContentWindow, sendPlayPage } from './content-pages.ts';
import { CONTENT_ASSETS } from './package-assets.ts';
import { packageFiles } from './package-files.ts';
import { MAX_STATE_BYTES, storeReport } from './store-report.ts';

export interface ContentRoutesOptions {
  content: ContentHost;
  publicUrl: string;
  readiness: Readiness;
  logger: Logger;
}

/** Serves the content host; see content-host.ts. */
export function contentRoutes(options: ContentRoutesOptions, shared: SharedServices): Router {
  const { content, publicUrl, readiness, logger } = options;
  const requireOwnHost = createRequireOwnHost(content);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(refuseServiceWorkers, serveAssets(CONTENT_ASSETS), requireStarted(readiness));
  const play = '/play/:token';
  router.use([play, '/packages/:token'], requireOwnHost);
  router.get(play, async (req, res) => sendPlayPage(res, await findWindow(req, res, shared, readItem(req)), options));
  router.post(play, requireOwnPage, createReceiver(shared));
  router.all(play, refuseMethod('GET', 'HEAD', 'POST'));
  router.use(packageFiles(shared, { content, publicUrl }));
  const elsewhere = `This host serves only course packages. The service is at ${publicUrl}.`;
  router.use((_req, _res, next) => next(new ApiError('not_found', elsewhere)));
  router.use(createErrorHandler(logger));
  return router;
}

/** Refuses service workers, which would answer requests of later windows. */
const refuseServiceWorkers: RequestHandler = (req, _res, next) => {
  if (req.get('service-worker') === undefined) return next();
  throw new ApiError('forbidden', 'Packages cannot register service workers.');
};

/** Rejects a token that arrives on another window's host. */
function createRequireOwnHost(content: ContentHost): RequestHandler {
  return (req, _res, next) => next(isContentHost(content, req.params.token as string, req) ? undefined : notHere());
}

/** Rejects reports that a page of another origin sends. */
const requireOwnPage: RequestHandler = (req, _res, next) => {
  const site = req.get('sec-fetch-site');
  if (site === undefined || site === 'same-origin') return next();
  throw new ApiError('forbidden', "The report was not sent by the package's page.");
};

/** @throws {ApiError} `not_found` if the token opens no window */
async function findWindow(
  req: Request,
  res: Response,
  { openings, budget, countFailure }: SharedServices,
  item?: number,
): Promise<ContentWindow> {
  const token = req.params.token as string;
  const window = await openings.packages.findWindow(token, getRequestOrigin(req, res), item);
  if (!window) {
    await countFailure(req, res);
    throw notHere();
  }
  budget.take(window.learnerId);
  return { ...window, token };
}

/** Returns the position of the item that the menu opens; undefined if the URL names none. */
function readItem({ query }: Request): number | undefined {
  return typeof query.item === 'string' && /^\d{1,4}$/.test(query.item) ? Number(query.item) : undefined;
}

/** Stores a report, as the learner who has the window open. The token is checked before the body is read. */
function createReceiver(shared: SharedServices): RequestHandler {
  const read = jsonBody({ required: true, maxBytes: MAX_STATE_BYTES });
  return async (req, res, next) => {
    const { caller, courseId, tokenHash } = await findWindow(req, res, shared);
    await read(req, res, (error?: unknown) => {
      if (error !== undefined) return next(error);
      storeReport(callAs(shared.invoke, caller), { courseId, tokenHash }, req.body, res).catch(next);
    });
  };
}

function notHere(): ApiError {
  return new ApiError('not_found', 'Not found.');
}

/** Sends errors as text, because the content host serves no error page. */
function createErrorHandler(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, _req, res, _next) => {
    const error = toApiError(logger, res, thrown);
    if (!error) return void res.destroy();
    res.status(error.status).type('text/plain').send(`${error.message}\n`);
  };
}
