import type { Request, Response, Router } from 'express';
import { type SentAttachment } from '../../../contract/contract.ts';
import { notFound } from '../../../contract/errors.ts';
import { sendAttachment } from '../../../http/response/send-attachment.ts';
import { readListQuery } from '../../shared/list-query.ts';
import { renderNotice } from '../../shared/parts/notice.ts';
import { READER_SOURCES, READER, readerFrame } from '../../shared/pdf-reader/pdf-reader.ts';
import { canCall, getAdmin, isOffered } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { addAudiencePages, listPeopleNotices } from '../audiences/audience-routes.ts';
import { policiesMessages } from './policies-messages.ts';
import { formatVersion, POLICIES_PATH, policiesContent, STATES, toPolicyPath } from './policies-page.ts';
import { addPolicyChanges } from './policy-change-routes.ts';
import { addPolicyForms } from './policy-form-routes.ts';
import { policyMessages } from './policy-messages.ts';
import { policyContent } from './policy-page.ts';
import { readPolicy, toId } from './policy-reading.ts';
import { addUnsignedPages } from './unsigned-routes.ts';
import { html } from '../../../http/html/html.ts';

/** Adds the policy pages: the list, and the pages of one policy. */
export function addPoliciesPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/policies', (req, res) => showList(runs, req, res));
  addPolicyForms(pages, runs);
  pages.get('/policies/:policyId', (req, res) => showPolicy(runs, req, res));
  pages.get('/policies/:policyId/read/:version', (req, res) => showReader(runs, req, res));
  pages.get('/policies/:policyId/files/:file', (req, res) => sendFile(runs, req, res));
  addPolicyChanges(pages, runs);
  addUnsignedPages(pages, runs);
  addAudiencePages(pages, runs, {
    kind: 'policy',
    base: POLICIES_PATH,
    readName: async (res, policyId) => (await runs.run('getPolicy', getAdmin(res).caller, { policyId })).name,
  });
}

async function showList(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const { values, cursor } = readListQuery(req, ['nameContains', 'policyState']);
  const nameContains = values.nameContains!.slice(0, 200);
  const policyState = STATES.find((state) => state === values.policyState);
  const filter = { ...(nameContains && { nameContains }), ...(policyState && { policyState }) };
  const { items: policies, nextCursor } = await runs.page('getPolicyReport', caller, filter, cursor);
  const messages = policiesMessages[language];
  const content = policiesContent({
    ...{ language, filter, policies, cursor, nextCursor },
    notice: renderNotice(req, messages.notices),
    canCreate: canCall(caller, 'createPolicy'),
  });
  sendConsolePage(res, { title: messages.title, content, width: 'wide' });
}

async function showPolicy(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const admin = getAdmin(res);
  const { caller, language } = admin;
  const policy = await readPolicy(runs, req, res);
  const content = policyContent({
    ...{ language, caller, policy },
    notice: renderNotice(req, { ...policyMessages[language].notices, ...listPeopleNotices('policy', language) }),
    canReport: isOffered(admin, 'getPolicyResultsReport'),
    canChoose: canCall(caller, 'listLearners'),
  });
  sendConsolePage(res, { title: policy.name, content, width: 'wide' });
}

/** Shows the PDF of a version or the draft in the page, as learners see it. */
async function showReader(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { language } = getAdmin(res);
  const messages = policyMessages[language];
  const policy = await readPolicy(runs, req, res);
  const version = req.params.version as string;
  const shown = version === 'draft' ? policy.draft : policy.versions.find(({ id }) => id === version);
  if (!shown) throw notFound('page');
  const what = 'majorVersion' in shown ? `${messages.version} ${formatVersion(shown)}` : messages.draft;
  const file = toPolicyPath(policy.id, `/files/${version}.pdf`);
  const content = html`
    <p><a href=${toPolicyPath(policy.id)}>${messages.keep}</a></p>
    <p class="quiet">${messages.pages(shown.pageCount)}</p>
    ${readerFrame(file, messages.reader)}
    <p><a href=${file} download>${messages.download}</a></p>
  `;
  const title = messages.readTitle(shown.name, what);
  sendConsolePage(res, { title, content, width: 'wide', scripts: [READER.script], also: READER_SOURCES });
}

/** Sends the PDF of a version or the draft as an attachment. */
async function sendFile(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller } = getAdmin(res);
  const policyId = toId(req);
  const version = /^([\w-]+)\.pdf$/.exec(req.params.file as string)?.[1] ?? '';
  const pdf: unknown =
    version === 'draft'
      ? await runs.run('getPolicyDraftPdf', caller, { policyId })
      : await runs.run('getPolicyVersionPdf', caller, { policyId, versionId: version });
  await sendAttachment(res, pdf as SentAttachment, caller.companyId);
}
