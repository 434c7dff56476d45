import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../../contract/contract.ts';
import { notFound } from '../../../../contract/errors.ts';
import { getForm } from '../../../../http/body/form.ts';
import { confirmation } from '../../../shared/parts/confirmation.ts';
import { hiddenFields, newFormName } from '../../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { getFailureStatus, NO_FAULTS, toFormFaults } from '../../form-faults.ts';
import { settingsMessages } from './settings-messages.ts';
import { settingsContent, SIMULATION_SETTINGS_PATH } from './settings-page.ts';

const FIELDS = ['domain', 'scannerNetworks'];

/** A form that was not saved. */
interface Rejected {
  form: URLSearchParams;
  thrown: unknown;
}

/** Adds the page on which a company proves its domains, instructs its mail filters and stops all simulations. */
export function addSimulationSettingsPage(pages: Router, runs: ConsoleRuns): void {
  const path = '/simulations/settings';
  pages.get(path, (req, res) => showSettings(runs, req, res));
  pages.post(path, async (req, res) => {
    const networks = getForm(req).get('scannerNetworks') ?? '';
    const scannerNetworks = networks.split(/[\s,;]+/).filter(Boolean);
    await change(runs, req, res, { body: { scannerNetworks }, notice: 'saved' });
  });
  pages.post(`${path}/stop`, (req, res) => change(runs, req, res, { body: { stopped: true }, notice: 'stopped' }));
  pages.post(`${path}/resume`, (req, res) => change(runs, req, res, { body: { stopped: false }, notice: 'resumed' }));
  pages.get(`${path}/rotate`, (_req, res) => {
    const { caller, formToken, language } = getAdmin(res);
    requireCall(caller, 'rotateSimulationHeaderSecret');
    const { rotate, rotateAbout, rotateButton, keep } = settingsMessages[language];
    const hidden = hiddenFields(formToken, newFormName());
    const action = `${SIMULATION_SETTINGS_PATH}/rotate`;
    const back = { href: SIMULATION_SETTINGS_PATH, text: keep };
    const content = confirmation({ about: rotateAbout, action, hidden, button: rotateButton, keep: back });
    sendConsolePage(res, { title: rotate, content });
  });
  pages.post(`${path}/rotate`, async (req, res) => {
    const once = getForm(req).get('once') ?? '';
    await runs.run('rotateSimulationHeaderSecret', getAdmin(res).caller, {}, once);
    redirectWithNotice(res, SIMULATION_SETTINGS_PATH, 'rotated');
  });
  addDomainForms(pages, runs, `${path}/domains`);
}

function addDomainForms(pages: Router, runs: ConsoleRuns, path: string): void {
  pages.post(path, async (req, res) => {
    const form = getForm(req);
    try {
      const body = { domain: form.get('domain') ?? '' };
      await runs.run('createSimulationDomain', getAdmin(res).caller, { body });
      redirectWithNotice(res, SIMULATION_SETTINGS_PATH, 'domainAdded');
    } catch (thrown) {
      await showSettings(runs, req, res, { form, thrown });
    }
  });
  pages.post(`${path}/:simulationDomainId/verify`, async ({ params: { simulationDomainId } }, res) => {
    const { finding } = await runs.run('verifySimulationDomain', getAdmin(res).caller, { simulationDomainId });
    redirectWithNotice(res, SIMULATION_SETTINGS_PATH, finding);
  });
  pages.get(`${path}/:simulationDomainId/remove`, async ({ params: { simulationDomainId } }, res) => {
    const { caller, formToken, language } = getAdmin(res);
    requireCall(caller, 'deleteSimulationDomain');
    const { items } = await runs.first('listSimulationDomains', caller);
    const found = items.find(({ id }) => id === simulationDomainId);
    if (!found) throw notFound('domain');
    const { removeDomainTitle, removeDomainAbout, removeDomainButton, keep } = settingsMessages[language];
    const content = confirmation({
      about: removeDomainAbout(found.domain),
      action: `${SIMULATION_SETTINGS_PATH}/domains/${found.id}/remove`,
      hidden: hiddenFields(formToken),
      button: removeDomainButton,
      keep: { href: SIMULATION_SETTINGS_PATH, text: keep },
    });
    sendConsolePage(res, { title: removeDomainTitle, content });
  });
  pages.post(`${path}/:simulationDomainId/remove`, async ({ params: { simulationDomainId } }, res) => {
    await runs.run('deleteSimulationDomain', getAdmin(res).caller, { simulationDomainId });
    redirectWithNotice(res, SIMULATION_SETTINGS_PATH, 'domainRemoved');
  });
}

interface Change {
  body: Schemas['UpdateSimulationSettingsInput'];
  notice: string;
}

async function change(runs: ConsoleRuns, req: Request, res: Response, { body, notice }: Change): Promise<void> {
  try {
    await runs.run('updateSimulationSettings', getAdmin(res).caller, { body });
    redirectWithNotice(res, SIMULATION_SETTINGS_PATH, notice);
  } catch (thrown) {
    await showSettings(runs, req, res, { form: getForm(req), thrown });
  }
}

/** @param rejected the form that was not saved; omitted if there is none */
async function showSettings(runs: ConsoleRuns, req: Request, res: Response, rejected?: Rejected): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const { title, codes, notices } = settingsMessages[language];
  const settings = await runs.run('getSimulationSettings', caller, {});
  const { items: domains, isCut } = await runs.first('listSimulationDomains', caller);
  const stored = { domain: '', scannerNetworks: settings.scannerNetworks.join('\n') };
  const content = settingsContent({
    ...{ language, caller, formToken, settings, domains, isCut },
    notice: renderNotice(req, notices),
    typed: { ...stored, ...Object.fromEntries(rejected?.form ?? []) },
    faults: rejected ? toFormFaults(rejected.thrown, FIELDS, language, codes) : NO_FAULTS,
  });
  const status = rejected ? getFailureStatus(rejected.thrown) : 200;
  sendConsolePage(res, { status, title, content, width: 'wide' });
}
