import type { Request, Response, Router } from 'express';
import { formatFullName } from '../../../db/expressions.ts';
import { getForm } from '../../../http/body/form.ts';
import { html } from '../../../http/html/html.ts';
import { newFormName } from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { getFailureStatus, toFormFaults } from '../form-faults.ts';
import { adminMessages } from './admin-messages.ts';
import { adminContent, removeAdminContent } from './admin-page.ts';
import { ADMINS_PATH } from './admins-page.ts';
import { readRoles } from './admins-routes.ts';
import { findAdmin } from './find-admin.ts';

/** Adds the page about one admin, who can be invited again and removed there. */
export function addAdminPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/admins/:adminId', (req, res) => showAdmin(runs, req, res));
  pages.post('/admins/:adminId/invite', async (req, res) => {
    const { adminId } = req.params;
    try {
      await runs.run('resendAdminInvite', getAdmin(res).caller, { adminId }, getForm(req).get('once') ?? '');
      redirectWithNotice(res, `${ADMINS_PATH}/${adminId}`, 'invited');
    } catch (thrown) {
      await showAdmin(runs, req, res, thrown);
    }
  });
  pages.get('/admins/:adminId/remove', async ({ params }, res) => {
    const { caller, formToken, language } = getAdmin(res);
    requireCall(caller, 'deleteAdmin');
    const content = removeAdminContent(await findAdmin(runs, res, params.adminId), formToken, language);
    sendConsolePage(res, { title: adminMessages[language].removeTitle, content });
  });
  pages.post('/admins/:adminId/remove', async (req, res) => {
    try {
      await runs.run('deleteAdmin', getAdmin(res).caller, { adminId: req.params.adminId });
      redirectWithNotice(res, ADMINS_PATH, 'removed');
    } catch (thrown) {
      await showAdmin(runs, req, res, thrown);
    }
  });
}

/** @param thrown the error of the requested action, if it failed */
async function showAdmin(
  runs: ConsoleRuns,
  req: Request<{ adminId: string }>,
  res: Response,
  thrown?: unknown,
): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const fault = thrown === undefined ? undefined : toFormFaults(thrown, [], language).whole;
  const admin = await findAdmin(runs, res, req.params.adminId);
  const roles = await readRoles(runs, caller);
  const view = { language, formToken, once: newFormName(), caller, admin, roles, fault };
  const content = html`${renderNotice(req, adminMessages[language].notices)} ${adminContent(view)}`;
  const status = thrown === undefined ? 200 : getFailureStatus(thrown);
  sendConsolePage(res, { status, title: formatFullName(admin), content });
}
