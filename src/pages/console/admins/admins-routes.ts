import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { getForm } from '../../../http/body/form.ts';
import { getAdmin } from '../admin.ts';
import { adminsContent, ADMINS_PATH } from './admins-page.ts';
import { adminsMessages } from './admins-messages.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, toFormFaults, NO_FAULTS, getFailureStatus } from '../form-faults.ts';
import { newFormName, type Typed } from '../form-parts.ts';

const FIELDS = ['firstName', 'lastName', 'email', 'locale'] as const;

/** Adds the page on which an admin sees and invites the admins of the company. */
export function addAdminsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/admins', (_req, res) => showAdmins(runs, res, { locale: getAdmin(res).language }));
  pages.post('/admins', async (req, res) => {
    const { caller, language } = getAdmin(res);
    const form = getForm(req);
    const typed = Object.fromEntries(FIELDS.map((name) => [name, form.get(name) ?? '']));
    try {
      const body = typed as unknown as Schemas['CreateAdminInput'];
      await runs.run('createAdmin', caller, { body }, form.get('once') ?? '');
      res.redirect(303, ADMINS_PATH);
    } catch (thrown) {
      await showAdmins(runs, res, typed, {
        faults: toFormFaults(thrown, FIELDS, language),
        status: getFailureStatus(thrown),
      });
    }
  });
}

interface Refused {
  faults: FormFaults;
  status: number;
}

async function showAdmins(runs: ConsoleRuns, res: Response, typed: Typed, refused?: Refused): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const { items: admins, isCut } = await runs.first('listAdmins', caller);
  const { faults, status } = refused ?? { faults: NO_FAULTS, status: 200 };
  const content = adminsContent({ language, formToken, once: newFormName(), admins, isCut, typed, faults });
  sendConsolePage(res, { status, title: adminsMessages[language].title, content, width: 'wide' });
}
