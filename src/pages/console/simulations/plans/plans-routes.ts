import type { Request, Response, Router } from 'express';
import type { Schemas } from '../../../../contract/contract.ts';
import { notFound } from '../../../../contract/errors.ts';
import { getForm } from '../../../../http/body/form.ts';
import { loadAsset } from '../../../../http/html/assets.ts';
import { html } from '../../../../http/html/html.ts';
import { toIfMatch, toVersion } from '../../form-version.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { emptyState } from '../../../shared/parts/empty-state.ts';
import { newFormName } from '../../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../../shared/parts/notice.ts';
import { pageLinks } from '../../../shared/parts/page-links.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import { canCall, getAdmin, requireCall } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../../form-faults.ts';
import { getFormats } from '../../overview/figure-formats.ts';
import { newPlan, planForm, type PlanInput, readPlanForm, toPlanBody, toPlanFaults, toPlanInput } from './plan-form.ts';
import { readChoices, readTemplateNames } from './plan-reading.ts';
import { plansMessages } from './plans-messages.ts';
import { verdictMessages } from './verdict-messages.ts';
import { formatTime, SIMULATION_LIST_PATH, simulationContent, toSimulationPath } from './simulation-page.ts';

export const LIVE_SCRIPT = loadAsset(new URL('../assets/live.js', import.meta.url));

const NEW_PATH = '/console/simulations/new';
const toText = (value: unknown) => (typeof value === 'string' ? value : '');
const toId = (req: Request) => req.params.simulationId as string;

/** Adds the pages on which simulations are planned, tested, scheduled and watched. */
export function addPlansPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/simulations/all', (req, res) => showAll(runs, req, res));
  pages.get('/simulations/new', async (req, res) => {
    const { caller } = getAdmin(res);
    requireCall(caller, 'createSimulation');
    const { timeZone } = await runs.run('getCompanySettings', caller, {});
    const template = toText(req.query.template);
    await showForm(runs, res, { input: newPlan(new Date(), timeZone ?? 'UTC', template === '' ? [] : [template]) });
  });
  pages.post('/simulations/new', (req, res) => create(runs, req, res));
  pages.get('/simulations/:simulationId', (req, res) => showSimulation(runs, req, res));
  pages.get('/simulations/:simulationId/interactions', (req, res) => showInteractions(runs, req, res));
  pages.get('/simulations/:simulationId/edit', async (req, res) => {
    requireCall(getAdmin(res).caller, 'updateSimulation');
    const { overview, version } = await readTagged(runs, req, res);
    if (overview.plan === null) throw notFound('page');
    await showForm(runs, res, { input: toPlanInput(overview), id: overview.id, version });
  });
  pages.post('/simulations/:simulationId/edit', (req, res) => update(runs, req, res));
  pages.post('/simulations/:simulationId/test', async (req, res) => {
    const form = getForm(req);
    const templateId = form.get('templateId');
    const input = { simulationId: toId(req), body: templateId ? { templateId } : {} };
    await act(runs, req, res, 'tested', () =>
      runs.run('sendSimulationTestMessage', getAdmin(res).caller, input, form.get('once') ?? ''),
    );
  });
  pages.post('/simulations/:simulationId/schedule', async (req, res) => {
    const input = { simulationId: toId(req) };
    await act(runs, req, res, 'scheduled', () => runs.run('scheduleSimulation', getAdmin(res).caller, input));
  });
  pages.post('/simulations/:simulationId/delete', async (req, res) => {
    await runs.run('deleteSimulation', getAdmin(res).caller, { simulationId: toId(req) });
    redirectWithNotice(res, SIMULATION_LIST_PATH, 'removed');
  });
}

