import type { Request, Response, Router } from 'express';
import type { Caller } from '../../../../auth/caller.ts';
import type { Schemas } from '../../../../contract/contract.ts';
import { getForm } from '../../../../http/body/form.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { emptyState } from '../../../shared/parts/empty-state.ts';
import { formFault, hiddenFields, newFormName, selectField, textField } from '../../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../../shared/parts/notice.ts';
import { cursorLinks } from '../../../shared/parts/page-links.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import { canCall, getAdmin } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../../form-faults.ts';
import { getFormats } from '../../overview/figure-formats.ts';
import { findLearnerId } from '../../people/people-query.ts';
import { toPersonPath } from '../../people/people-paths.ts';
import { exclusionsMessages } from './exclusions-messages.ts';
import { EXCLUSIONS_PATH, SIMULATION_SETTINGS_PATH } from './settings-page.ts';

type Exclusion = Schemas['SimulationExclusion'];
type ExclusionInput = Schemas['CreateSimulationExclusionInput'];

const FIELDS = ['email', 'groupId', 'from', 'to', 'note'] as const;

/** A form that was not saved. */
interface Rejected {
  form: URLSearchParams;
  faults: FormFaults;
  status: number;
}

/** Adds the page on which an admin excludes people, groups and days from simulations. */
export function addExclusionsPage(pages: Router, runs: ConsoleRuns): void {
  const path = '/simulations/settings/exclusions';
  pages.get(path, (req, res) => showExclusions(runs, req, res));
  pages.post(path, async (req, res) => {
    const { caller, language } = getAdmin(res);
    const form = getForm(req);
    const { unknown, oneKind } = exclusionsMessages[language];
    const reject = (faults: FormFaults, status = 400) => showExclusions(runs, req, res, { form, faults, status });
    try {
      const body = await readInput(runs, caller, form);
      if (body === 'nobody') return await reject({ fields: { email: unknown }, whole: undefined });
      if (body === undefined) return await reject({ fields: {}, whole: oneKind });
      await runs.run('createSimulationExclusion', caller, { body }, form.get('once') ?? '');
      redirectWithNotice(res, EXCLUSIONS_PATH, 'added');
    } catch (thrown) {
      await reject(toFormFaults(thrown, FIELDS, language), getFailureStatus(thrown));
    }
  });
  pages.post(`${path}/:simulationExclusionId/remove`, async ({ params: { simulationExclusionId } }, res) => {
    await runs.run('deleteSimulationExclusion', getAdmin(res).caller, { simulationExclusionId });
    redirectWithNotice(res, EXCLUSIONS_PATH, 'removed');
  });
}

/** @returns `nobody` for an address that no learner has; undefined unless exactly one kind of exclusion is filled in */
async function readInput(
  runs: ConsoleRuns,
  caller: Caller,
  form: URLSearchParams,
): Promise<ExclusionInput | 'nobody' | undefined> {
  const read = (name: (typeof FIELDS)[number]) => (form.get(name) ?? '').trim();
  const [email, groupId, from, to, note] = [read('email'), read('groupId'), read('from'), read('to'), read('note')];
  const hasDays = from !== '' || to !== '';
  if ([email !== '', groupId !== '', hasDays].filter(Boolean).length !== 1) return undefined;
  const rest = note === '' ? {} : { note };
  if (groupId !== '') return { groupId, ...rest };
  if (hasDays) return { from, to, ...rest };
  const learnerId = await findLearnerId(runs, caller, email);
  return learnerId === undefined ? 'nobody' : { learnerId, ...rest };
}

