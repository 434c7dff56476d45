import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { notFound } from '../../../contract/errors.ts';
import { getForm } from '../../../http/body/form.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { canCall, getAdmin, requireCall } from '../admin.ts';
import { adminsMessages } from '../admins/admins-messages.ts';
import { readRoles } from '../admins/admins-routes.ts';
import { formatRole, toRoleValue } from '../admins/role-field.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { newFormName } from '../../shared/parts/fields.ts';
import { FIELDS, readChanges, readNewProvider, toValues } from './identity-provider-form-values.ts';
import { addContent, changeContent, type Protocol, type RoleChoice } from './identity-provider-forms.ts';
import {
  IDENTITY_PROVIDERS_PATH,
  identityProvidersContent,
  PROTOCOLS,
  removeContent,
} from './identity-providers-page.ts';
import { identityProvidersMessages } from './identity-providers-messages.ts';

type IdentityProvider = Schemas['IdentityProvider'];

interface Refused {
  typed: Readonly<Record<string, string>>;
  faults: FormFaults;
  status: number;
}

/** Adds the pages on which an owner adds, changes, tests and removes identity providers. */
export function addIdentityProvidersPages(pages: Router, runs: ConsoleRuns): void {
  const path = '/identity-providers';
  pages.get(path, (_req, res) => showProviders(runs, res));
  for (const protocol of PROTOCOLS) addPagesOfProtocol(pages, runs, protocol);
  pages.post(`${path}/admin-passkeys`, async (req, res) => {
    const { caller, language } = getAdmin(res);
    const body = { adminPasskeys: getForm(req).get('adminPasskeys') ?? '' } as Schemas['UpdateCompanySettingsInput'];
    try {
      await runs.run('updateCompanySettings', caller, { body });
      res.redirect(303, IDENTITY_PROVIDERS_PATH);
    } catch (thrown) {
      const passkeyFaults = toFormFaults(thrown, [], language, identityProvidersMessages[language].codes);
      await showProviders(runs, res, { faults: passkeyFaults, status: getFailureStatus(thrown) });
    }
  });
  pages.get(`${path}/:identityProviderId`, ({ params }, res) => showProvider(runs, res, params.identityProviderId));
  pages.post(`${path}/:identityProviderId`, async (req, res) => {
    const { identityProviderId } = req.params;
    const form = getForm(req);
    const provider = await findProvider(runs, res, identityProviderId);
    try {
      const body = readChanges(form, provider);
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

function addPagesOfProtocol(pages: Router, runs: ConsoleRuns, protocol: Protocol): void {
  const path = `/identity-providers/add/${protocol}`;
  pages.get(path, (_req, res) => showAdding(res, protocol));
  pages.post(path, async (req, res) => {
    const form = getForm(req);
    try {
      const body = readNewProvider(form, protocol);
      await runs.run('createIdentityProvider', getAdmin(res).caller, { body }, form.get('once') ?? '');
      res.redirect(303, IDENTITY_PROVIDERS_PATH);
    } catch (thrown) {
      showAdding(res, protocol, toRefused(thrown, form, res));
    }
  });
}

/** Converts an error to faults of the form. A fault about metadata includes the detail, which is in English. */
function toRefused(thrown: unknown, form: URLSearchParams, res: Response): Refused {
  const { language } = getAdmin(res);
  const faults = toFormFaults(thrown, FIELDS, language, identityProvidersMessages[language].codes);
  const fields = { ...faults.fields };
  for (const { field, message } of publicError(thrown).details) {
    const name = field.split('/')[1]!;
    if (name.startsWith('metadata') && fields[name]) fields[name] += ` (${message})`;
  }
  return { typed: Object.fromEntries(form), faults: { ...faults, fields }, status: getFailureStatus(thrown) };
}

/** @param passkeys the faults of the form that changes the rule for passkeys, and the status of the page */
async function showProviders(
  runs: ConsoleRuns,
  res: Response,
  passkeys: { faults: FormFaults; status: number } = { faults: NO_FAULTS, status: 200 },
): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const providers = [...(await runs.run('listIdentityProviders', caller, {}))];
  const settings = canCall(caller, 'getCompanySettings') ? await runs.run('getCompanySettings', caller, {}) : undefined;
  const content = identityProvidersContent({
    ...{ language, caller, formToken, providers, passkeyFaults: passkeys.faults },
    adminPasskeys: settings?.adminPasskeys,
  });
  sendConsolePage(res, { status: passkeys.status, title: identityProvidersMessages[language].title, content });
}

function showAdding(res: Response, protocol: Protocol, refused?: Refused): void {
  const { caller, formToken, language } = getAdmin(res);
  requireCall(caller, 'createIdentityProvider');
  const messages = identityProvidersMessages[language];
  const { typed, faults, status } = refused ?? { typed: {}, faults: NO_FAULTS, status: 200 };
  const content = addContent(protocol, { language, formToken, typed, faults }, newFormName());
  sendConsolePage(res, { status, title: messages.addProtocol(messages.protocols[protocol]), content });
}

async function showProvider(runs: ConsoleRuns, res: Response, id: string, refused?: Refused): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  requireCall(caller, 'updateIdentityProvider');
  const provider = await findProvider(runs, res, id);
  const { typed, faults, status } = refused ?? { typed: toValues(provider), faults: NO_FAULTS, status: 200 };
  const roles = (await readRoles(runs, caller)).map((role): RoleChoice => {
    const value = toRoleValue({ role: role.role, roleId: role.id });
    return { value, label: formatRole(role, adminsMessages[language]) };
  });
  const content = changeContent(provider, { language, formToken, typed, faults }, roles);
  sendConsolePage(res, { status, title: identityProvidersMessages[language].changeTitle, content });
}

/** @throws not_found */
async function findProvider(runs: ConsoleRuns, res: Response, id: string): Promise<IdentityProvider> {
  const providers = await runs.run('listIdentityProviders', getAdmin(res).caller, {});
  const found = [...providers].find((provider) => provider.id === id);
  if (!found) throw notFound('identity provider');
  return found;
}
