// Confirmations: an admin whose last proof is too old proves again who they are, and the request that needed the proof
// then continues.
//
// 1. A form or a page fails with `recent_sign_in_required`: by the pipeline, or because the session lacks a passkey.
// 2. The error handler here answers with a page that has the fields of the form in hidden fields. Nothing is stored.
// 3. The admin confirms in the session: with a passkey on the page itself, with the identity provider in a new tab
//    (src/pages/sso/), or with a mailed link in a new tab (src/pages/shared/sign-in-routes.ts). The session keeps its
//    secret, so the page's form token stays valid.
// 4. The page sends the same form again to the same path, where the usual guards apply. A confirmation that comes too
//    late leads to step 2 again.
//
// A request continues only at a page of the console (pending-request.ts). identity/confirm-session.ts chooses the
// method.
import type { ErrorRequestHandler, RequestHandler, Response, Router } from 'express';
import { chooseConfirmation } from '../../../identity/confirm-session.ts';
import type { Passkeys } from '../../../identity/passkeys.ts';
import { ApiError } from '../../../contract/errors.ts';
import { getForm } from '../../../http/body/form.ts';
import { getRequestOrigin } from '../../../http/request-context.ts';
import { toRateLimitNetwork } from '../../../net/rate-limit-network.ts';
import { confirmMessages } from '../../shared/confirm-messages.ts';
import { currentUser, getPageContext, getSession } from '../../shared/page-context.ts';
import type { SignInConfig } from '../../shared/sign-in-config.ts';
import { sendConsolePage } from '../console-page.ts';
import { PASSKEY_PAGE, PASSKEYS_PATH } from '../passkeys/passkeys-page.ts';
import { parseJson } from '../passkeys/passkeys-routes.ts';
import { confirmContent } from './confirm-page.ts';
import { type PendingRequest, readPendingRequest, toPendingRequest } from './pending-request.ts';

/** Paths that a session without a proof by passkey can use. They do not include "sign out everywhere", which removes the passkeys. */
const OPEN = /^\/(confirm\/.+|sign-out)$/;
/** Paths at which the first passkey is added, or suspended ones are restored. */
const REGISTRATION = /^\/passkeys(\/options|\/confirm|\/keep(\/[\w-]+)?)?$/;

/** Lets a session pass if it has the proof by passkey, or if the company does not require one. */
export const requirePasskeyProof: RequestHandler = (req, res, next) => {
  const { missingPasskey } = getSession(res);
  if (missingPasskey === null || OPEN.test(req.path)) return next();
  if (missingPasskey === 'proof')
    return next(new ApiError('recent_sign_in_required', 'Your organisation requires a passkey; confirm with yours.'));
  if (REGISTRATION.test(req.path)) return next();
  res.redirect(303, PASSKEYS_PATH);
};

/**
 * Adds the forms of a confirmation.
 * @param passkeys undefined if browsers do not support passkeys for the service's URL
 */
export function addConfirmForms(pages: Router, signIn: SignInConfig, passkeys: Passkeys | undefined): void {
  pages.post('/confirm/continue', (req, res) => res.redirect(303, readPendingRequest(req).path));
  pages.post('/confirm/mail', async (req, res) => {
    const pending = readPendingRequest(req);
    const way = await chooseConfirmation(getSession(res), passkeys !== undefined);
    if (way.method !== 'sign_in_link') return sendConfirmPage(res, pending, { passkeys, isLinkSent: false });
    await signIn.countAnonymous(req, res);
    const network = toRateLimitNetwork(getRequestOrigin(req, res).address);
    await signIn.links.askFor(getSession(res), { network, device: signIn.deviceCookie.read(req) });
    await sendConfirmPage(res, pending, { passkeys, isLinkSent: true });
  });
  if (!passkeys) return;
  pages.post('/confirm/passkey/options', async (_req, res) => {
    res.json(await passkeys.requestOptions(getSession(res).id));
  });
  pages.post('/confirm/passkey', async (req, res) => {
    const response = parseJson(getForm(req).get('response') ?? '');
    if (await passkeys.confirm(getSession(res), response, getRequestOrigin(req, res))) return res.status(204).end();
    await signIn.countFailure(req, res);
    throw new ApiError('forbidden', 'The passkey was rejected.');
  });
}

/** Asks for a confirmation if a request needs one. Scripts get the error. */
export function createConfirmHandler(passkeys: Passkeys | undefined): ErrorRequestHandler {
  return async (thrown: unknown, req, res, next) => {
    const needsSignIn = thrown instanceof ApiError && thrown.code === 'recent_sign_in_required';
    if (!needsSignIn || !currentUser(res) || req.get('x-form-token') !== undefined) return next(thrown);
    await sendConfirmPage(res, toPendingRequest(req), { passkeys, isLinkSent: false });
  };
}

async function sendConfirmPage(
  res: Response,
  pending: PendingRequest,
  { passkeys, isLinkSent }: { passkeys: Passkeys | undefined; isLinkSent: boolean },
): Promise<void> {
  const { language, formToken, companyId } = getPageContext(res);
  const way = await chooseConfirmation(getSession(res), passkeys !== undefined);
  const content = confirmContent({ language, formToken, companyId, way, pending, isLinkSent });
  const page = { title: confirmMessages[language].title, content, status: isLinkSent ? 200 : 403 };
  sendConsolePage(res, way.method === 'passkey' ? { ...page, ...PASSKEY_PAGE } : page);
}
