import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { isFormToken } from '../../identity/person-sessions.ts';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../contract/errors.ts';
import { toLanguage, LANGUAGES } from '../../contract/languages.ts';
import type { Logger } from '../../observability/logger.ts';
import type { PersonInput } from '../../operations/operations.ts';
import { callAs } from '../shared/page-context.ts';
import { serveAssets } from '../../http/html/assets.ts';
import { toApiError } from '../../http/response/error-response.ts';
import { requireOurSite } from '../../http/html/form-guard.ts';
import { refuseMethod, requireStarted } from '../../http/guards.ts';
import type { Readiness } from '../../http/readiness.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import { hasLinkedTraining, linkedTrainingPath } from '../shared/linked-training.ts';
import { isPrefetch } from './prefetch.ts';
import { type LandingLink, SCRIPT, sendFailurePage, sendLandingPage } from './landing-page.ts';

const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

export interface SimulationRoutesOptions {
  config: Pick<Config, 'publicUrl' | 'mail'>;
  readiness: Readiness;
  logger: Logger;
}

/**
 * Creates the routes of links in messages. Each response waits until the interaction is recorded. The routes neither
 * set nor read cookies, and read no bodies.
 */
export function simulationRoutes(options: SimulationRoutesOptions, shared: SharedServices): Router {
  const { config, readiness, logger } = options;
  const trainingUrl = config.mail?.trainingUrl ?? `${config.publicUrl}/learn`;
  const toTraining = (link: LandingLink, token: string) =>
    hasLinkedTraining(link) ? `${config.publicUrl}${linkedTrainingPath(token)}` : trainingUrl;
  const find = findLink(shared);
  const recordEvent = createEventRecorder(shared);
  const pageReportSteps = [requireOurSite, find, requireNonce(shared)];
  const pages = Router({ caseSensitive: true, strict: true });
  pages.use(requireStarted(readiness));
  const sendPage: RequestHandler = (req, res) => {
    const [link, token] = [getLink(res), req.params.token as string];
    sendLandingPage(res, { ...link, token }, toTraining(link, token));
  };
  pages.get('/:token', find, recordEvent('visited'), sendPage);
  pages.get('/:token/more', find, recordEvent('visited', { hiddenLink: true }), sendPage);
  pages.get('/:token/picture.gif', find, recordEvent('opened'), sendPicture);
  pages.all(['/:token', '/:token/more', '/:token/picture.gif'], refuseMethod('GET', 'HEAD'));
  pages.post(
    '/:token/script',
    pageReportSteps,
    recordEvent('visited', { script: true, styleSheet: false }),
    sendNothing,
  );
  pages.post(
    '/:token/loaded',
    pageReportSteps,
    recordEvent('visited', { script: true, styleSheet: true }),
    sendNothing,
  );
  pages.post('/:token/input', pageReportSteps, recordEvent('visited', { input: true }), sendNothing);
  pages.all(['/:token/script', '/:token/loaded', '/:token/input'], refuseMethod('POST'));
  pages.use((_req, _res, next) => next(unknownLink()));
  pages.use(createPageErrorHandler(logger));
  const router = Router({ caseSensitive: true, strict: true });
  router.use(serveAssets([SCRIPT]));
  router.use('/s', pages);
  return router;
}

function findLink({ openings, countFailure }: SharedServices): RequestHandler {
  return async (req, res, next) => {
    const link = await openings.simulations.find(req.params.token as string, getRequestOrigin(req, res));
    if (!link) {
      await countFailure(req, res);
      throw unknownLink();
    }
    (res.locals as { link: LandingLink }).link = link;
    next();
  };
}

function getLink(res: Response): LandingLink {
  return (res.locals as { link: LandingLink }).link;
}

function unknownLink(): ApiError {
  return new ApiError('not_found', 'Link not found.');
}

/** Requires the nonce, which only a page that was opened with the link has. */
function requireNonce({ countFailure }: SharedServices): RequestHandler {
  return async (req, res, next) => {
    if (isFormToken(req.get('x-form-token') ?? '', { formToken: getLink(res).nonce })) return next();
    await countFailure(req, res);
    throw new ApiError('forbidden', 'The page is out of date; open the link again.');
  };
}

type Interaction = PersonInput<'recordInteraction'>;

function createEventRecorder({ invoke }: SharedServices) {
  return (type: Interaction['type'], signs: Interaction['signs'] = {}): RequestHandler => {
    return async (req, res, next) => {
      const { caller, isCounted, simulationId, recipientId } = getLink(res);
      if (!isCounted || isPrefetch(req.get('sec-purpose') ?? req.get('purpose'))) return next();
      const place = { address: getRequestOrigin(req, res).address, userAgent: req.get('user-agent') };
      const method = req.method as NonNullable<Interaction['signs']['method']>;
      const interaction = { simulationId, recipientId, type, ...place, signs: { method, ...signs } };
      await callAs(invoke, caller)('recordInteraction', interaction);
      next();
    };
  };
}

/** Allows webmail to show the picture in its own pages. */
function sendPicture(_req: Request, res: Response): void {
  res.set({ 'Content-Type': 'image/gif', 'Cross-Origin-Resource-Policy': 'cross-origin' }).send(PICTURE);
}

function sendNothing(_req: Request, res: Response): void {
  res.status(204).end();
}

function createPageErrorHandler(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, req: Request, res: Response, _next) => {
    const error = toApiError(logger, res, thrown);
    if (!error) return void res.destroy();
    sendFailurePage(res, error.status, toLanguage(req.acceptsLanguages(...LANGUAGES) || null));
  };
}
