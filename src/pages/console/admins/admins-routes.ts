import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { html } from '../../../http/html/html.ts';
import { getForm } from '../../../http/body/form.ts';
import type { Caller } from '../../../auth/caller.ts';
import { builtInRoles } from '../../../auth/roles.ts';
import { canCall, getAdmin } from '../admin.ts';
import { adminsContent, ADMINS_PATH } from './admins-page.ts';
import { adminMessages } from './admin-messages.ts';
import { adminsMessages } from './admins-messages.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, toFormFaults, NO_FAULTS, getFailureStatus } from '../form-faults.ts';
import { newFormName, type FieldValues } from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { toRoleFields } from './role-field.ts';

const FIELDS = ['firstName', 'lastName', 'email', 'locale'] as const;
/** Fields that can have faults. */
const FAULT_FIELDS = [...FIELDS, 'role'];

/** Adds the page on which an admin sees and invites the admins of the company. */
export function addAdminsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/admins', (req, res) => showAdmins(runs, req, res, { locale: getAdmin(res).language }));
  pages.post('/admins', async (req, res) => {
    const { caller, language } = getAdmin(res);
    const form = getForm(req);
    const fields = Object.fromEntries(FIELDS.map((name) => [name, form.get(name) ?? '']));
    const typed = { ...fields, ...(form.has('role') && { role: form.get('role')! }) };
    try {
      const body = { ...fields, ...toRoleFields(form.get('role')) } as unknown as Schemas['CreateAdminInput'];
      await runs.run('createAdmin', caller, { body }, form.get('once') ?? '');
      redirectWithNotice(res, ADMINS_PATH, 'invited');
    } catch (thrown) {
      await showAdmins(runs, req, res, typed, {
        faults: toFormFaults(thrown, FAULT_FIELDS, language),
        status: getFailureStatus(thrown),
      });
    }
  });
}

interface Refused {
  faults: FormFaults;
  status: number;
}

async function showAdmins(
  runs: ConsoleRuns,
  req: Request,
  res: Response,
  typed: FieldValues,
  refused?: Refused,
): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const { items: admins, isCut } = await runs.first('listAdmins', caller);
  const roles = await readRoles(runs, caller);
  const { faults, status } = refused ?? { faults: NO_FAULTS, status: 200 };
  const list = adminsContent({
    language,
    formToken,
    caller,
    roles,
    once: newFormName(),
    admins,
    isCut,
    typed,
    faults,
  });
  const content = html`${renderNotice(req, adminMessages[language].notices)} ${list}`;
  sendConsolePage(res, { status, title: adminsMessages[language].title, content, width: 'wide' });
}

/** Reads the roles of the company; returns the built-in ones if the signed-in admin cannot read them. */
export async function readRoles(runs: ConsoleRuns, caller: Caller): Promise<readonly Schemas['Role'][]> {
  return canCall(caller, 'listRoles') ? runs.run('listRoles', caller, {}) : builtInRoles;
}
