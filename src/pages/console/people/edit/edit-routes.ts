import type { Request, Response, Router } from 'express';
import type { Caller } from '../../../../auth/caller.ts';
import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { getForm } from '../../../../http/body/form.ts';
import { publicError } from '../../../../http/response/public-error.ts';
import { redirectWithNotice } from '../../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../../form-faults.ts';
import { rowFaultMessages } from '../imports/row-fault-messages.ts';
import { readGroups } from '../people-list-routes.ts';
import { toPersonPath } from '../people-paths.ts';
import { editMessages } from './edit-messages.ts';
import { editContent } from './edit-page.ts';
import { toIfMatch, toVersion } from '../../form-version.ts';
import { type EditForm, readEditForm, TEXTS, toEditForm, toUpdateBody } from './edit-values.ts';

type Learner = Schemas['Learner'];
type ForPerson = Request<{ learnerId: string }>;

/**
 * Adds the form that changes a person. A form that is out of date shows what has changed, and can then be submitted
 * again.
 */
export function addEditPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/people/:learnerId/edit', async ({ params: { learnerId } }: ForPerson, res) => {
    const { caller } = getAdmin(res);
    requireCall(caller, 'updateLearner');
    const learner = await runs.run('getLearner', caller, { learnerId });
    const form = toEditForm(learner, await readManagerEmail(runs, caller, learner));
    await showForm(runs, res, { learner, form, faults: NO_FAULTS });
  });
  pages.post('/people/:learnerId/edit', (req: ForPerson, res) => save(runs, req, res));
}

async function save(runs: ConsoleRuns, req: ForPerson, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'updateLearner');
  const { learnerId } = req.params;
  const form = readEditForm(getForm(req as Request));
  const managerId = await findManager(runs, caller, form.typed.manager ?? '');
  const reject = async (faults: FormFaults, status: number, sent = form) =>
    showForm(runs, res, { learner: await runs.run('getLearner', caller, { learnerId }), form: sent, faults, status });
  if (managerId === undefined) {
    return reject({ fields: { manager: editMessages[language].managerUnknown }, whole: undefined }, 400);
  }
  try {
    const condition = { learnerId, ifMatch: toIfMatch(form.typed.version ?? '') };
    const body = toUpdateBody(form, managerId);
    const { id } = await runs.run('updateLearner', caller, { ...condition, body });
    redirectWithNotice(res, toPersonPath(id), 'saved');
  } catch (thrown) {
    if (publicError(thrown).code === 'changed_meanwhile') {
      const learner = await runs.run('getLearner', caller, { learnerId });
      const stored = toEditForm(learner, await readManagerEmail(runs, caller, learner));
      const sent = { ...form, typed: { ...form.typed, version: toVersion(learner) } };
      return reject(toConflict(form, stored, language), getFailureStatus(thrown), sent);
    }
    await reject(toEditFaults(thrown, language), getFailureStatus(thrown));
  }
}

/** Lists the fields in which a form differs from the stored values, with those values. */
function toConflict(form: EditForm, stored: EditForm, language: Language): FormFaults {
  const { changedMeanwhile, now, nothing } = editMessages[language];
  const differing = TEXTS.filter((name) => (form.typed[name] ?? '') !== (stored.typed[name] ?? ''));
  const fields = differing.map((name) => [name, now(stored.typed[name] || nothing)] as const);
  return { fields: Object.fromEntries(fields), whole: changedMeanwhile };
}

/** Converts the error of the operation to faults of the form. @throws {unknown} an error that the form cannot show */
function toEditFaults(thrown: unknown, language: Language): FormFaults {
  const messages = editMessages[language];
  const { code, details } = publicError(thrown);
  const names = details.map(({ field }) => field.split('/')[1] ?? '');
  if (code === 'not_found' && names.includes('groupIds'))
    return { fields: { groups: messages.groupGone }, whole: undefined };
  if (names.includes('managerId')) return { fields: { manager: messages.managerUnknown }, whole: undefined };
  const own = { email_taken: messages.emailTaken, external_learner_id_taken: messages.numberTaken };
  const { fields, whole } = toFormFaults(thrown, TEXTS, language, own);
  const texts = rowFaultMessages[language];
  const ofField = (name: string) => (code === 'invalid_request' ? (texts[name] ?? texts.other!) : fields[name]!);
  return { fields: Object.fromEntries(Object.keys(fields).map((name) => [name, ofField(name)])), whole };
}

/** Returns the e-mail address of the learner's own manager; empty if there is none. */
async function readManagerEmail(runs: ConsoleRuns, caller: Caller, { managerId }: Learner): Promise<string> {
  if (managerId === null) return '';
  return (await runs.run('getLearner', caller, { learnerId: managerId })).email;
}

/** Returns the id of the learner with an e-mail address; null for an empty address, undefined if nobody has it. */
async function findManager(runs: ConsoleRuns, caller: Caller, email: string): Promise<string | null | undefined> {
  if (email === '') return null;
  if (email.length > 320) return undefined;
  const { items } = await runs.page('listLearners', caller, { email });
  return items[0]?.id;
}

interface Shown {
  learner: Learner;
  form: EditForm;
  faults: FormFaults;
  status?: number;
}

async function showForm(runs: ConsoleRuns, res: Response, { status = 200, ...shown }: Shown): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  const known = [...shown.learner.groups, ...(await readGroups(runs, caller))];
  const groups = [...new Map(known.map(({ id, name }) => [id, name]))];
  const title = editMessages[language].title(shown.learner.name);
  sendConsolePage(res, { status, title, content: editContent({ ...shown, language, formToken, groups }) });
}
