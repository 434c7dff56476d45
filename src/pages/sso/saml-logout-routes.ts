import type { Request, RequestHandler, Response, Router } from 'express';
import type pg from 'pg';
import { getForm, readFormUpTo } from '../../http/body/form.ts';
import { refuseMethod } from '../../http/guards.ts';
import { isForeign } from '../../http/html/form-guard.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import { endRequestedSessions } from '../../identity/providers/end-provider-sessions.ts';
import type { ProviderAccess } from '../../identity/providers/identity-providers.ts';
import type { LogoutMessage, SamlLogout } from '../../identity/providers/saml-logout.ts';
import { SignInFault } from '../../identity/providers/sign-in-fault.ts';
import type { Delivery } from '../../identity/saml/received-message.ts';
import { languageAsked } from '../shared/page-context.ts';
import type { SignedOutCookie } from '../shared/signed-out-cookie.ts';
import { sendResend, sendSending, sendSignedOutThere } from './sso-page.ts';

/** Maximum size of a form with a sign-out message, which is encoded in base64. */
const MAX_FORM_BYTES = 128 * 1024;

export interface SamlLogoutRoutesOptions {
  logout: SamlLogout;
  pool: pg.Pool;
  findProvider: (req: Request, res: Response) => Promise<ProviderAccess>;
  toCallbackUrl: (provider: ProviderAccess) => string;
  signedOutCookie: SignedOutCookie;
}

/**
 * Adds the single logout service of SAML (src/identity/saml/logout-rules.ts), through which the service and providers
 * exchange sign-outs.
 */
export function addSamlLogoutRoutes(pages: Router, options: SamlLogoutRoutesOptions): void {
  const { logout, pool, findProvider, toCallbackUrl, signedOutCookie } = options;

  const receive = async (req: Request, res: Response, delivery: Delivery): Promise<void> => {
    res.set('Cache-Control', 'no-store');
    const provider = await findProvider(req, res);
    if (provider.protocol !== 'saml') throw new SignInFault('provider_off');
    const message = await logout.read(provider, delivery, toCallbackUrl(provider));
    if (message.type === 'request') return answer(req, res, { provider, message });
    const signedOut = signedOutCookie.read(req, provider.id);
    if (!signedOut) throw new SignInFault('attempt_unknown');
    const isWhole = message.read(signedOut.requestId);
    signedOutCookie.clear(res);
    sendSignedOutThere(res, provider.name, isWhole);
  };

  const answer = async (
    req: Request,
    res: Response,
    { provider, message }: { provider: ProviderAccess; message: Extract<LogoutMessage, { type: 'request' }> },
  ): Promise<void> => {
    await endRequestedSessions(pool, provider, message.request, getRequestOrigin(req, res));
    const sending = await logout.respond(provider, message, toCallbackUrl(provider));
    if (!sending) return sendSignedOutThere(res, provider.name, true);
    sendSending(res, sending);
  };

  // Express runs GET handlers for HEAD, which would use up the request.
  pages.head('/logout', refuseMethod('GET', 'POST'));
  pages.get('/logout', ((req, res) => {
    const { originalUrl } = req;
    return receive(req, res, { query: originalUrl.slice(originalUrl.indexOf('?') + 1) });
  }) satisfies RequestHandler);
  pages.post('/logout', readFormUpTo(MAX_FORM_BYTES), ((req, res) => {
    const form = getForm(req);
    // Only a response needs the cookie of the browser.
    const needsCookie = form.has('SAMLResponse') && isForeign(req) && !form.has('again');
    if (!needsCookie) return receive(req, res, { form });
    const fields = { SAMLResponse: form.get('SAMLResponse')!, RelayState: form.get('RelayState') ?? '' };
    return sendResend(res, fields, languageAsked(req));
  }) satisfies RequestHandler);
  pages.all('/logout', refuseMethod('GET', 'POST'));
}
