import { buildSignedOutPath } from '../../identity/providers/identity-providers.ts';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { deriveDeviceToken, hashDeviceToken } from '../../identity/known-devices.ts';
import type { Session } from '../../identity/person-sessions.ts';
import type { SignInOffer } from '../../identity/sign-in-links.ts';
import { ApiError } from '../../contract/errors.ts';
import { toLanguage } from '../../contract/languages.ts';
import { requireRecentProof } from '../../operations/invoke.ts';
import { isAddress } from '../../http/email-address.ts';
import { getForm, readForm } from '../../http/body/form.ts';
import { requireOurSite } from '../../http/html/form-guard.ts';
import { refuseMethod } from '../../http/guards.ts';
import { toRateLimitNetwork } from '../../net/rate-limit-network.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import { sendConfirmedPage } from './confirmed-page.ts';
import { enterSession } from './enter-session.ts';
import type { SignInConfig } from './sign-in-config.ts';
import { sendLinkSentPage, sendProvidersPage, sendSignInPage, sendEnterPage } from './sign-in-page.ts';
import { beginPage, getPageContext, getSession, languageAsked } from './page-context.ts';

/**
 * Serves the page of a mailed link. Its button signs in, or confirms the session that the admin has in this browser. A
 * GET changes nothing, because mail programs open links by themselves.
 */
export function signInRoutes(signIn: SignInConfig): Router {
  const { kind, home, links, deviceCookie, countFailure } = signIn;
  const router = Router({ caseSensitive: true, strict: true });
  const path = '/sign-in/:token';
  const findOffer = async (req: Request, res: Response): Promise<SignInOffer> => {
    const offer = await links.find(kind, req.params.token as string, getRequestOrigin(req, res));
    if (offer) return offer;
    await countFailure(req, res);
    throw deadLink();
  };
  router.get(path, async (req, res) => sendEnterPage(res, signIn, await findOffer(req, res)));
  router.post(path, requireOurSite, async (req, res) => {
    const offer = await findOffer(req, res);
    const session = kind === 'admin' ? await findSession(signIn, req, res) : undefined;
    const browser = { origin: getRequestOrigin(req, res), device: deviceCookie.read(req), session };
    const accepted = await offer.accept(browser);
    if (!accepted) throw deadLink();
    if (accepted.token === null) return sendConfirmedPage(res, signIn, toLanguage(offer.locale));
    await enterSession(signIn, accepted.token, req, res);
    res.redirect(303, home);
  });
  router.all(path, refuseMethod('GET', 'HEAD', 'POST'));
  router.post('/', requireOurSite, readForm, requestLink(signIn));
  return router;
}

function deadLink(): ApiError {
  return new ApiError('not_found', 'The link has been used or has expired, or never existed; request a new one.');
}

/**
 * Queues a link to the entered e-mail address, or offers the identity providers of its domain. The response is the same
 * for every valid address of a domain.
 */
function requestLink(signIn: SignInConfig): RequestHandler {
  return async (req, res) => {
    const language = languageAsked(req);
    const typed = getForm(req).get('email')?.trim() ?? '';
    if (!isAddress(typed)) return sendSignInPage(res, signIn, { language, typed });
    await signIn.countAnonymous(req, res);
    const offered = getForm(req).get('by') === 'mail' ? [] : await signIn.listProviders(typed);
    if (offered.length > 0) return sendProvidersPage(res, signIn, { language, typed, offered });
    const network = toRateLimitNetwork(getRequestOrigin(req, res).address);
    await signIn.links.ask(signIn.kind, typed, { network, device: signIn.deviceCookie.read(req) });
    sendLinkSentPage(res, signIn, language);
  };
}

/** Finds the session of a browser; undefined if it has none. */
async function findSession(
  { kind, sessions, cookie }: SignInConfig,
  req: Request,
  res: Response,
): Promise<Session | undefined> {
  const token = cookie.read(req);
  return token === '' ? undefined : sessions.find(kind, token, getRequestOrigin(req, res));
}

/**
 * Lets signed-in people pass. Others get the sign-in page at `/`. At other paths, a GET or HEAD redirects to the
 * sign-in page, and other methods fail with 401.
 */
export function requireSession(signIn: SignInConfig): RequestHandler {
  const { home, cookie, deviceCookie, budget, invoke } = signIn;
  return async (req, res, next) => {
    const token = cookie.read(req);
    const session = await findSession(signIn, req, res);
    if (session) {
      budget.take(session.id);
      if (req.method === 'GET' && !hashDeviceToken(deviceCookie.read(req)))
        deviceCookie.set(res, deriveDeviceToken(token));
      beginPage(session, invoke, req, res);
      return next();
    }
    if (token !== '') cookie.clear(res);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      throw new ApiError('unauthorized', 'You are not signed in; sign in and try again.');
    }
    if (req.path === '/') return sendSignInPage(res, signIn, { language: languageAsked(req) });
    res.redirect(303, home);
  };
}

export function signOut({ home, sessions, cookie, signedOutCookie }: SignInConfig): RequestHandler {
  return async (req, res) => {
    const session = getSession(res);
    const ended = await sessions.end(session, cookie.read(req), getRequestOrigin(req, res));
    cookie.clear(res);
    const { providerId, companyId } = session;
    if (providerId !== null && ended) signedOutCookie.set(res, providerId, ended);
    res.redirect(303, providerId === null ? home : buildSignedOutPath(companyId, providerId, session.kind));
  };
}

/**
 * Ends all sessions, mailed links and known devices of the person, and an admin's passkeys. An admin must have recently
 * confirmed who they are, because mailed links permit more once there are no passkeys.
 */
export function signOutEverywhere({ home, sessions, cookie }: SignInConfig): RequestHandler {
  return async (req, res) => {
    const session = getSession(res);
    if (session.kind === 'admin') requireRecentProof(getPageContext(res).caller);
    await sessions.endAll(session, getRequestOrigin(req, res));
    cookie.clear(res);
    res.redirect(303, home);
  };
}
