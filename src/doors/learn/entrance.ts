import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { PersonSessions } from '../../auth/person-sessions.ts';
import type { SignInLinks, SignInOffer } from '../../auth/sign-in-links.ts';
import { ApiError } from '../../errors.ts';
import { isAddress } from '../../web/email-address.ts';
import { formOf, readForm } from '../../web/form.ts';
import { requireOurSite } from '../../web/form-guard.ts';
import { refuseMethod } from '../../web/guards.ts';
import type { CountRequest } from '../../web/rate-limits.ts';
import { originOf } from '../../web/request-context.ts';
import type { SessionCookie } from '../../web/session-cookie.ts';
import { languageAsked, sessionOf, visitBy } from './learner.ts';
import { sendAskedPage, sendAskPage, sendEnterPage } from './sign-in-page.ts';

export interface EntranceOptions {
  links: SignInLinks;
  sessions: PersonSessions;
  cookie: SessionCookie;
  countFailure: CountRequest;
  countAnonymous: CountRequest;
}

/** The page of a mailed link. Opening it changes nothing: mail programs open links by themselves. Its button signs in. */
export function entrance(options: EntranceOptions): Router {
  const { links, cookie, countFailure } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const path = '/sign-in/:token';
  const offerOf = async (req: Request, res: Response): Promise<SignInOffer> => {
    const offer = await links.find('learner', req.params.token as string);
    if (offer) return offer;
    await countFailure(req, res);
    throw deadLink();
  };
  router.get(path, async (req, res) => sendEnterPage(res, await offerOf(req, res)));
  router.post(path, requireOurSite, async (req, res) => {
    const token = await (await offerOf(req, res)).accept(originOf(req, res));
    if (token === undefined) throw deadLink();
    cookie.set(res, token);
    res.redirect(303, '/learn');
  });
  router.all(path, refuseMethod('GET', 'HEAD', 'POST'));
  router.post('/', requireOurSite, readForm, askForLink(options));
  return router;
}

function deadLink(): ApiError {
  return new ApiError('not_found', 'The link is expired, or was never there.');
}

/** Mails a link to who asks for one. What the page answers is the same for every address. */
function askForLink({ links, countAnonymous }: EntranceOptions): RequestHandler {
  return async (req, res) => {
    const language = languageAsked(req);
    const email = formOf(req).get('email')?.trim() ?? '';
    if (!isAddress(email)) return sendAskPage(res, language, email);
    await countAnonymous(req, res);
    await links.ask('learner', email);
    sendAskedPage(res, language);
  };
}

/** Lets in who is signed in. Others are sent to the page where they ask for a link. */
export function requireSession({ sessions, cookie }: EntranceOptions): RequestHandler {
  return async (req, res, next) => {
    const session = await sessions.find('learner', cookie.read(req));
    if (session) visitBy(session, req, res);
    else if (req.method === 'GET' || req.method === 'HEAD') return sendAway(req, res);
    next(session ? undefined : new ApiError('unauthorized', 'Nobody is signed in.'));
  };
}

function sendAway(req: Request, res: Response): void {
  if (req.path === '/') sendAskPage(res, languageAsked(req));
  else res.redirect(303, '/learn');
}

export function signOut({ sessions, cookie }: EntranceOptions): RequestHandler {
  return async (req, res) => {
    await sessions.end(sessionOf(res), cookie.read(req), originOf(req, res));
    cookie.clear(res);
    res.redirect(303, '/learn');
  };
}

/** Ends all sessions of the learner, and all links that were mailed to them. */
export function signOutEverywhere({ sessions, cookie }: EntranceOptions): RequestHandler {
  return async (req, res) => {
    await sessions.endAll(sessionOf(res), originOf(req, res));
    cookie.clear(res);
    res.redirect(303, '/learn');
  };
}
