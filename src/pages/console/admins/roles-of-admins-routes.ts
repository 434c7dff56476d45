import type { Response, Router } from 'express';
import { hasAllScopes } from '../../../auth/roles.ts';
import { getForm } from '../../../http/body/form.ts';
import { html } from '../../../http/html/html.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { ADMINS_PATH } from './admins-page.ts';
import { adminsMessages } from './admins-messages.ts';
import { readRoles } from './admins-routes.ts';
import { findAdmin } from './find-admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, toFormFaults, NO_FAULTS, getFailureStatus } from '../form-faults.ts';
import { formFault, hiddenFields } from '../../shared/parts/fields.ts';
import { redirectWithNotice } from '../../shared/parts/notice.ts';
import { roleField, toRoleFields, toRoleValue } from './role-field.ts';

/** Adds the page on which an admin changes the role of an admin. */
export function addRolesOfAdminsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/admins/:adminId/role', ({ params }, res) => showRole(runs, res, params.adminId));
  pages.post('/admins/:adminId/role', async (req, res) => {
    const { caller, language } = getAdmin(res);
    const { adminId } = req.params;
    const form = getForm(req);
    const isOwner = hasAllScopes(caller, null);
    const emergency = isOwner ? { emergencyAccess: form.get('emergencyAccess') === 'yes' } : {};
    try {
      await runs.run('updateAdmin', caller, { adminId, body: { ...toRoleFields(form.get('role')), ...emergency } });
      redirectWithNotice(res, `${ADMINS_PATH}/${adminId}`, 'role');
    } catch (thrown) {
      const faults = toFormFaults(thrown, ['role'], language);
      await showRole(runs, res, adminId, { faults, status: getFailureStatus(thrown) });
    }
  });
}

interface Refused {
  faults: FormFaults;
  status: number;
}

async function showRole(runs: ConsoleRuns, res: Response, adminId: string, refused?: Refused): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  requireCall(caller, 'updateAdmin');
  const admin = await findAdmin(runs, res, adminId);
  const { faults, status } = refused ?? { faults: NO_FAULTS, status: 200 };
  const messages = adminsMessages[language];
  const field = { caller, roles: await readRoles(runs, caller), chosen: toRoleValue(admin), fault: faults.fields.role };
  const content = html`
    <p>${messages.changeRoleAbout(`${admin.firstName} ${admin.lastName}`)}</p>
    <form method="post" action=${`${ADMINS_PATH}/${admin.id}/role`}>
      ${hiddenFields(formToken)} ${formFault(faults.whole)} ${roleField(field, messages)}
      ${
        hasAllScopes(caller, null) &&
        html`<label>
          <input type="checkbox" name="emergencyAccess" value="yes" checked=${admin.emergencyAccess} />
          ${messages.emergencyAccess}
        </label>`
      }
      <button type="submit">${messages.changeRoleButton}</button>
    </form>
    <p><a href=${ADMINS_PATH}>${messages.back}</a></p>
  `;
  sendConsolePage(res, { status, title: messages.changeRoleTitle, content });
}
