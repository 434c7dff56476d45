import { Router } from 'express';
import type { Passkeys, ReportEmergency } from '../../../identity/passkeys.ts';
import { queueAdminNotices } from '../../../mail/outbox/outbox.ts';
import { enterSession } from '../../shared/enter-session.ts';
import type { AlternativeSignIn, SignInConfig } from '../../shared/sign-in-config.ts';
import { sendSignInPage } from '../../shared/sign-in-page.ts';
import { languageAsked } from '../../shared/page-context.ts';
import { getForm, readForm } from '../../../http/body/form.ts';
import { requireOurSite } from '../../../http/html/form-guard.ts';
import { getRequestOrigin } from '../../../http/request-context.ts';
import { renderSignInForm, PASSKEY_PAGE } from './passkeys-page.ts';
import { parseJson } from './passkeys-routes.ts';

const report: ReportEmergency = (tenant, adminId) => queueAdminNotices(tenant, 'emergency_sign_in', [adminId]);

/** The sign-in by passkey, as an alternative to the mailed link. */
export const BY_PASSKEY: AlternativeSignIn = { content: renderSignInForm, ...PASSKEY_PAGE };

/**
 * Serves the sign-in by passkey. A rejected passkey counts as a failure of the client's IP address, as a wrong API key
 * does.
 */
export function passkeySignInRoutes(signIn: SignInConfig, passkeys: Passkeys): Router {
  const { home, deviceCookie, countFailure, countAnonymous } = signIn;
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/passkey-sign-in/options', requireOurSite, async (req, res) => {
    await countAnonymous(req, res);
    res.json(await passkeys.requestOptions(null));
  });
  router.post('/passkey-sign-in', requireOurSite, readForm, async (req, res) => {
    const visit = { origin: getRequestOrigin(req, res), device: deviceCookie.read(req), report };
    const token = await passkeys.signIn(parseJson(getForm(req).get('response') ?? ''), visit);
    if (token !== undefined) {
      await enterSession(signIn, token, req, res);
      return res.redirect(303, home);
    }
    await countFailure(req, res);
    sendSignInPage(res, signIn, { language: languageAsked(req), isAlternativeRefused: true });
  });
  return router;
}
