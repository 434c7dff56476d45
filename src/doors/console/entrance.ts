import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Passkeys } from '../../auth/passkeys.ts';
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
import { languageAsked, sessionOf, visitBy } from './admin.ts';
import { passkeyEntrance } from './passkey-entrance.ts';
import { sendAskedPage, sendAskPage, sendEnterPage } from './sign-in-page.ts';

export interface EntranceOptions {
  links: SignInLinks;
  sessions: PersonSessions;
  cookie: SessionCookie;
  countFailure: CountRequest;
  countAnonymous: CountRequest;
  /** Undefined where browsers have none for the address of the service. */
  passkeys: Passkeys | undefined;
}

/** The page of a mailed link. Opening it changes nothing: mail programs open links by themselves. Its button signs in. */
export function entrance(options: EntranceOptions): Router {
  const { links, cookie, countFailure, passkeys } = options;
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
  router.post('/', requireOurSite, readForm, askForLink(options));
  if (passkeys) router.use(passkeyEntrance({ ...options, passkeys }));
  return router;
}

function deadLink(): ApiError {
  return new ApiError('not_found', 'The link is used up or expired, or was never there.');
}

/** Mails a link to who asks for one. What the page answers is the same for every address. */
function askForLink({ links, countAnonymous, passkeys }: EntranceOptions): RequestHandler {
  return async (req, res) => {
    const language = languageAsked(req);
    const email = formOf(req).get('email')?.trim() ?? '';
    if (!isAddress(email)) {
      return sendAskPage(res, { language, canShowPasskey: passkeys !== undefined, fault: { typed: email } });
    }
    await countAnonymous(req, res);
    await links.ask('admin', email);
    sendAskedPage(res, language);
  };
}

/** Lets in who is signed in. Others get the page on which they sign in, and are sent there from all others. */
export function requireSession({ sessions, cookie, passkeys }: EntranceOptions): RequestHandler {
  return async (req, res, next) => {
    const session = await sessions.find('admin', cookie.read(req));
    if (session) {
      visitBy(session, req, res);
      return next();
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') throw new ApiError('unauthorized', 'Nobody is signed in.');
    if (req.path === '/') {
      return sendAskPage(res, { language: languageAsked(req), canShowPasskey: passkeys !== undefined });
    }
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
