import { Router } from 'express';
import type { Passkeys } from '../../auth/passkeys.ts';
import { formOf, readForm } from '../../web/form.ts';
import { requireOurSite } from '../../web/form-guard.ts';
import type { CountRequest } from '../../web/rate-limits.ts';
import { originOf } from '../../web/request-context.ts';
import type { SessionCookie } from '../../web/session-cookie.ts';
import { languageAsked } from './admin.ts';
import { jsonOf } from './passkeys-routes.ts';
import { sendAskPage } from './sign-in-page.ts';

interface PasskeyEntranceOptions {
  passkeys: Passkeys;
  cookie: SessionCookie;
  countFailure: CountRequest;
  countAnonymous: CountRequest;
}

/** Signs in who shows a passkey. What is shown wrongly counts as a wrong key does. */
export function passkeyEntrance({ passkeys, cookie, countFailure, countAnonymous }: PasskeyEntranceOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/passkey-sign-in/options', requireOurSite, async (req, res) => {
    await countAnonymous(req, res);
    res.json(await passkeys.requestOptions());
  });
  router.post('/passkey-sign-in', requireOurSite, readForm, async (req, res) => {
    const token = await passkeys.enter(jsonOf(formOf(req).get('response') ?? ''), originOf(req, res));
    if (token !== undefined) {
      cookie.set(res, token);
      return res.redirect(303, '/console');
    }
    await countFailure(req, res);
    sendAskPage(res, { language: languageAsked(req), canShowPasskey: true, fault: 'passkey' });
  });
  return router;
}
