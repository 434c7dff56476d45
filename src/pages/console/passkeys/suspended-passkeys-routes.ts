import type { Response, Router } from 'express';
import { isId } from '../../../db/ids.ts';
import type { Passkeys } from '../../../identity/passkeys.ts';
import { type ReportPasskeys, requestPasskeyLink, restoreByLink } from '../../../identity/suspended-passkeys.ts';
import { requireRecentProof } from '../../../operations/invoke.ts';
import { notFound } from '../../../contract/errors.ts';
import { queueAdminNotices } from '../../../mail/outbox/outbox.ts';
import { queuePasskeyLink } from '../../../mail/outbox/passkey-links.ts';
import { getSession, getPageContext } from '../../shared/page-context.ts';
import { getForm } from '../../../http/body/form.ts';
import { getRequestOrigin } from '../../../http/request-context.ts';
import { sendConsolePage } from '../console-page.ts';
import { PASSKEYS_PATH } from './passkeys-page.ts';
import { keepContent, KEEP_PATH } from './suspended-passkeys-page.ts';
import { parseJson, showPasskeys } from './passkeys-routes.ts';

const report: ReportPasskeys = (tenant, passkeyIds) => queueAdminNotices(tenant, 'passkey_added', passkeyIds);

/**
 * Adds the forms with which an admin restores passkeys that a change of e-mail address has suspended: with one of them,
 * or with a link that is mailed to the former address and works only in the admin's own session.
 */
export function addSuspendedPasskeysPages(pages: Router, passkeys: Passkeys): void {
  pages.post('/passkeys/keep', async (req, res) => {
    requireRecentProof(getPageContext(res).caller);
    const response = parseJson(getForm(req).get('response') ?? '');
    const isRestored = await passkeys.restore(getSession(res), response, {
      origin: getRequestOrigin(req, res),
      report,
    });
    return isRestored ? res.redirect(303, PASSKEYS_PATH) : showPasskeys(res, true, { outcome: 'refused' });
  });
  pages.post('/passkeys/keep/link', async (req, res) => {
    requireRecentProof(getPageContext(res).caller);
    const passkeyId = getForm(req).get('passkey_id') ?? '';
    const request = { origin: getRequestOrigin(req, res), queue: queuePasskeyLink };
    if (!isId(passkeyId) || !(await requestPasskeyLink(getSession(res), passkeyId, request))) throw notFound('passkey');
    await showPasskeys(res, true, { outcome: 'mailed' });
  });
  pages.get('/passkeys/keep/:token', ({ params: { token } }, res) => sendKeepPage(res, token));
  pages.post('/passkeys/keep/:token', async (req, res) => {
    requireRecentProof(getPageContext(res).caller);
    const { token } = req.params;
    if (!(await restoreByLink(getSession(res), token, { origin: getRequestOrigin(req, res), report })))
      throw notFound('link');
    res.redirect(303, PASSKEYS_PATH);
  });
}

function sendKeepPage(res: Response, token: string): void {
  sendConsolePage(res, keepContent(`${KEEP_PATH}/${token}`, getPageContext(res)));
}
