import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { AdminSetup, SetupLinks } from '../../auth/setup-links.ts';
import { readText } from '../../web/body-text.ts';
import { ApiError } from '../../errors.ts';
import { languageOf } from '../../languages.ts';
import type { Logger } from '../../logger.ts';
import { type Readiness, requireStarted } from '../../web/readiness.ts';
import { judgeNames, type SetupNames } from '../../resources/admins/admin-rules.ts';
import { finishSetup } from '../../resources/admins/admin-setup.ts';
import { failureOf } from '../../web/error-response.ts';
import { SETUP_PAGE_HEADERS, setupDonePage, setupFailurePage, setupForm } from './setup-page.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const FORM_LIMIT_BYTES = 8 * 1024;
const METHODS = 'GET, HEAD, POST';

export interface SetupRoutesOptions {
  readiness: Readiness;
  links: SetupLinks;
  limitFailures: RequestHandler;
  logger: Logger;
}

/**
 * The page behind the setup link of an invited admin. Reading it changes nothing, since mail programs follow links by
 * themselves; sending its form uses the link up. It needs neither script nor cookie.
 */
export function setupRoutes({ readiness, links, limitFailures, logger }: SetupRoutesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const find: RequestHandler = async (req, res, next) => {
    requireStarted(readiness);
    const setup = await links.find(req.params.token as string);
    if (!setup) return limitFailures(req, res, (limited?: unknown) => next(limited ?? invalidLink()));
    setupOf(res).setup = setup;
    next();
  };
  router.get('/setup/:token', find, (_req, res) => {
    const { setup } = setupOf(res);
    sendPage(res, 200, setupForm(setup, setup, {}));
  });
  router.post('/setup/:token', find, readForm, async (req, res, next) => {
    const { setup } = setupOf(res);
    const names = namesOf(req.body);
    const faults = judgeNames(names);
    if (Object.keys(faults).length > 0) return sendPage(res, 400, setupForm(setup, names, faults));
    if (!(await finishSetup(setup, names))) return next(invalidLink());
    sendPage(res, 200, setupDonePage(setup));
  });
  router.all('/setup/:token', (_req, _res, next) => {
    next(new ApiError('method_not_allowed', `The methods are ${METHODS}.`, { headers: { Allow: METHODS } }));
  });
  router.use('/setup', answerWithPage(logger));
  return router;
}

function setupOf(res: Response): { setup: AdminSetup } {
  return res.locals as { setup: AdminSetup };
}

function invalidLink(): ApiError {
  return new ApiError('not_found', 'The link is used up, replaced or expired.');
}

const readForm: RequestHandler = async (req, _res, next) => {
  if (!req.is(FORM_TYPE)) throw new ApiError('unsupported_media_type', `The form is sent as ${FORM_TYPE}.`);
  req.body = await readText(req, FORM_LIMIT_BYTES);
  next();
};

function namesOf(form: unknown): SetupNames {
  const fields = new URLSearchParams(typeof form === 'string' ? form : '');
  return { firstName: only(fields.getAll('firstName')), lastName: only(fields.getAll('lastName')) };
}

function only(values: string[]): string {
  return values.length === 1 ? values[0]! : '';
}

function answerWithPage(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, req: Request, res: Response, _next) => {
    const error = failureOf(logger, res, thrown);
    if (!error) return void res.destroy();
    const language = languageOf(req.acceptsLanguages('en', 'de', 'fr') || null);
    sendPage(res, error.status, setupFailurePage(error.status, language));
  };
}

function sendPage(res: Response, status: number, html: string): void {
  res.status(status).set(SETUP_PAGE_HEADERS).send(html);
}
