import { type Request, type RequestHandler, type Response, Router } from 'express';
import { ApiError } from '../../contract/errors.ts';
import type { SigningFaults } from '../../contract/person-operations.ts';
import { tokenField } from '../shared/person-page.ts';
import { getPageContext } from '../shared/page-context.ts';
import { orFaults } from '../shared/refused-form.ts';
import { getForm } from '../../http/body/form.ts';
import { sendAttachment } from '../../http/response/send-attachment.ts';
import { sendLearnPage } from './learn-page.ts';
import { policyContent, type PolicyView } from './policy-page.ts';
import { READER, READER_SOURCES } from '../shared/pdf-reader/pdf-reader.ts';

const CONFLICT = 409;
const POLICY = '/policies/:policyId';

/**
 * Serves the pages on which learners read and sign a policy, below `/learn`. A GET records nothing.
 */
export function policyRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(POLICY, (req, res) => sendPolicy(req, res));
  router.get(`${POLICY}/versions/:file`, sendVersion);
  router.post(`${POLICY}/visits`, visitVersion);
  router.post(`${POLICY}/signatures`, signVersion);
  return router;
}

async function sendPolicy(
  req: Request,
  res: Response,
  { status = 200, sent }: { status?: number; sent?: PolicyView['sent'] } = {},
): Promise<void> {
  const { person, call, language } = getPageContext(res);
  const policy = await call('getOwnPolicy', { policyId: readPolicyId(req) });
  const isReplaced = status === CONFLICT && getForm(req).get('versionId') !== policy.versionId;
  const content = policyContent({ policy, learner: person, language, token: tokenField(res), sent, isReplaced });
  const scripts = [READER.script];
  sendLearnPage(res, { status, title: policy.name, content, width: 'wide', scripts, also: READER_SOURCES });
}

const sendVersion: RequestHandler = async (req, res) => {
  const { call, companyId } = getPageContext(res);
  const versionId = /^(.+)\.pdf$/.exec(req.params.file as string)?.[1] ?? '';
  await sendAttachment(res, await call('getOwnPolicyPdf', { policyId: readPolicyId(req), versionId }), companyId);
};

/** Records the opening of a version, and redirects to its PDF. The reader script ignores the redirect. */
const visitVersion: RequestHandler = async (req, res) => {
  const version = readVersionKey(req);
  const isLive = await getPageContext(res).call('recordPolicyVisit', version);
  const page = `/learn/policies/${version.policyId}`;
  res.redirect(303, isLive ? `${page}/versions/${version.versionId}.pdf` : page);
};

const signVersion: RequestHandler = async (req, res) => {
  const { person, call } = getPageContext(res);
  const form = getForm(req);
  const sent = { name: form.get('name') ?? '', agreed: form.get('agreed') === 'yes' };
  const { firstName, lastName } = person;
  try {
    const signing = call('signPolicy', { ...readVersionKey(req), ...sent, learner: { firstName, lastName } });
    const signed = await orFaults<SigningFaults, void>(signing);
    if ('faults' in signed) return sendPolicy(req, res, { status: 400, sent: { ...sent, faults: signed.faults } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'changed_meanwhile') throw error;
    return sendPolicy(req, res, { status: CONFLICT });
  }
  res.redirect(303, `/learn/policies/${readPolicyId(req)}`);
};

function readVersionKey(req: Request): { policyId: string; versionId: string } {
  return { policyId: readPolicyId(req), versionId: getForm(req).get('versionId')?.toLowerCase() ?? '' };
}

function readPolicyId(req: Request): string {
  return (req.params.policyId as string).toLowerCase();
}
