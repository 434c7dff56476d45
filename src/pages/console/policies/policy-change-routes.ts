import type { Request, Response, Router } from 'express';
import { html } from '../../../http/html/html.ts';
import { getForm } from '../../../http/body/form.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { checkField, choicesField, formFault, hiddenFields, newFormName } from '../../shared/parts/fields.ts';
import { redirectWithNotice } from '../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { getFailureStatus, toFormFaults } from '../form-faults.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { POLICIES_PATH, toPolicyPath } from './policies-page.ts';
import { policyMessages } from './policy-messages.ts';
import { readPolicy, toId, toIfMatch, toVersion } from './policy-reading.ts';

/** Adds the pages that confirm the publication or discarding of a draft, and the deletion of a policy. */
export function addPolicyChanges(pages: Router, runs: ConsoleRuns): void {
  pages.get('/policies/:policyId/publish', (req, res) => askToPublish(runs, req, res));
  pages.post('/policies/:policyId/publish', (req, res) => publish(runs, req, res));
  pages.get('/policies/:policyId/discard', (req, res) => askToDiscard(runs, req, res));
  pages.post('/policies/:policyId/discard', (req, res) => discard(runs, req, res));
  pages.get('/policies/:policyId/delete', (req, res) => askToDelete(runs, req, res));
  pages.post('/policies/:policyId/delete', async (req, res) => {
    const body = { policyIds: [toId(req)] };
    await runs.run('deletePolicies', getAdmin(res).caller, { body }, getForm(req).get('once') ?? '');
    redirectWithNotice(res, POLICIES_PATH, 'deleted');
  });
}

interface Refused {
  fault: string | undefined;
  status: number;
}

async function askToPublish(runs: ConsoleRuns, req: Request, res: Response, refused?: Refused): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  requireCall(caller, 'publishPolicyDraft');
  const policy = await readPolicy(runs, req, res);
  const messages = policyMessages[language];
  if (!policy.draft) return res.redirect(303, toPolicyPath(policy.id));
  const { number } = getFormats(language);
  const { assignedCount, signedCount, isLive } = policy;
  const options = [
    ['', messages.nobody(number(assignedCount - signedCount))],
    ['yes', messages.everybody(number(assignedCount), number(signedCount))],
  ] as const;
  const content = confirmation({
    about: html`${formFault(refused?.fault)}
      <p>
        <strong><bdi>${policy.draft.name}</bdi></strong>
      </p>
      <p>${isLive ? messages.publishAgain : messages.publishFirst}</p>`,
    action: toPolicyPath(policy.id, '/publish'),
    hidden: html`${hiddenFields(formToken)}<input type="hidden" name="version" value=${toVersion(policy)} />`,
    fields: html`${
      assignedCount > 0 && choicesField({ name: 'resend', label: messages.whoSigns, options, type: 'radio' }, [''], {})
    }
    ${isLive && checkField({ name: 'major', label: messages.major }, {})}`,
    button: messages.publish,
    keep: { href: toPolicyPath(policy.id), text: messages.keep },
  });
  sendConsolePage(res, { title: messages.publishTitle, content, status: refused?.status ?? 200 });
}

async function publish(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const form = getForm(req);
  const policy = await readPolicy(runs, req, res);
  const body = { major: form.get('major') === 'yes', resend: form.get('resend') === 'yes' };
  try {
    const ifMatch = toIfMatch(policy, form.get('version') ?? '');
    const change = { policyId: policy.id, body, ifMatch };
    await runs.run('publishPolicyDraft', getAdmin(res).caller, change);
    redirectWithNotice(res, toPolicyPath(policy.id), 'published');
  } catch (thrown) {
    await askToPublish(runs, req, res, { fault: toFault(thrown, res), status: getFailureStatus(thrown) });
  }
}

function toFault(thrown: unknown, res: Response): string | undefined {
  const { language } = getAdmin(res);
  const messages = policyMessages[language];
  if (publicError(thrown).code === 'changed_meanwhile') return messages.changed;
  return toFormFaults(thrown, [], language, { no_draft: messages.draftGone }).whole;
}

async function askToDiscard(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  requireCall(caller, 'discardPolicyDraft');
  const policy = await readPolicy(runs, req, res);
  const messages = policyMessages[language];
  if (!policy.draft) return res.redirect(303, toPolicyPath(policy.id));
  const content = confirmation({
    about: html`<p>${messages.discardAbout(policy.draft.name)}</p>
      ${!policy.isLive && html`<p>${messages.discardOnly}</p>`}`,
    action: toPolicyPath(policy.id, '/discard'),
    hidden: hiddenFields(formToken),
    button: messages.discard,
    keep: { href: toPolicyPath(policy.id), text: messages.keep },
  });
  sendConsolePage(res, { title: messages.discardTitle, content });
}

/**
 * Discards the draft. If the form is submitted again, there is no draft, and the response also redirects to the policy.
 */
async function discard(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const policyId = toId(req);
  try {
    await runs.run('discardPolicyDraft', getAdmin(res).caller, { policyId });
  } catch (thrown) {
    if (publicError(thrown).code !== 'no_draft') throw thrown;
  }
  redirectWithNotice(res, toPolicyPath(policyId), 'discarded');
}

async function askToDelete(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  requireCall(caller, 'deletePolicies');
  const { id, name, signedCount } = await readPolicy(runs, req, res);
  const messages = policyMessages[language];
  const content = confirmation({
    about: messages.removeAbout(name, getFormats(language).number(signedCount)),
    action: toPolicyPath(id, '/delete'),
    hidden: hiddenFields(formToken, newFormName()),
    button: messages.remove,
    keep: { href: toPolicyPath(id), text: messages.keep },
  });
  sendConsolePage(res, { title: messages.removeTitle, content });
}
