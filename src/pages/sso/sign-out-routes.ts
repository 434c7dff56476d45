import type { Request, RequestHandler, Response, Router } from 'express';
import type pg from 'pg';
import { getForm, readForm } from '../../http/body/form.ts';
import { getRequestOrigin } from '../../http/request-context.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import { endProviderSessions } from '../../identity/providers/end-provider-sessions.ts';
import { PLACES, type ProviderAccess } from '../../identity/providers/identity-providers.ts';
import { SignInFault } from '../../identity/providers/sign-in-fault.ts';
import type { Logger } from '../../observability/logger.ts';
import type { SignedOutCookie } from '../shared/signed-out-cookie.ts';
import type { ProviderClients } from './provider-clients.ts';
import { sendSignedOut } from './sso-page.ts';

export interface SignOutRoutesOptions {
  clients: ProviderClients;
  pool: pg.Pool;
  countFailure: SharedServices['countFailure'];
  findProvider: (req: Request, res: Response) => Promise<ProviderAccess>;
  toCallbackUrl: (provider: ProviderAccess) => string;
  signedOutCookie: SignedOutCookie;
  /** Returns the URL of a request, as the browser sees it. */
  readUrl: (req: Request) => URL;
  logger: Logger;
}

/**
 * Adds the routes through which providers end sessions (OpenID Connect Back-Channel Logout 1.0 and Front-Channel Logout
 * 1.0), and the page after a sign-out.
 */
export function addSignOutRoutes(pages: Router, options: SignOutRoutesOptions): void {
  const { clients, pool, countFailure, findProvider, toCallbackUrl, signedOutCookie, readUrl, logger } = options;
  pages.post('/backchannel-logout', readForm, (async (req, res) => {
    res.set('Cache-Control', 'no-store');
    try {
      const provider = await findProvider(req, res);
      const signOut = await clients.readLogoutToken(provider, getForm(req).get('logout_token') ?? '');
      await endProviderSessions(pool, provider, signOut, getRequestOrigin(req, res));
      res.status(200).end();
    } catch (error) {
      if (!(error instanceof SignInFault)) throw error;
      await countFailure(req, res);
      logger.info({ reason: error.reason, err: error.cause }, 'logout token of an identity provider rejected');
      res.status(error.reason === 'provider_unavailable' ? 503 : 400).json({ error: 'invalid_request' });
    }
  }) satisfies RequestHandler);

  pages.get('/frontchannel-logout', (async (req, res) => {
    const { searchParams } = readUrl(req);
    const [issuer, sessionId] = [searchParams.get('iss'), searchParams.get('sid')];
    const provider = await findProvider(req, res);
    if (provider.protocol !== 'oidc' || !isIssuer(issuer, provider) || !sessionId)
      throw new SignInFault('response_invalid');
    await endProviderSessions(pool, provider, { sessionId, at: new Date() }, getRequestOrigin(req, res));
    // The provider shows the response in a frame.
    res.removeHeader('X-Frame-Options');
    res
      .set('Cache-Control', 'no-store')
      .set('Content-Security-Policy', `default-src 'none'; frame-ancestors ${toFrameAncestor(provider)}`)
      .type('html')
      .send('<!doctype html><title>OK</title>');
  }) satisfies RequestHandler);

  for (const place of Object.values(PLACES))
    pages.get(`/signed-out/${place}`, (async (req, res) => {
      const provider = await findProvider(req, res).catch(toUndefined);
      // Sessions can outlive their provider, which might have been deleted.
      if (!provider) return res.redirect(303, `/${place}`);
      const context = { signedOut: signedOutCookie.read(req, provider.id), callbackUrl: toCallbackUrl(provider) };
      const sending = await clients.findSignOut(provider, context);
      sendSignedOut(res, { name: provider.name, home: `/${place}` }, sending);
    }) satisfies RequestHandler);
}

/** Reports whether a string is the issuer of a provider, whose setting might differ by a trailing slash. */
function isIssuer(text: string | null, { issuer }: ProviderAccess): boolean {
  return text !== null && URL.parse(text)?.href === new URL(issuer).href;
}

/**
 * Returns the source of the header for a provider's origin. Host names can contain `*`, `;` and `,`, which have a
 * special meaning in the header.
 */
function toFrameAncestor({ issuer }: ProviderAccess): string {
  const { origin, host } = new URL(issuer);
  return /^[\w.:[\]-]+$/.test(host) ? origin : "'none'";
}

function toUndefined(error: unknown): undefined {
  if (!(error instanceof SignInFault)) throw error;
  return undefined;
}
