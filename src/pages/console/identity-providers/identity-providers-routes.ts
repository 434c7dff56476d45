import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { notFound } from '../../../contract/errors.ts';
import { getForm } from '../../../http/body/form.ts';
import { canCall, getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { newFormName } from '../form-parts.ts';
import {
  changeContent,
  IDENTITY_PROVIDERS_PATH,
  identityProvidersContent,
  POPULATIONS,
  removeContent,
} from './identity-providers-page.ts';
import { identityProvidersMessages } from './identity-providers-messages.ts';

type IdentityProvider = Schemas['IdentityProvider'];

const FIELDS = ['name', 'issuer', 'clientId', 'clientSecret'] as const;

interface Refused {
  typed: Readonly<Record<string, string>>;
  faults: FormFaults;
  /** The faults of the form about passkeys. */
  passkeyFaults?: FormFaults;
  status: number;
}

const NOT_REFUSED: Refused = { typed: {}, faults: NO_FAULTS, status: 200 };

/** Adds the pages on which an owner adds, changes, tests and removes identity providers. */
export function addIdentityProvidersPages(pages: Router, runs: ConsoleRuns): void {
  const path = '/identity-providers';
  pages.get(path, (_req, res) => showProviders(runs, res));
  pages.post(path, async (req, res) => {
    const { caller } = getAdmin(res);
    const form = getForm(req);
    const body = { ...readSettings(form), protocol: 'oidc' } as Schemas['CreateIdentityProviderInput'];
    try {
      await runs.run('createIdentityProvider', caller, { body }, form.get('once') ?? '');
      res.redirect(303, IDENTITY_PROVIDERS_PATH);
    } catch (thrown) {
      await showProviders(runs, res, toRefused(thrown, form, res));
    }
  });
  pages.post(`${path}/admin-passkeys`, async (req, res) => {
    const { caller, language } = getAdmin(res);
    const body = { adminPasskeys: getForm(req).get('adminPasskeys') ?? '' } as Schemas['UpdateCompanySettingsInput'];
    try {
      await runs.run('updateCompanySettings', caller, { body });
      res.redirect(303, IDENTITY_PROVIDERS_PATH);
    } catch (thrown) {
      const passkeyFaults = toFormFaults(thrown, [], language, identityProvidersMessages[language].codes);
      await showProviders(runs, res, { ...NOT_REFUSED, passkeyFaults, status: getFailureStatus(thrown) });
    }
  });
  pages.get(`${path}/:identityProviderId`, ({ params }, res) => showProvider(runs, res, params.identityProviderId));
  pages.post(`${path}/:identityProviderId`, async (req, res) => {
    const { identityProviderId } = req.params;
    const form = getForm(req);
    const uses = Object.fromEntries(POPULATIONS.map((name) => [name, form.get(name) ?? '']));
    const body = { ...readSettings(form), ...uses } as Schemas['UpdateIdentityProviderInput'];
    try {
      await runs.run('updateIdentityProvider', getAdmin(res).caller, { identityProviderId, body });
      res.redirect(303, IDENTITY_PROVIDERS_PATH);
    } catch (thrown) {
      await showProvider(runs, res, identityProviderId, toRefused(thrown, form, res));
    }
  });
  pages.get(`${path}/:identityProviderId/remove`, async ({ params }, res) => {
    const { caller, formToken, language } = getAdmin(res);
    requireCall(caller, 'deleteIdentityProvider');
    const provider = await findProvider(runs, res, params.identityProviderId);
    const content = removeContent(provider, language, formToken);
    sendConsolePage(res, { title: identityProvidersMessages[language].removeTitle, content });
  });
  pages.post(`${path}/:identityProviderId/remove`, async ({ params: { identityProviderId } }, res) => {
    await runs.run('deleteIdentityProvider', getAdmin(res).caller, { identityProviderId });
    res.redirect(303, IDENTITY_PROVIDERS_PATH);
  });
}

/** Reads the settings of a form. An empty client secret is left out, which keeps the stored one. */
function readSettings(form: URLSearchParams): Record<string, string | boolean> {
  const given = FIELDS.map((name): [string, string] => [name, (form.get(name) ?? '').trim()]);
  const settings = given.filter(([name, value]) => name !== 'clientSecret' || value !== '');
  return { ...Object.fromEntries(settings), createsLearners: form.get('createsLearners') === 'yes' };
}

function toRefused(thrown: unknown, form: URLSearchParams, res: Response): Refused {
  const { language } = getAdmin(res);
  const faults = toFormFaults(thrown, FIELDS, language, identityProvidersMessages[language].codes);
  return { typed: Object.fromEntries(form), faults, status: getFailureStatus(thrown) };
}

async function showProviders(runs: ConsoleRuns, res: Response, refused?: Refused): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const providers = await runs.run('listIdentityProviders', caller, {});
  const { typed, faults, passkeyFaults = NO_FAULTS, status } = refused ?? NOT_REFUSED;
  const settings = canCall(caller, 'getCompanySettings') ? await runs.run('getCompanySettings', caller, {}) : undefined;
  const adminPasskeys = settings?.adminPasskeys;
  const content = identityProvidersContent({
    ...{ language, caller, formToken, typed, faults, passkeyFaults, adminPasskeys, providers: [...providers] },
    once: newFormName(),
  });
  sendConsolePage(res, { status, title: identityProvidersMessages[language].title, content });
}

async function showProvider(runs: ConsoleRuns, res: Response, id: string, refused?: Refused): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  requireCall(caller, 'updateIdentityProvider');
  const provider = await findProvider(runs, res, id);
  const { name, issuer, clientId, admins, learners, createsLearners } = provider;
  const stored = { name, issuer, clientId, admins, learners, createsLearners: createsLearners ? 'yes' : '' };
  const { typed, faults, status } = refused ?? { typed: stored, faults: NO_FAULTS, status: 200 };
  const content = changeContent(provider, { language, formToken, typed, faults });
  sendConsolePage(res, { status, title: identityProvidersMessages[language].changeTitle, content });
}

/** @throws not_found */
async function findProvider(runs: ConsoleRuns, res: Response, id: string): Promise<IdentityProvider> {
  const providers = await runs.run('listIdentityProviders', getAdmin(res).caller, {});
  const found = [...providers].find((provider) => provider.id === id);
  if (!found) throw notFound('identity provider');
  return found;
}
