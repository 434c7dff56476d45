import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { PersonSessions } from '../../auth/person-sessions.ts';
import type { SignInLinks, SignInOffer } from '../../auth/sign-in-links.ts';
import { ApiError } from '../../errors.ts';
import { requireOurSite } from '../../web/form-guard.ts';
import { refuseMethod } from '../../web/guards.ts';
import type { CountRequest } from '../../web/rate-limits.ts';
import { originOf } from '../../web/request-context.ts';
import type { SessionCookie } from '../../web/session-cookie.ts';
import { sessionOf, visitBy } from './admin.ts';
import { sendEnterPage } from './sign-in-page.ts';

export interface EntranceOptions {
  links: SignInLinks;
  sessions: PersonSessions;
  cookie: SessionCookie;
  countFailure: CountRequest;
}

/** The page of a mailed link. Opening it changes nothing: mail programs open links by themselves. Its button signs in. */
export function entrance({ links, cookie, countFailure }: EntranceOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const path = '/sign-in/:token';
  const offerOf = async (req: Request, res: Response): Promise<SignInOffer> => {
    const offer = await links.find('admin', req.params.token as string);
    if (offer) return offer;
    await countFailure(req, res);
    throw deadLink();
  };
  router.get(path, async (req, res) => sendEnterPage(res, await offerOf(req, res)));
  router.post(path, requireOurSite, async (req, res) => {
    const token = await (await offerOf(req, res)).accept(originOf(req, res));
    if (token === undefined) throw deadLink();
    cookie.set(res, token);
    res.redirect(303, '/console');
  });
  router.all(path, refuseMethod('GET', 'HEAD', 'POST'));
  return router;
}

function deadLink(): ApiError {
  return new ApiError('not_found', 'The link is used up or expired, or was never there.');
}

/** Lets in who is signed in. */
export function requireSession({ sessions, cookie }: EntranceOptions): RequestHandler {
  return async (req, res, next) => {
    const session = await sessions.find('admin', cookie.read(req));
    if (session) {
      visitBy(session, req, res);
      return next();
    }
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (req.path === '/' || !isRead) throw new ApiError('unauthorized', 'Nobody is signed in.');
    res.redirect(303, '/console');
  };
}

export function signOut({ sessions, cookie }: EntranceOptions): RequestHandler {
  return async (req, res) => {
    await sessions.end(sessionOf(res), cookie.read(req), originOf(req, res));
    cookie.clear(res);
    res.redirect(303, '/console');
  };
}

/** Ends all sessions of the admin, wherever they are. */
export function signOutEverywhere({ sessions, cookie }: EntranceOptions): RequestHandler {
  return async (req, res) => {
    await sessions.endAll(sessionOf(res), originOf(req, res));
    cookie.clear(res);
    res.redirect(303, '/console');
  };
}
