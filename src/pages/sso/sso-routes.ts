import {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import type pg from 'pg';
import { requireAllScopes } from '../../auth/roles.ts';
import type { Config } from '../../config/config.ts';
import { getForm, readFormUpTo } from '../../http/body/form.ts';
import { refuseMethod, requireStarted } from '../../http/guards.ts';
import { serveAssets } from '../../http/html/assets.ts';
import { isForeign } from '../../http/html/form-guard.ts';
import { SessionCookie } from '../../http/html/session-cookie.ts';
import type { Readiness } from '../../http/readiness.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import type { PersonKind } from '../../identity/people.ts';
import { getUse, IdentityProviders, PLACES, type ProviderAccess } from '../../identity/providers/identity-providers.ts';
import {
  beginAttempt,
  formatAttempt,
  nameAttempt,
  type Purpose,
  readAttempt,
  type SignInAttempt,
} from '../../identity/providers/sign-in-attempt.ts';
import { toService } from '../../identity/providers/saml-client.ts';
import { SamlSigningKeys } from '../../identity/providers/saml-signing-keys.ts';
import { ProviderSignIn } from '../../identity/providers/provider-sign-in.ts';
import { SignInFault } from '../../identity/providers/sign-in-fault.ts';
import { describeSamlService } from '../../identity/saml/saml-metadata.ts';
import type { Logger } from '../../observability/logger.ts';
import { CONSOLE } from '../console/console-page.ts';
import { LEARN } from '../learn/learn-page.ts';
import { sendConfirmedPage } from '../shared/confirmed-page.ts';
import { enterSession } from '../shared/enter-session.ts';
import { createPageErrorHandler } from '../shared/failure-page.ts';
import { getPageContext, getSession, languageAsked } from '../shared/page-context.ts';
import { createSignIn } from '../shared/sign-in-config.ts';
import { requireSession } from '../shared/sign-in-routes.ts';
import { completeSignIn } from './complete-sign-in.ts';
import { type Callback, ProviderClients, type Redeemed } from './provider-clients.ts';
import { addSamlLogoutRoutes } from './saml-logout-routes.ts';
import { addSignOutRoutes } from './sign-out-routes.ts';
import { RESEND_SCRIPT, sendResend, sendSsoFault, sendStart, sendTestResult } from './sso-page.ts';

/** Time in which the person must sign in at the provider. */
const ATTEMPT_SECONDS = 15 * 60;
/** Maximum size of a form with the response of a SAML provider, which has at most 200 KB and is encoded in base64. */
const MAX_SAML_FORM_BYTES = 320 * 1024;

/** A provider's response, as the browser submits it. */
interface Sent {
  /** The name of the attempt. */
  state: string;
  callback: Callback;
}

export interface SsoRoutesOptions {
  config: Config;
  pool: pg.Pool;
  readiness: Readiness;
  logger: Logger;
}

/**
 * Creates the routes between this service and the identity providers of companies. For an explanation of identity
 * providers, see src/identity/providers/identity-providers.ts.
 */
export function createSsoRoutes(options: SsoRoutesOptions, shared: SharedServices): Router {
  const { config, pool, readiness, logger } = options;
  const { countFailure, invoke } = shared;
  const places = { ...shared, pool, publicUrl: config.publicUrl };
  const signIns = { admin: createSignIn('admin', CONSOLE, places), learner: createSignIn('learner', LEARN, places) };
  const { deviceCookie } = signIns.admin;
  const { sealedSecrets } = shared;
  const providers = new IdentityProviders(pool, sealedSecrets);
  const signingKeys = new SamlSigningKeys(pool, sealedSecrets);
  const clients = new ProviderClients(config, providers, signingKeys);
  const cookieOf = (state: string) => new SessionCookie(nameAttempt(state), config.publicUrl, ATTEMPT_SECONDS);
  const requireAdmin = requireSession(signIns.admin);
  const toCallbackUrl = ({ companyId, id }: ProviderAccess) => `${config.publicUrl}/sso/${companyId}/${id}/callback`;

  const findProvider = async (req: Request, res: Response): Promise<ProviderAccess> => {
    const { companyId, providerId } = req.params as { companyId: string; providerId: string };
    const provider = await providers.find(companyId, providerId, getRequestOrigin(req, res));
    if (!provider) throw new SignInFault('provider_off');
    return provider;
  };

  const begin = async (req: Request, res: Response, provider: ProviderAccess, purpose: Purpose): Promise<void> => {
    const attempt = beginAttempt(provider.id, purpose);
    const loginHint = readAddress(config.publicUrl, req).searchParams.get('login_hint') ?? '';
    const urls = { callbackUrl: toCallbackUrl(provider), loginHint: loginHint.slice(0, 320) };
    const url = await clients.buildSignInUrl(provider, attempt, urls);
    cookieOf(attempt.state).set(res, formatAttempt(attempt));
    res.redirect(302, url);
  };

  const beginFor = (kind: PersonKind): RequestHandler => {
    return async (req, res) => {
      const provider = await findProvider(req, res);
      if (getUse(provider, kind) === 'off') throw new SignInFault('provider_off');
      // Another site must not sign a visitor in, as somebody else or to another company, without the visitor's action.
      if (isForeign(req)) return sendStart(res, provider, languageAsked(req));
      await begin(req, res, provider, kind);
    };
  };

  /** Returns the attempt that a callback completes, and ends it. */
  const takeAttempt = (req: Request, res: Response, state: string): SignInAttempt => {
    const cookie = cookieOf(state);
    const attempt = readAttempt(cookie.read(req), state, req.params.providerId as string);
    if (!attempt) throw new SignInFault('attempt_unknown');
    cookie.clear(res);
    return attempt;
  };

  const complete = async (req: Request, res: Response, next: NextFunction, sent: Sent): Promise<void> => {
    const attempt = takeAttempt(req, res, sent.state);
    if (attempt.purpose === 'test') {
      const step = orElse(next, () => test(req, res, sent.callback, attempt));
      return void requireAdmin(req, res, step);
    }
    if (attempt.purpose === 'confirm') {
      const step = orElse(next, () => confirm(req, res, sent.callback, attempt));
      return void requireAdmin(req, res, step);
    }
    const kind = attempt.purpose;
    const provider = await findProvider(req, res);
    const redeemed = await redeem(provider, sent.callback, attempt);
    const visit = { origin: getRequestOrigin(req, res), device: deviceCookie.read(req) };
    const token = await completeSignIn({ pool, invoke }, { provider, kind, redeemed }, visit);
    await enterSession(signIns[kind], token, req, res);
    res.redirect(303, signIns[kind].home);
  };

  const redeem = (provider: ProviderAccess, callback: Callback, attempt: SignInAttempt): Promise<Redeemed> =>
    clients.redeem(provider, callback, { attempt, callbackUrl: toCallbackUrl(provider) });

  const completeOidc: RequestHandler = (req, res, next) => {
    const url = readAddress(config.publicUrl, req);
    return complete(req, res, next, { state: url.searchParams.get('state') ?? '', callback: { url } });
  };

  const completeSaml: RequestHandler = (req, res, next) => {
    const form = getForm(req);
    const [state, samlResponse] = [form.get('RelayState') ?? '', form.get('SAMLResponse') ?? ''];
    if (isForeign(req) && !form.has('again'))
      return sendResend(res, { SAMLResponse: samlResponse, RelayState: state }, languageAsked(req));
    return complete(req, res, next, { state, callback: { samlResponse } });
  };

  const sendMetadata: RequestHandler = async (req, res) => {
    const provider = await findProvider(req, res);
    if (provider.protocol !== 'saml') throw new SignInFault('provider_off');
    const key = await signingKeys.find(provider);
    const service = toService(provider, toCallbackUrl(provider));
    res.type('application/samlmetadata+xml').send(describeSamlService(service, key?.certificate));
  };

  const test = async (req: Request, res: Response, callback: Callback, attempt: SignInAttempt): Promise<void> => {
    const provider = await findOwn(req, res);
    const { reported } = await redeem(provider, callback, attempt);
    if (reported.email === '') throw new SignInFault('email_missing');
    if (!reported.isEmailVerified) throw new SignInFault('email_unverified');
    const { issuer, clientId } = provider;
    await getPageContext(res).call('recordProviderTest', { identityProviderId: provider.id, issuer, clientId });
    sendTestResult(res, provider, reported);
  };

  const confirm = async (req: Request, res: Response, callback: Callback, attempt: SignInAttempt): Promise<void> => {
    const provider = await findForSession(req, res);
    const { reported, assertion } = await redeem(provider, callback, attempt);
    const signIn = new ProviderSignIn(pool, provider, 'admin', reported);
    await signIn.confirm(getSession(res), assertion, getRequestOrigin(req, res));
    sendConfirmedPage(res, CONSOLE, getPageContext(res).language);
  };

  /** Finds a provider with which the signed-in admin can sign in. */
  const findForSession = async (req: Request, res: Response): Promise<ProviderAccess> => {
    const provider = await findProvider(req, res);
    const isUsable = provider.companyId === getPageContext(res).companyId && getUse(provider, 'admin') !== 'off';
    if (!isUsable) throw new SignInFault('provider_off');
    return provider;
  };

  /** Finds a provider of the signed-in admin, who must be able to change it. */
  const findOwn = async (req: Request, res: Response): Promise<ProviderAccess> => {
    const { caller, companyId } = getPageContext(res);
    requireAllScopes(caller, null);
    const provider = await findProvider(req, res);
    if (provider.companyId !== companyId) throw new SignInFault('provider_off');
    return provider;
  };

  const router = Router({ caseSensitive: true, strict: true });
  const pages = Router({ caseSensitive: true, strict: true, mergeParams: true });
  pages.use(requireStarted(readiness));
  pages.get(`/${PLACES.admin}`, beginFor('admin'));
  pages.get(`/${PLACES.learner}`, beginFor('learner'));
  pages.get('/test', requireAdmin, async (req, res) => {
    const provider = await findOwn(req, res);
    if (isForeign(req)) return sendStart(res, provider, languageAsked(req));
    await begin(req, res, provider, 'test');
  });
  pages.get('/confirm', requireAdmin, async (req, res) => {
    const provider = await findForSession(req, res);
    if (isForeign(req)) return sendStart(res, provider, languageAsked(req));
    await begin(req, res, provider, 'confirm');
  });
  // Express runs GET handlers for HEAD, which would use up the code.
  pages.head('/callback', refuseMethod('GET'));
  pages.get('/callback', completeOidc);
  pages.post('/callback', readFormUpTo(MAX_SAML_FORM_BYTES), completeSaml);
  pages.get('/metadata', sendMetadata);
  const readUrl = (req: Request) => readAddress(config.publicUrl, req);
  const signOuts = { pool, findProvider, toCallbackUrl, signedOutCookie: signIns.admin.signedOutCookie };
  addSignOutRoutes(pages, { ...signOuts, clients, countFailure, readUrl, logger });
  addSamlLogoutRoutes(pages, { ...signOuts, logout: clients.samlLogout });
  pages.all('/callback', refuseMethod('GET', 'POST'));
  pages.all('/backchannel-logout', refuseMethod('POST'));
  pages.all(/^\/(console|learn|test|confirm|metadata|frontchannel-logout)$/, refuseMethod('GET', 'HEAD'));
  pages.use((async (error: unknown, req: Request, res: Response, next: NextFunction) => {
    if (!(error instanceof SignInFault)) return next(error);
    await countFailure(req, res);
    logger.info({ reason: error.reason, err: error.cause }, 'sign-in with an identity provider failed');
    sendSsoFault(res, error, languageAsked(req));
  }) satisfies ErrorRequestHandler);
  pages.use(createPageErrorHandler(signIns.learner, logger));
  router.use(serveAssets([RESEND_SCRIPT]));
  router.use('/sso/:companyId/:providerId', pages);
  return router;
}

/** Creates a `next` function that runs `step`, or passes an error on. */
function orElse(next: NextFunction, step: () => Promise<void>): NextFunction {
  return (error?: unknown) => void (error === undefined ? step().catch(next) : next(error));
}

/**
 * Returns the URL of a request, as the browser sees it. The request line might name another host, so only its path
 * counts.
 */
function readAddress(publicUrl: string, { originalUrl, baseUrl, path }: Request): URL {
  const query = originalUrl.indexOf('?');
  return new URL(`${publicUrl}${baseUrl}${path}${query === -1 ? '' : originalUrl.slice(query)}`);
}
