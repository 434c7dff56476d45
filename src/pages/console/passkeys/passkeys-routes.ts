import type { Request, Response, Router } from 'express';
import type { Passkeys } from '../../../identity/passkeys.ts';
import { listPasskeys, type ReportPasskey } from '../../../identity/passkey-repository.ts';
import { requireRecentProof } from '../../../operations/invoke.ts';
import { visibleText } from '../../../contract/contract.ts';
import { notFound } from '../../../contract/errors.ts';
import { queueAdminNotices } from '../../../mail/outbox/outbox.ts';
import { getSession, getPageContext } from '../../shared/page-context.ts';
import { getForm } from '../../../http/body/form.ts';
import { getRequestOrigin } from '../../../http/request-context.ts';
import { sendConsolePage } from '../console-page.ts';
import { PASSKEY_PAGE, passkeysContent, PASSKEYS_PATH, type PasskeysView, removeContent } from './passkeys-page.ts';
import { passkeysMessages } from './passkeys-messages.ts';

const MAX_NAME_LENGTH = 200;
const VISIBLE = new RegExp(visibleText, 'u');

/**
 * Adds the page on which admins add and remove their own passkeys, and end their sessions.
 * @param passkeys undefined if browsers do not support passkeys for the service's URL
 */
export function addPasskeysPages(pages: Router, passkeys: Passkeys | undefined): void {
  pages.get('/passkeys', (_req, res) => showPasskeys(res, passkeys !== undefined));
  pages.get('/passkeys/:passkeyId/remove', async ({ params: { passkeyId } }, res) => {
    const { person, formToken, language } = getPageContext(res);
    const { tenant } = getSession(res);
    const passkey = (await listPasskeys(tenant, person.id)).find(({ id }) => id === passkeyId);
    if (!passkey) throw notFound('passkey');
    sendConsolePage(res, {
      title: passkeysMessages[language].removeTitle,
      content: removeContent(passkey, { path: PASSKEYS_PATH, formToken, language }),
    });
  });
  pages.post('/passkeys/:passkeyId/remove', async ({ params: { passkeyId } }, res) => {
    await getPageContext(res).call('deleteOwnPasskey', { passkeyId });
    res.redirect(303, PASSKEYS_PATH);
  });
  if (!passkeys) return;
  pages.post('/passkeys/confirm', (_req, res) => {
    requireRecentProof(getPageContext(res).caller);
    res.redirect(303, PASSKEYS_PATH);
  });
  pages.post('/passkeys/options', async (_req, res) => {
    requireRecentProof(getPageContext(res).caller);
    res.json(await passkeys.creationOptions(getSession(res)));
  });
  pages.post('/passkeys', (req, res) => addPasskey(passkeys, req, res));
}

async function addPasskey(passkeys: Passkeys, req: Request, res: Response): Promise<void> {
  requireRecentProof(getPageContext(res).caller);
  const form = getForm(req);
  const name = form.get('name') ?? '';
  const isName = [...name].length <= MAX_NAME_LENGTH && VISIBLE.test(name) && !name.includes('\uFFFD');
  if (!isName) return showPasskeys(res, true, { fault: 'name' });
  const made = { name, response: parseJson(form.get('response') ?? '') };
  const report: ReportPasskey = (tenant, passkeyId) => queueAdminNotices(tenant, 'passkey_added', [passkeyId]);
  if (!(await passkeys.add(getSession(res), made, { origin: getRequestOrigin(req, res), report })))
    return showPasskeys(res, true, { fault: 'device' });
  res.redirect(303, PASSKEYS_PATH);
}

/** Sends the page of the admin's passkeys, with the result of the form that the admin has sent. */
export async function showPasskeys(
  res: Response,
  canAdd: boolean,
  result: Pick<PasskeysView, 'fault' | 'outcome'> = {},
): Promise<void> {
  const { person, formToken, language } = getPageContext(res);
  const { tenant, hasRecentProof, missingPasskey } = getSession(res);
  const passkeys = await listPasskeys(tenant, person.id);
  const isRequired = missingPasskey === 'registration';
  const content = passkeysContent({ language, formToken, passkeys, canAdd, hasRecentProof, isRequired, ...result });
  const isFault = result.fault !== undefined || result.outcome === 'refused';
  const page = { title: passkeysMessages[language].title, content, status: isFault ? 400 : 200 };
  sendConsolePage(res, canAdd ? { ...page, ...PASSKEY_PAGE } : page);
}

/** Parses a field that our script fills with JSON; undefined if the field holds no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
