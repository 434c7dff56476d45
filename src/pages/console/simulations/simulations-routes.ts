import type { Response, Router } from 'express';
import { notFound } from '../../../contract/errors.ts';
import type { PersonResult } from '../../../operations/operations.ts';
import { canCall, getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import { type ConsoleRuns, MAX_ITEMS } from '../console-runs.ts';
import { toFormFaults, getFailureStatus } from '../form-faults.ts';
import { addPlansPages } from './plans/plans-routes.ts';
import { addResultsPages } from './results/results-routes.ts';
import { addExclusionsPage } from './settings/exclusions-routes.ts';
import { addSimulationSettingsPage } from './settings/settings-routes.ts';
import { addTemplatesPages } from './templates/templates-routes.ts';
import { cancelContent, simulationsContent, SIMULATIONS_PATH } from './simulations-page.ts';
import { simulationsMessages } from './simulations-messages.ts';

/** Adds the pages on which an admin approves and cancels simulations that the service runs. */
export function addSimulationsPages(pages: Router, runs: ConsoleRuns): void {
  pages.use('/simulations', (_req, res, next) => {
    if (!getAdmin(res).modules.includes('smphish')) throw notFound('page');
    next();
  });
  addTemplatesPages(pages, runs);
  addResultsPages(pages, runs);
  addSimulationSettingsPage(pages, runs);
  addExclusionsPage(pages, runs);
  addPlansPages(pages, runs);
  pages.get('/simulations', (_req, res) => showSimulations(res));
  pages.get('/simulations/:simulationId/cancel', async ({ params: { simulationId } }, res) => {
    const { caller, formToken, language } = getAdmin(res);
    requireCall(caller, 'cancelSimulation');
    const simulation = (await readOpen(res)).find(({ id }) => id === simulationId);
    if (!simulation) throw notFound('simulation');
    const content = cancelContent(simulation, formToken, language);
    sendConsolePage(res, { title: simulationsMessages[language].cancelTitle, content });
  });
  for (const [action, operationId] of [
    ['approve', 'approveSimulation'],
    ['cancel', 'cancelSimulation'],
  ] as const) {
    pages.post(`/simulations/:simulationId/${action}`, async ({ params: { simulationId } }, res) => {
      try {
        await runs.run(operationId, getAdmin(res).caller, { simulationId });
        res.redirect(303, SIMULATIONS_PATH);
      } catch (thrown) {
        await showSimulations(res, thrown);
      }
    });
  }
}

/** @param thrown the error of the requested action, if it failed */
async function showSimulations(res: Response, thrown?: unknown): Promise<void> {
  const { caller, person, formToken, language } = getAdmin(res);
  const { title, faults } = simulationsMessages[language];
  const fault = thrown === undefined ? undefined : toFormFaults(thrown, [], language, faults).whole;
  const openSimulations = await readOpen(res);
  const [simulations, isCut] = [openSimulations.slice(0, MAX_ITEMS), openSimulations.length > MAX_ITEMS];
  const [canApprove, canCancel] = [canCall(caller, 'approveSimulation'), canCall(caller, 'cancelSimulation')];
  const content = simulationsContent({
    language,
    formToken,
    adminId: person.id,
    canApprove,
    canCancel,
    simulations,
    isCut,
    fault,
  });
  const status = thrown === undefined ? 200 : getFailureStatus(thrown);
  sendConsolePage(res, { status, title, content });
}

function readOpen(res: Response): Promise<PersonResult<'listOpenSimulations'>> {
  return getAdmin(res).call('listOpenSimulations', { max: MAX_ITEMS + 1 });
}
