import type { Response, Router } from 'express';
import { type Caller, hasScope } from '../../../auth/caller.ts';
import { type Schemas, scopes } from '../../../contract/contract.ts';
import { isId } from '../../../db/ids.ts';
import { notFound } from '../../../contract/errors.ts';
import { getForm } from '../../../http/body/form.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, toFormFaults, NO_FAULTS, getFailureStatus } from '../form-faults.ts';
import { html } from '../../../http/html/html.ts';
import { newFormName } from '../../shared/parts/fields.ts';
import { type KeyInput, createdContent, KEYS_PATH, keysContent, newKeyContent, revokeContent } from './keys-page.ts';
import { deprecatedUses } from './deprecated-uses.ts';
import { keysMessages } from './keys-messages.ts';

type ApiKey = Schemas['ApiKey'];
type NewKey = Schemas['CreateApiKeyInput'];

const DAY = /^\d{4}-\d\d-\d\d$/;
const FIELDS = ['name', 'expiresAt', 'scopes'];
/** Maximum number of inactive keys that the page shows. */
const MAX_ENDED = 20;

/** Adds the pages on which an admin creates and revokes the API keys of the company. */
export function addKeysPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/keys', (_req, res) => showKeys(runs, res, initialKeyInput(new Date())));
  pages.post('/keys', async (req, res) => {
    const { caller, language } = getAdmin(res);
    const form = getForm(req);
    const input = readKeyForm(form);
    try {
      const { apiKey, secret } = await runs.run(
        'createApiKey',
        caller,
        { body: toNewKey(input, caller) },
        form.get('once') ?? '',
      );
      sendConsolePage(res, {
        title: keysMessages[language].newTitle,
        content: newKeyContent(apiKey.name, secret, language),
      });
    } catch (thrown) {
      await showKeys(runs, res, input, {
        faults: toFormFaults(thrown, FIELDS, language),
        status: getFailureStatus(thrown),
      });
    }
  });
  pages.get('/keys/:apiKeyId/revoke', async (req, res) => {
    const { caller, formToken, language } = getAdmin(res);
    requireCall(caller, 'revokeApiKey');
    const key = await findKey(runs, res, req.params.apiKeyId);
    sendConsolePage(res, {
      title: keysMessages[language].revokeTitle,
      content: revokeContent(key, formToken, language),
    });
  });
  pages.post('/keys/:apiKeyId/revoke', async (req, res) => {
    const { caller, formToken, language } = getAdmin(res);
    const includeCreated = getForm(req).get('includeCreated') === 'yes';
    const revoked = await runs.run('revokeApiKey', caller, { apiKeyId: req.params.apiKeyId, includeCreated });
    const content = includeCreated ? undefined : createdContent(revoked, formToken, language);
    if (content) sendConsolePage(res, { title: keysMessages[language].createdTitle, content });
    else res.redirect(303, KEYS_PATH);
  });
}

interface Refused {
  faults: FormFaults;
  status: number;
}

async function showKeys(runs: ConsoleRuns, res: Response, input: KeyInput, refused?: Refused): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const working: ApiKey[] = [];
  const ended: ApiKey[] = [];
  for await (const key of runs.items('listApiKeys', caller)) {
    (key.status === 'active' ? working : ended).push(key);
    if (ended.length > MAX_ENDED) ended.shift();
  }
  const { faults, status } = refused ?? { faults: NO_FAULTS, status: 200 };
  const once = newFormName();
  const keys = keysContent({ language, caller, formToken, once, working, ended: ended.toReversed(), input, faults });
  const { items: uses } = await runs.first('listDeprecatedUses', caller);
  const names = new Map([...working, ...ended].map(({ id, name }) => [id, name]));
  const content = html`${keys} ${deprecatedUses(uses, names, language)}`;
  sendConsolePage(res, { status, title: keysMessages[language].title, content, width: 'wide' });
}

/** @throws not_found */
async function findKey(runs: ConsoleRuns, res: Response, sentId: string): Promise<ApiKey> {
  const apiKeyId = sentId.toLowerCase();
  if (isId(apiKeyId)) {
    for await (const key of runs.items('listApiKeys', getAdmin(res).caller)) if (key.id === apiKeyId) return key;
  }
  throw notFound('API key');
}

function readKeyForm(form: URLSearchParams): KeyInput {
  const may = form.get('may');
  return {
    typed: { name: form.get('name') ?? '', expiresAt: form.get('expiresAt') ?? '' },
    may: may === 'all' || may === 'some' ? may : 'read',
    scopes: form.getAll('scopes'),
  };
}

/** Returns the defaults of the form: a key that can read for a year. */
function initialKeyInput(now: Date): KeyInput {
  const inAYear = new Date(now);
  inAYear.setUTCFullYear(now.getUTCFullYear() + 1);
  return { typed: { name: '', expiresAt: inAYear.toISOString().slice(0, 10) }, may: 'read', scopes: [] };
}

/** Builds the body of `createApiKey`. The contract validates it later. */
function toNewKey({ typed, may, scopes: ticked }: KeyInput, caller: Caller): NewKey {
  const { name = '', expiresAt = '' } = typed;
  const scopeNames =
    may === 'read' ? scopes.filter((scope) => scope.endsWith(':read') && hasScope(caller, scope)) : ticked;
  return {
    name,
    expiresAt: expiresAt === '' ? null : DAY.test(expiresAt) ? `${expiresAt}T23:59:59Z` : expiresAt,
    ...(may !== 'all' && { scopes: scopeNames as Schemas['ApiKeyScopeInput'][] }),
  };
}
