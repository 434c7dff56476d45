import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { formOf } from '../../../http/body/form.ts';
import { adminOf } from '../admin.ts';
import { adminsContent, ADMINS_PATH } from './admins-page.ts';
import { adminsMessages } from './admins-messages.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, formFaultsOf, NO_FAULTS, statusOf } from '../form-faults.ts';
import { newFormName, type Typed } from '../form-parts.ts';

const FIELDS = ['firstName', 'lastName', 'email', 'locale'] as const;

/** The page on which an admin sees and invites the admins of the company. */
export function addAdminsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/admins', (_req, res) => showAdmins(runs, res, { locale: adminOf(res).language }));
  pages.post('/admins', async (req, res) => {
    const { caller, language } = adminOf(res);
    const form = formOf(req);
    const typed = Object.fromEntries(FIELDS.map((name) => [name, form.get(name) ?? '']));
    try {
      const body = typed as unknown as Schemas['CreateAdminInput'];
      await runs.run('createAdmin', caller, { body }, form.get('once') ?? '');
      res.redirect(303, ADMINS_PATH);
    } catch (thrown) {
      await showAdmins(runs, res, typed, { faults: formFaultsOf(thrown, FIELDS, language), status: statusOf(thrown) });
    }
  });
}

interface Refused {
  faults: FormFaults;
  status: number;
}

async function showAdmins(runs: ConsoleRuns, res: Response, typed: Typed, refused?: Refused): Promise<void> {
  const { caller, formToken, language } = adminOf(res);
  const { items: admins, isCut } = await runs.first('listAdmins', caller);
  const { faults, status } = refused ?? { faults: NO_FAULTS, status: 200 };
  const content = adminsContent({ language, formToken, once: newFormName(), admins, isCut, typed, faults });
  sendConsolePage(res, { status, title: adminsMessages[language].title, content, width: 'wide' });
}
