import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type pg from 'pg';
import { isFormToken } from '../../identity/person-sessions.ts';
import { nonceOf, type SimulationLink, SimulationLinks } from '../../resources/simulations/events/simulation-links.ts';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../contract/errors.ts';
import { languageOf, LANGUAGES } from '../../contract/languages.ts';
import type { Logger } from '../../observability/logger.ts';
import { InteractionRecorder } from '../../resources/simulations/events/interaction-recorder.ts';
import { type Interaction, isPrefetch } from '../../resources/simulations/events/own-event-rules.ts';
import { serveAssets } from '../../http/html/assets.ts';
import { failureOf } from '../../http/response/error-response.ts';
import { requireOurSite } from '../../http/html/form-guard.ts';
import { refuseMethod, requireStarted } from '../../http/guards.ts';
import type { CountRequest } from '../../http/rate-limits/rate-limits.ts';
import type { Readiness } from '../../http/readiness.ts';
import { originOf } from '../../http/request-context.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import { SCRIPT, sendFailurePage, sendLandingPage } from './landing-page.ts';

const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAAAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');

export interface SimulationRoutesOptions {
  config: Pick<Config, 'publicUrl' | 'mail'>;
  pool: pg.Pool;
  readiness: Readiness;
  logger: Logger;
}

/**
 * Where the links of messages lead. Each answer waits until what was done is on record. No cookie is set or read, and no
 * body is read.
 */
export function simulationRoutes(options: SimulationRoutesOptions, { countFailure }: SharedServices): Router {
  const { config, pool, readiness, logger } = options;
  const trainingUrl = config.mail?.trainingUrl ?? `${config.publicUrl}/learn`;
  const find = findLink(new SimulationLinks(pool), countFailure);
  const note = noteBy(new InteractionRecorder());
  const told = [requireOurSite, requireNonce(countFailure), find];
  const pages = Router({ caseSensitive: true, strict: true });
  pages.use(requireStarted(readiness));
  const sendPage: RequestHandler = (req, res) => {
    sendLandingPage(res, { ...linkOf(res), token: req.params.token as string }, trainingUrl);
  };
  pages.get('/:token', find, note('visited'), sendPage);
  pages.get('/:token/more', find, note('visited', { hiddenLink: true }), sendPage);
  pages.get('/:token/picture.gif', find, note('opened'), sendPicture);
  pages.all(['/:token', '/:token/more', '/:token/picture.gif'], refuseMethod('GET', 'HEAD'));
  pages.post('/:token/script', told, note('visited', { script: true, styleSheet: false }), sendNothing);
  pages.post('/:token/loaded', told, note('visited', { script: true, styleSheet: true }), sendNothing);
  pages.post('/:token/input', told, note('visited', { input: true }), sendNothing);
  pages.post('/:token/compromise', told, note('compromised', { input: true }), sendNothing);
  pages.all(['/:token/script', '/:token/loaded', '/:token/input', '/:token/compromise'], refuseMethod('POST'));
  pages.use((_req, _res, next) => next(unknownLink()));
  pages.use(answerWithPage(logger));
  const router = Router({ caseSensitive: true, strict: true });
  router.use(serveAssets([SCRIPT]));
  router.use('/s', pages);
  return router;
}

function findLink(links: SimulationLinks, countFailure: CountRequest): RequestHandler {
  return async (req, res, next) => {
    const link = await links.find(req.params.token as string, originOf(req, res));
    if (!link) {
      await countFailure(req, res);
      throw unknownLink();
    }
    (res.locals as { link: SimulationLink }).link = link;
    next();
  };
}

function linkOf(res: Response): SimulationLink {
  return (res.locals as { link: SimulationLink }).link;
}

function unknownLink(): ApiError {
  return new ApiError('not_found', 'There is no such link.');
}

/** Only a page that was opened by the link has it. */
function requireNonce(countFailure: CountRequest): RequestHandler {
  return async (req, res, next) => {
    const formToken = nonceOf(req.params.token as string);
    if (isFormToken(req.get('x-form-token') ?? '', { formToken })) return next();
    await countFailure(req, res);
    throw new ApiError('forbidden', 'The page is out of date.');
  };
}

function noteBy(recorder: InteractionRecorder) {
  return (type: Interaction['type'], signs: Interaction['signs'] = {}): RequestHandler => {
    return async (req, res, next) => {
      const { tenant, isCounted, simulationId, learnerId, recipientId } = linkOf(res);
      if (!isCounted || isPrefetch(req.get('sec-purpose') ?? req.get('purpose'))) return next();
      const place = { address: originOf(req, res).address, userAgent: req.get('user-agent') };
      const method = req.method as NonNullable<Interaction['signs']['method']>;
      const who = { simulationId, learnerId, recipientId };
      await recorder.record(tenant, { ...who, type, ...place, signs: { method, ...signs } });
      next();
    };
  };
}

/** Mail programs on the web show it in pages of theirs. */
function sendPicture(_req: Request, res: Response): void {
  res.set({ 'Content-Type': 'image/gif', 'Cross-Origin-Resource-Policy': 'cross-origin' }).send(PICTURE);
}

function sendNothing(_req: Request, res: Response): void {
  res.status(204).end();
}

function answerWithPage(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, req: Request, res: Response, _next) => {
    const error = failureOf(logger, res, thrown);
    if (!error) return void res.destroy();
    sendFailurePage(res, error.status, languageOf(req.acceptsLanguages(...LANGUAGES) || null));
  };
}
