import { Router } from 'express';
import type { Passkeys } from '../../../identity/passkeys.ts';
import type { OtherWay, PersonDoor } from '../../shared/person-door.ts';
import { sendAskPage } from '../../shared/sign-in-page.ts';
import { languageAsked } from '../../shared/visitor.ts';
import { formOf, readForm } from '../../../http/body/form.ts';
import { requireOurSite } from '../../../http/html/form-guard.ts';
import { originOf } from '../../../http/request-context.ts';
import { enterForm, PASSKEY_PAGE } from './passkeys-page.ts';
import { jsonOf } from './passkeys-routes.ts';

/** Beside the mailed link. */
export const BY_PASSKEY: OtherWay = { content: enterForm, ...PASSKEY_PAGE };

/** Signs in who shows a passkey. What is shown wrongly counts as a wrong key does. */
export function passkeyEntrance(door: PersonDoor, passkeys: Passkeys): Router {
  const { home, cookie, deviceCookie, countFailure, countAnonymous } = door;
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/passkey-sign-in/options', requireOurSite, async (req, res) => {
    await countAnonymous(req, res);
    res.json(await passkeys.requestOptions());
  });
  router.post('/passkey-sign-in', requireOurSite, readForm, async (req, res) => {
    const token = await passkeys.enter(
      jsonOf(formOf(req).get('response') ?? ''),
      originOf(req, res),
      deviceCookie.read(req),
    );
    if (token !== undefined) {
      cookie.set(res, token);
      return res.redirect(303, home);
    }
    await countFailure(req, res);
    sendAskPage(res, door, { language: languageAsked(req), isOtherRefused: true });
  });
  return router;
}
