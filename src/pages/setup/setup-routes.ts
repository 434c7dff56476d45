import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { PersonSessions } from '../../identity/person-sessions.ts';
import type { AdminSetup, SetupLinks } from '../../identity/setup-links.ts';
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../contract/errors.ts';
import type { NameFaults } from '../../contract/person-operations.ts';
import { toLanguage } from '../../contract/languages.ts';
import type { Logger } from '../../observability/logger.ts';
import { getForm, readForm } from '../../http/body/form.ts';
import { refuseMethod, requireStarted } from '../../http/guards.ts';
import type { CountRequest } from '../../http/rate-limits/rate-limits.ts';
import type { Readiness } from '../../http/readiness.ts';
import type { Invoke } from '../../operations/invoke.ts';
import { enterSession } from '../shared/enter-session.ts';
import { callAs } from '../shared/page-context.ts';
import { orFaults } from '../shared/refused-form.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import { SessionCookie } from '../../http/html/session-cookie.ts';
import { toApiError } from '../../http/response/error-response.ts';
import { SETUP_PAGE_HEADERS, setupDonePage, setupFailurePage, setupForm, type SetupNames } from './setup-page.ts';

export interface SetupRoutesOptions {
  readiness: Readiness;
  links: SetupLinks;
  sessions: PersonSessions;
  invoke: Invoke;
  countFailure: CountRequest;
  logger: Logger;
  config: Pick<Config, 'publicUrl'>;
}

/**
 * Serves the page of an invited admin's setup link. Opening it changes nothing, because mail programs open links by
 * themselves. Sending its form uses up the link, and signs the admin in to the console. The page needs no script.
 */
export function setupRoutes(options: SetupRoutesOptions): Router {
  const { readiness, links, sessions, invoke, countFailure, logger, config } = options;
  const cookie = new SessionCookie('admin', config.publicUrl);
  const router = Router({ caseSensitive: true, strict: true });
  const find: RequestHandler = async (req, res, next) => {
    const setup = await links.find(req.params.token as string);
    if (!setup) {
      await countFailure(req, res);
      throw invalidLink();
    }
    getSetup(res).setup = setup;
    next();
  };
  router.use('/setup/:token', requireStarted(readiness));
  router.get('/setup/:token', find, (_req, res) => {
    const { setup } = getSetup(res);
    sendPage(res, 200, setupForm(setup, setup, {}));
  });
  router.post('/setup/:token', find, readForm, async (req, res, next) => {
    const { setup } = getSetup(res);
    const { callerFrom, tokenHash } = setup;
    const names = readNames(getForm(req));
    const call = callAs(invoke, callerFrom(getRequestOrigin(req, res)));
    const finished = await orFaults<NameFaults, { session: string | undefined } | null>(
      call('finishAdminSetup', { tokenHash, body: names }),
    );
    if ('faults' in finished) return sendPage(res, 400, setupForm(setup, names, finished.faults));
    if (finished.answer === null) return next(invalidLink());
    const { session } = finished.answer;
    // Against login CSRF: a form that another site sent must not sign the visitor in as somebody else.
    if (session !== undefined && req.headers['sec-fetch-site'] === 'same-origin') {
      await enterSession({ kind: 'admin', sessions, cookie }, session, req, res);
    }
    sendPage(res, 200, setupDonePage(setup));
  });
  router.all('/setup/:token', refuseMethod('GET', 'HEAD', 'POST'));
  router.use('/setup', createPageErrorHandler(logger));
  return router;
}

function getSetup(res: Response): { setup: AdminSetup } {
  return res.locals as { setup: AdminSetup };
}

function invalidLink(): ApiError {
  return new ApiError('not_found', 'The link was used, replaced or has expired; ask for a new invitation.');
}

function readNames(form: URLSearchParams): SetupNames {
  return { firstName: only(form.getAll('firstName')), lastName: only(form.getAll('lastName')) };
}

function only(values: string[]): string {
  return values.length === 1 ? values[0]!.trim() : '';
}

function createPageErrorHandler(logger: Logger): ErrorRequestHandler {
  return (thrown: unknown, req: Request, res: Response, _next) => {
    const error = toApiError(logger, res, thrown);
    if (!error) return void res.destroy();
    const language = toLanguage(req.acceptsLanguages('en', 'de', 'fr') || null);
    sendPage(res, error.status, setupFailurePage(error.status, language));
  };
}

function sendPage(res: Response, status: number, html: string): void {
  res.status(status).set(SETUP_PAGE_HEADERS).send(html);
}
