import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { isId } from '../../../db/ids.ts';
import { notFound } from '../../../contract/errors.ts';
import { canCall, getAdmin, requireCall } from '../admin.ts';
import { ADMINS_PATH } from './admins-page.ts';
import { findAdmin } from './find-admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { html } from '../../../http/html/html.ts';
import { renderSessions } from './sessions-of-admins-routes.ts';
import { renderAdminPasskeys, removeContent } from '../passkeys/passkeys-page.ts';
import { passkeysMessages } from '../passkeys/passkeys-messages.ts';

/** Adds the pages on which an admin sees the passkeys of the company's admins, and removes one. */
export function addPasskeysOfAdminsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/admins/:adminId/passkeys', async ({ params: { adminId } }, res) => {
    const { caller, language } = getAdmin(res);
    const { admin, passkeys } = await findPasskeys(runs, res, adminId);
    const canRemove = canCall(caller, 'deleteAdminPasskey');
    const content = html`
      ${renderAdminPasskeys(admin, { passkeys, path: buildPath(adminId), language, canRemove })}
      ${await renderSessions(runs, res, admin)}
      <p><a href=${ADMINS_PATH}>${passkeysMessages[language].backToAdmins}</a></p>
    `;
    sendConsolePage(res, { title: passkeysMessages[language].title, content });
  });
  pages.get('/admins/:adminId/passkeys/:passkeyId/remove', async ({ params: { adminId, passkeyId } }, res) => {
    const { caller, language, formToken } = getAdmin(res);
    requireCall(caller, 'deleteAdminPasskey');
    const { admin, passkeys } = await findPasskeys(runs, res, adminId);
    const passkey = passkeys.find(({ id }) => id === passkeyId);
    if (!passkey) throw notFound('passkey');
    const ownerName = `${admin.firstName} ${admin.lastName}`;
    const content = removeContent(passkey, { path: buildPath(adminId), formToken, language, ownerName });
    sendConsolePage(res, { title: passkeysMessages[language].removeTitle, content });
  });
  pages.post('/admins/:adminId/passkeys/:passkeyId/remove', async ({ params: { adminId, passkeyId } }, res) => {
    await runs.run('deleteAdminPasskey', getAdmin(res).caller, { adminId, passkeyId });
    res.redirect(303, buildPath(adminId));
  });
}

const buildPath = (adminId: string) => `${ADMINS_PATH}/${adminId}/passkeys`;

interface AdminWithPasskeys {
  admin: Schemas['Admin'];
  passkeys: Schemas['AdminPasskey'][];
}

/** @throws not_found */
async function findPasskeys(runs: ConsoleRuns, res: Response, adminId: string): Promise<AdminWithPasskeys> {
  const { caller } = getAdmin(res);
  if (!isId(adminId)) throw notFound('admin');
  const passkeys: Schemas['AdminPasskey'][] = [];
  for await (const passkey of runs.items('listAdminPasskeys', caller, { adminId })) passkeys.push(passkey);
  return { admin: await findAdmin(runs, res, adminId), passkeys };
}