/** @param rejected the form that was not saved; omitted if there is none */
async function showExclusions(runs: ConsoleRuns, req: Request, res: Response, rejected?: Rejected): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const messages = exclusionsMessages[language];
  const cursor = typeof req.query.cursor === 'string' ? req.query.cursor : undefined;
  const { items, nextCursor } = await runs.page('listSimulationExclusions', caller, {}, cursor);
  const groups = canCall(caller, 'listGroups') ? (await runs.first('listGroups', caller)).items : [];
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  const names = new Map([...groupNames, ...(await readPeople(runs, caller, items))]);
  const canRemove = canCall(caller, 'deleteSimulationExclusion');
  const toRow = (exclusion: Exclusion) => [
    nameExclusion(exclusion, names, res),
    exclusion.note ?? '–',
    canRemove && removeForm(exclusion.id, formToken, messages.remove),
  ];
  const content = html`
    ${renderNotice(req, messages.notices)}
    <p>${messages.about}</p>
    ${
      items.length === 0
        ? emptyState(messages.none)
        : dataTable({ caption: messages.title, columns: messages.columns, rows: items.map(toRow) })
    }
    ${cursorLinks({ label: messages.pages, path: EXCLUSIONS_PATH, values: {}, cursor, nextCursor }, language)}
    ${canCall(caller, 'createSimulationExclusion') && addForm(groupNames, res, rejected)}
    <p><a href=${SIMULATION_SETTINGS_PATH}>${messages.back}</a></p>
    ${apiCalls([{ operationId: 'listSimulationExclusions' }, { operationId: 'createSimulationExclusion' }], language)}
  `;
  sendConsolePage(res, { status: rejected?.status ?? 200, title: messages.title, content });
}

/** Reads the names of the people on a page, if the role can. */
async function readPeople(
  runs: ConsoleRuns,
  caller: Caller,
  exclusions: readonly Exclusion[],
): Promise<[string, string][]> {
  if (!canCall(caller, 'getLearner')) return [];
  const ids = exclusions.flatMap(({ learnerId }) => learnerId ?? []);
  return Promise.all(
    ids.map(async (id) => [id, (await runs.run('getLearner', caller, { learnerId: id })).name] as [string, string]),
  );
}

function nameExclusion(
  { learnerId, groupId, from, to }: Exclusion,
  names: ReadonlyMap<string, string>,
  res: Response,
): Html | string {
  const { language } = getAdmin(res);
  const messages = exclusionsMessages[language];
  const { day } = getFormats(language);
  if (learnerId !== null) {
    return html`<a href=${toPersonPath(learnerId)}><bdi>${names.get(learnerId) ?? messages.aPerson}</bdi></a>`;
  }
  if (groupId !== null) return html`<bdi>${names.get(groupId) ?? messages.aGroup}</bdi>`;
  return messages.days(day(from!), day(to!));
}

function removeForm(id: string, formToken: string, text: string): Html {
  return html`<form method="post" action=${`${EXCLUSIONS_PATH}/${id}/remove`}>
    ${hiddenFields(formToken)}
    <button type="submit">${text}</button>
  </form>`;
}

function addForm(groupNames: ReadonlyMap<string, string>, res: Response, rejected: Rejected | undefined): Html {
  const { formToken, language } = getAdmin(res);
  const messages = exclusionsMessages[language];
  const { fields, whole } = rejected?.faults ?? NO_FAULTS;
  const typed = Object.fromEntries(rejected?.form ?? []);
  const options = [['', messages.noGroup] as const, ...groupNames];
  const email = { name: 'email', label: messages.email, hint: messages.emailHint, also: { type: 'email' } };
  return html`<h2>${messages.add}</h2>
    <form method="post" action=${EXCLUSIONS_PATH}>
      ${hiddenFields(formToken, newFormName())} ${formFault(whole)} ${textField(email, typed, fields)}
      ${selectField({ name: 'groupId', label: messages.group, options }, typed, fields)}
      ${textField({ name: 'from', label: messages.from, also: { type: 'date' } }, typed, fields)}
      ${textField({ name: 'to', label: messages.to, also: { type: 'date' } }, typed, fields)}
      ${textField({ name: 'note', label: messages.note }, typed, fields)}
      <button type="submit">${messages.addButton}</button>
    </form>`;
}