async function showAll(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const messages = plansMessages[language];
  const { number } = getFormats(language);
  const cursor = toText(req.query.cursor);
  const { items, nextCursor } = await runs.page('listSimulations', caller, {}, cursor || undefined);
  const canPlan = canCall(caller, 'createSimulation');
  const [name, status, ...counts] = messages.head;
  const content = html`
    ${renderNotice(req, messages.notices)}
    <p>${messages.allAbout}</p>
    ${canPlan && html`<p><a class="button" href=${NEW_PATH}>${messages.newPlan}</a></p>`}
    ${
      items.length === 0
        ? emptyState(messages.none)
        : dataTable({
            caption: messages.list,
            columns: [name, status, ...counts.map((one) => ({ name: one, isNumber: true }))],
            rows: items.map((one) => [
              html`<a href=${toSimulationPath(one.id)}>${one.name}</a>`,
              messages.statuses[one.status] ?? one.status,
              ...[one.sentCount, one.reportCount, one.visitCount].map(number),
            ]),
          })
    }
    ${pageLinks({
      label: messages.list,
      first: cursor !== '' && { href: SIMULATION_LIST_PATH, text: messages.first },
      next: nextCursor !== null && {
        href: `${SIMULATION_LIST_PATH}?cursor=${encodeURIComponent(nextCursor)}`,
        text: messages.next,
      },
    })}
    ${apiCalls([{ operationId: 'listSimulations' }], language)}
  `;
  sendConsolePage(res, { title: messages.all, content, width: 'wide' });
}

interface ShownForm {
  input: PlanInput;
  /** The draft, if it exists already. */
  id?: string;
  version?: string;
  faults?: FormFaults;
  status?: number;
}

async function showForm(
  runs: ConsoleRuns,
  res: Response,
  { input, id, version, faults, status = 200 }: ShownForm,
): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const messages = plansMessages[language];
  const choices = await readChoices(runs, caller, language);
  const once = id === undefined ? newFormName() : undefined;
  const action = id === undefined ? NEW_PATH : `${toSimulationPath(id)}/edit`;
  const content = planForm({ language, formToken, once, version, action, input, choices, faults: faults ?? NO_FAULTS });
  const title = id === undefined ? messages.newPlan : messages.editTitle(input.typed.name ?? '');
  sendConsolePage(res, { status, title, content });
}

async function create(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const form = getForm(req);
  const input = readPlanForm(form);
  try {
    const { id } = await runs.run('createSimulation', caller, { body: toPlanBody(input) }, form.get('once') ?? '');
    redirectWithNotice(res, toSimulationPath(id), 'saved');
  } catch (thrown) {
    await showForm(runs, res, { input, faults: toPlanFaults(thrown, language), status: getFailureStatus(thrown) });
  }
}

async function update(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const form = getForm(req);
  const [input, id, version] = [readPlanForm(form), toId(req), form.get('version') ?? ''];
  try {
    const change = { simulationId: id, body: toPlanBody(input), ifMatch: toIfMatch(version) };
    await runs.run('updateSimulation', caller, change);
    redirectWithNotice(res, toSimulationPath(id), 'saved');
  } catch (thrown) {
    const refused = { faults: toPlanFaults(thrown, language), status: getFailureStatus(thrown) };
    await showForm(runs, res, { input, id, version, ...refused });
  }
}

/** Reads a draft with its version, which `If-Match` needs. */
async function readTagged(runs: ConsoleRuns, req: Request, res: Response) {
  const data = await runs.run('getSimulation', getAdmin(res).caller, { simulationId: toId(req) });
  return { overview: data, version: toVersion(data) };
}

/** Acts on a simulation and shows it again, with the fault if there is one. */
async function act(
  runs: ConsoleRuns,
  req: Request,
  res: Response,
  notice: 'tested' | 'scheduled',
  action: () => Promise<unknown>,
): Promise<void> {
  try {
    await action();
  } catch (thrown) {
    const { language } = getAdmin(res);
    const { domainMissing } = plansMessages[language];
    const { whole } = toFormFaults(thrown, [], language, { domain_not_proved: domainMissing });
    return showSimulation(runs, req, res, { fault: whole, status: getFailureStatus(thrown) });
  }
  redirectWithNotice(res, toSimulationPath(toId(req)), notice);
}

