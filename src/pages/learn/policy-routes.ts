import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Act } from '../../identity/person-sessions.ts';
import { isId } from '../../db/ids.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import { getPolicyOfLearner, recordVisit, requireReadable } from '../../resources/policies/policy-of-learner.ts';
import { signPolicy } from '../../resources/policies/signatures/policy-signing.ts';
import { isOpened, isToSign, judgeSigning } from '../../resources/policies/signatures/policy-signing-rules.ts';
import { getVersionPdf } from '../../resources/policies/policy-version-repository.ts';
import { tokenField } from '../shared/person-page.ts';
import { pageContextOf } from '../shared/page-context.ts';
import { formOf } from '../../http/body/form.ts';
import { originOf } from '../../http/request-context.ts';
import { sendPdf } from '../../http/response/send-pdf.ts';
import { sendLearnPage } from './learn-page.ts';
import { policyContent, type PolicyView } from './policy-page.ts';
import { READER } from './policy-reader.ts';

const MODULE = 'smpolicy';
const CONFLICT = 409;
const POLICY = '/policies/:policyId';
/** pdf.js reads the file, starts a worker, and loads fonts that a file lacks. */
const READER_SOURCES = { 'connect-src': "'self'", 'worker-src': "'self'", 'font-src': "'self'" };

/** Where a learner reads and signs a policy, below `/learn`. A GET records nothing: a script does, or a button. */
export function policyRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/policies', requireModule);
  router.get(POLICY, (req, res) => sendPolicy(req, res));
  router.get(`${POLICY}/versions/:file`, sendVersion);
  router.post(`${POLICY}/visits`, visitVersion);
  router.post(`${POLICY}/signatures`, signVersion);
  return router;
}

const requireModule: RequestHandler = (_req, res, next) => {
  if (!pageContextOf(res).modules.includes(MODULE)) throw notFound('policy');
  next();
};

async function sendPolicy(
  req: Request,
  res: Response,
  { status = 200, sent }: { status?: number; sent?: PolicyView['sent'] } = {},
): Promise<void> {
  const { person, tenant, language } = pageContextOf(res);
  const policy = await getPolicyOfLearner(tenant, idsOf(req, res));
  const isReplaced = status === CONFLICT && formOf(req).get('versionId') !== policy.versionId;
  const content = policyContent({ policy, learner: person, language, token: tokenField(res), sent, isReplaced });
  const scripts = [READER.script];
  sendLearnPage(res, { status, title: policy.name, content, width: 'wide', scripts, also: READER_SOURCES });
}

const sendVersion: RequestHandler = async (req, res) => {
  const { tenant, companyId } = pageContextOf(res);
  const versionId = idOf((req.params.file as string).match(/^(.+)\.pdf$/)?.[1]);
  const version = { ...idsOf(req, res), versionId };
  await requireReadable(tenant, version);
  await sendPdf(res, await getVersionPdf(tenant, version.policyId, versionId), companyId);
};

/** Records the opening of a version, and opens it. The reader of the page sends the same, and does not follow. */
const visitVersion: RequestHandler = async (req, res) => {
  const version = { ...idsOf(req, res), versionId: idOf(formOf(req).get('versionId')) };
  const { tenant } = pageContextOf(res);
  const isLive = (await getPolicyOfLearner(tenant, version)).versionId === version.versionId;
  if (isLive) await recordVisit(tenant, version);
  const page = `/learn/policies/${version.policyId}`;
  res.redirect(303, isLive ? `${page}/versions/${version.versionId}.pdf` : page);
};

const signVersion: RequestHandler = async (req, res) => {
  const { person, open } = pageContextOf(res);
  const form = formOf(req);
  const version = { ...idsOf(req, res), versionId: idOf(form.get('versionId')) };
  const sent = { name: form.get('name') ?? '', agreed: form.get('agreed') === 'yes' };
  const faults = judgeSigning({ ...sent, opened: await mayBeSigned(res, version) }, person);
  if (Object.keys(faults).length > 0) return sendPolicy(req, res, { status: 400, sent: { ...sent, faults } });
  try {
    await signPolicy(open(signingOf(version)), { ...version, signedFrom: originOf(req, res).address });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'changed_meanwhile') throw error;
    if (!(await isSignedAlready(res, version))) return sendPolicy(req, res, { status: CONFLICT });
  }
  res.redirect(303, `/learn/policies/${version.policyId}`);
};

/** Reports whether no opening is missing; a version that is not to be signed is refused for that. */
async function mayBeSigned(res: Response, { versionId, ...ids }: Version): Promise<boolean> {
  const policy = await getPolicyOfLearner(pageContextOf(res).tenant, ids);
  return policy.versionId !== versionId || !isToSign(policy) || isOpened(policy);
}

/** Whether the form was sent twice. */
async function isSignedAlready(res: Response, { versionId, ...ids }: Version): Promise<boolean> {
  const { signedVersionId } = await getPolicyOfLearner(pageContextOf(res).tenant, ids);
  return signedVersionId === versionId;
}

interface Version {
  learnerId: string;
  policyId: string;
  versionId: string;
}

function signingOf({ policyId, versionId }: Version): Act {
  const targets = Object.entries({ policyId, versionId }).map(([field, id]) => ({ field, count: 1, ids: [id] }));
  return { operation: 'signPolicy', targets };
}

function idsOf(req: Request, res: Response): { learnerId: string; policyId: string } {
  return { learnerId: pageContextOf(res).person.id, policyId: idOf(req.params.policyId as string) };
}

/** @throws not_found for what is no id */
function idOf(text: string | null | undefined): string {
  const id = text?.toLowerCase();
  if (id === undefined || !isId(id)) throw notFound('policy');
  return id;
}
