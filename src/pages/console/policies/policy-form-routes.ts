import type { Request, Response, Router } from 'express';
import type { SelectItem } from '../../shared/parts/fields.ts';
import { newFormName } from '../../shared/parts/fields.ts';
import { redirectWithNotice } from '../../shared/parts/notice.ts';
import { getForm } from '../../../http/body/form.ts';
import type { UploadedForm } from '../../../http/body/upload-body.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { UploadedFile } from '../../../contract/contract.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS } from '../form-faults.ts';
import type { AddUpload } from '../uploads.ts';
import { policyFormMessages } from './policy-form-messages.ts';
import {
  policyForm,
  type PolicyFormView,
  readPolicyForm,
  templateForm,
  toDraft,
  toNewPolicy,
  toPolicyFaults,
  toTyped,
} from './policy-form.ts';
import { toPolicyPath } from './policies-page.ts';
import { readPolicy, toId, toIfMatch, toVersion } from './policy-reading.ts';

type Refused = Pick<PolicyFormView, 'typed' | 'faults'> & { status: number; version?: string };

const PDF = 'application/pdf';

/** Adds the forms that change the content of policies. */
export function addPolicyForms(pages: Router, runs: ConsoleRuns): void {
  pages.get('/policies/new', (_req, res) => {
    requireCall(getAdmin(res).caller, 'createPolicy');
    showNewForm(res);
  });
  pages.get('/policies/from-template', (_req, res) => showTemplateForm(runs, res));
  pages.post('/policies/from-template', (req, res) => createFromTemplate(runs, req, res));
  pages.get('/policies/:policyId/draft', (req, res) => showDraftForm(runs, req, res));
}

/** Adds the forms with a PDF. */
export function addPolicyUploads(addUpload: AddUpload, runs: ConsoleRuns): void {
  addUpload('/policies/new', (_req, res, form) => create(runs, res, form));
  addUpload('/policies/:policyId/draft', (req, res, form) => saveDraft(runs, req, res, form));
}

function toView(res: Response, refused: Partial<Refused> = {}): PolicyFormView {
  const { language, formToken } = getAdmin(res);
  const { typed = {}, faults = NO_FAULTS } = refused;
  return { language, formToken, once: newFormName(), typed, faults };
}

function showNewForm(res: Response, refused?: Refused): void {
  const content = policyForm(toView(res, refused));
  const title = policyFormMessages[getAdmin(res).language].newTitle;
  sendConsolePage(res, { title, content, status: refused?.status ?? 200 });
}

async function create(runs: ConsoleRuns, res: Response, form: UploadedForm | ApiError): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'createPolicy');
  const typed = form instanceof ApiError ? {} : readPolicyForm(form.fields);
  try {
    if (form instanceof ApiError) throw form;
    const once = form.fields.get('once') ?? '';
    const file = (await form.inspect(PDF)) as UploadedFile;
    const { pdfFile } = await runs.run('uploadPolicyFile', caller, { file }, `${once}-file`);
    const body = { ...toNewPolicy(typed), pdfFile, action: 'draft' as const };
    const { id } = await runs.run('createPolicy', caller, { body }, once);
    redirectWithNotice(res, toPolicyPath(id), 'created');
  } catch (thrown) {
    showNewForm(res, { typed, faults: toPolicyFaults(thrown, language), status: getFailureStatus(thrown) });
  }
}

async function showDraftForm(runs: ConsoleRuns, req: Request, res: Response, refused?: Refused): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'updatePolicy');
  const policy = await readPolicy(runs, req, res);
  const { fileName } = policy.draft ?? policy;
  const view = toView(res, { typed: toTyped(policy), ...refused });
  const shown = { id: policy.id, version: refused?.version ?? toVersion(policy), fileName: fileName ?? 'PDF' };
  const content = policyForm(view, shown);
  const title = policyFormMessages[language].draftTitle(policy.name);
  sendConsolePage(res, { title, content, status: refused?.status ?? 200 });
}

async function saveDraft(runs: ConsoleRuns, req: Request, res: Response, form: UploadedForm | ApiError): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'updatePolicy');
  const policyId = toId(req);
  const policy = await readPolicy(runs, req, res);
  const typed = form instanceof ApiError ? toTyped(policy) : readPolicyForm(form.fields);
  const version = form instanceof ApiError ? toVersion(policy) : (form.fields.get('version') ?? '');
  try {
    if (form instanceof ApiError) throw form;
    const ifMatch = toIfMatch(policy, version);
    const file = form.file ? ((await form.inspect(PDF)) as UploadedFile) : undefined;
    const stored = file && (await runs.run('uploadPolicyFile', caller, { file }));
    const body = { ...toDraft(typed), ...(stored && { pdfFile: stored.pdfFile }), action: 'draft' as const };
    const change = { policyId, body, ifMatch };
    await runs.run('updatePolicy', caller, change);
    redirectWithNotice(res, toPolicyPath(policyId), 'draftSaved');
  } catch (thrown) {
    const faults = toPolicyFaults(thrown, language);
    await showDraftForm(runs, req, res, { typed, faults, version, status: getFailureStatus(thrown) });
  }
}

async function showTemplateForm(runs: ConsoleRuns, res: Response, refused?: Refused): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'createPolicyFromTemplate');
  const { items } = await runs.first('listPolicyTemplates', caller);
  const templates = items.filter(({ isLive }) => isLive).map(({ id, name }): SelectItem => [id, name]);
  const content = templateForm(toView(res, refused), templates);
  const title = policyFormMessages[language].templateTitle;
  sendConsolePage(res, { title, content, status: refused?.status ?? 200 });
}

async function createFromTemplate(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const form = getForm(req);
  const [policyTemplateId, name] = [form.get('policyTemplateId') ?? '', form.get('name')?.trim() ?? ''];
  try {
    const body = { policyTemplateId, action: 'draft' as const, ...(name !== '' && { name }) };
    const { id } = await runs.run('createPolicyFromTemplate', caller, { body }, form.get('once') ?? '');
    redirectWithNotice(res, toPolicyPath(id), 'created');
  } catch (thrown) {
    const { code } = publicError(thrown);
    const { template } = policyFormMessages[language].faults;
    const isStale = code === 'not_found' || code === 'template_not_published';
    const faults: FormFaults = isStale
      ? { fields: { policyTemplateId: template }, whole: undefined }
      : toPolicyFaults(thrown, language);
    await showTemplateForm(runs, res, { typed: { policyTemplateId, name }, faults, status: getFailureStatus(thrown) });
  }
}