async function showSimulation(
  runs: ConsoleRuns,
  req: Request,
  res: Response,
  { fault, status = 200 }: { fault?: string | undefined; status?: number } = {},
): Promise<void> {
  const { caller, person, formToken, language } = getAdmin(res);
  const simulationId = toId(req);
  const cursor = toText(req.query.cursor) || undefined;
  const { items, data, nextCursor } = await runs.page('getSimulation', caller, { simulationId }, cursor);
  const simulation = data;
  const isOwn = simulation.plan !== null;
  const isOpen = ['draft', 'scheduled', 'running'].includes(simulation.status);
  const calendar = isOwn && isOpen ? await runs.run('getSimulationCalendar', caller, { simulationId }) : undefined;
  const { simulations } = await runs.run('getSimulationTrendReport', caller, {});
  const content = simulationContent({
    ...{ language, formToken, once: newFormName(), simulation, calendar, email: person.email, fault },
    templateNames: await readTemplateNames(runs, caller, simulation.plan?.templateIds ?? []),
    recipients: items as unknown as Schemas['SimulationRecipient'][],
    nextRecipients:
      nextCursor === null ? undefined : `${toSimulationPath(simulationId)}?cursor=${encodeURIComponent(nextCursor)}`,
    firstReportMinutes: simulations.find(({ id }) => id === simulation.id)?.firstReportMinutes ?? null,
    can: {
      edit: canCall(caller, 'updateSimulation'),
      test: canCall(caller, 'sendSimulationTestMessage'),
      schedule: canCall(caller, 'scheduleSimulation'),
      cancel: canCall(caller, 'cancelSimulation'),
      remove: canCall(caller, 'deleteSimulation'),
      interactions: canCall(caller, 'listSimulationInteractions'),
    },
    notice: renderNotice(req, plansMessages[language].notices),
  });
  const live = isOpen ? { scripts: [LIVE_SCRIPT.path], also: { 'connect-src': "'self'" } } : {};
  sendConsolePage(res, { status, title: simulation.name, content, width: 'wide', ...live });
}

/** Shows the verdict on each open and click with its reasons. */
async function showInteractions(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const [messages, verdicts] = [plansMessages[language], verdictMessages[language]];
  const simulationId = toId(req);
  const cursor = toText(req.query.cursor) || undefined;
  const { items, nextCursor } = await runs.page('listSimulationInteractions', caller, { simulationId }, cursor);
  const path = `${toSimulationPath(simulationId)}/interactions`;
  const content = html`
    <p><a href=${toSimulationPath(simulationId)}>${messages.results}</a></p>
    <p>${verdicts.interactionsAbout}</p>
    ${
      items.length === 0
        ? emptyState(messages.nobodyYet)
        : dataTable({
            caption: verdicts.interactions,
            columns: verdicts.interactionsHead,
            rows: items.map(({ occurredAt, type, verdict, reasons, counted }) => [
              ...[formatTime(occurredAt), verdicts.kinds[type] ?? type, verdicts.verdicts[verdict] ?? verdict],
              reasons.map((reason) => verdicts.reasons[reason] ?? reason).join(', ') || '–',
              counted ? messages.yes : messages.no,
            ]),
          })
    }
    ${pageLinks({
      label: verdicts.interactions,
      first: cursor !== undefined && { href: path, text: messages.first },
      next: nextCursor !== null && { href: `${path}?cursor=${encodeURIComponent(nextCursor)}`, text: messages.next },
    })}
    ${apiCalls([{ operationId: 'listSimulationInteractions', path: { simulationId } }], language)}
  `;
  sendConsolePage(res, { title: verdicts.interactions, content, width: 'wide' });
}
