// A change of one assignment, several assignments, or all assignments that match the list's filters.
//
// The list links to a page that shows whom the change affects and asks for the values that it needs. Its form names the
// assignments, or the filters. With filters, the assignments are read again when the form is submitted, and changed in
// batches of the size that the operation accepts. Each batch has its own one-time id, so that a form that is submitted
// twice acts once.
import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { notFound } from '../../../contract/errors.ts';
import { isId } from '../../../db/ids.ts';
import { getForm } from '../../../http/body/form.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import {
  type Faults,
  formFault,
  hiddenFields,
  newFormName,
  textField,
  type FieldValues,
} from '../../shared/parts/fields.ts';
import { redirectWithNotice } from '../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import { type ConsoleRuns, PAGE_SIZE } from '../console-runs.ts';
import { getFailureStatus, toFormFaults } from '../form-faults.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { type AssignmentAction, campaignPeopleMessages } from './campaign-people-messages.ts';
import { OPERATIONS, type PeopleFilter } from './campaign-people-page.ts';
import { toPeopleFilter } from './campaign-people-routes.ts';
import { toCampaignPath } from './campaigns-page.ts';

type Assignment = Schemas['Assignment'];

/** Maximum number of assignments that one call of an operation changes. */
const MAX_IDS = 10_000;
/** Number of names that the confirmation shows. */
const MAX_NAMES = 10;
/** Statuses whose assignments can all be changed together. */
const OF_ALL = ['open', 'overdue', 'waived'];

/** The assignments that a change affects: those with the given ids, or all that match the filters. */
interface Change {
  campaignId: string;
  action: AssignmentAction;
  ids: readonly string[];
  filter: PeopleFilter;
  isForAll: boolean;
}

/** Adds the confirmation page for a change of assignments, and its form. */
export function addAssignmentChangePages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/campaigns/:campaignId/change', async (req, res) => {
    const query = new URLSearchParams(req.originalUrl.split('?')[1] ?? '');
    await ask(runs, res, readChange(req.params.campaignId, query));
  });
  pages.post('/campaigns/:campaignId/change', async (req, res) => {
    const form = getForm(req);
    const change = readChange(req.params.campaignId, form);
    const typed = { until: form.get('until') ?? '', reason: form.get('reason') ?? '' };
    try {
      const count = await run(runs, res, change, { typed, once: form.get('once') ?? '' });
      redirectWithNotice(res, toPeoplePath(change), change.action, count);
    } catch (thrown) {
      await ask(runs, res, change, { typed, thrown });
    }
  });
}

/** @throws {ApiError} `not_found` for an unknown action */
function readChange(campaignId: string, fields: URLSearchParams): Change {
  const action = fields.get('action') ?? '';
  if (!Object.hasOwn(OPERATIONS, action)) throw notFound('page');
  const filter = toPeopleFilter((name) => fields.get(name));
  const isForAll = fields.get('which') === 'all' && OF_ALL.includes(filter.assignmentStatus ?? '');
  const ids = [...new Set(fields.getAll('assignmentId').filter(isId))];
  return { campaignId, action: action as AssignmentAction, ids: isForAll ? [] : ids, filter, isForAll };
}

function toPeoplePath({ campaignId, filter }: Change): string {
  const query = new URLSearchParams(filter as Record<string, string>).toString();
  return toCampaignPath(campaignId, query === '' ? '/people' : `/people?${query}`);
}

interface Entered {
  typed: FieldValues;
  once: string;
}

/** Changes the assignments in batches. Returns how many were changed. */
async function run(runs: ConsoleRuns, res: Response, change: Change, { typed, once }: Entered): Promise<number> {
  const { caller } = getAdmin(res);
  requireCall(caller, OPERATIONS[change.action]);
  await runs.run('getCampaign', caller, { campaignId: change.campaignId });
  const fields = {
    extend: { until: typed.until === '' ? null : typed.until },
    waive: { reason: typed.reason },
    ...{ remind: {}, restore: {} },
  }[change.action];
  let count = 0;
  let batch = 0;
  for await (const assignmentIds of findBatches(runs, res, change)) {
    const body = { assignmentIds, ...fields };
    const name = `${once}-${batch++}`;
    const { changedIds } = await runs.run(OPERATIONS[change.action], caller, { body }, name);
    count += changedIds.length;
  }
  return count;
}

async function* findBatches(runs: ConsoleRuns, res: Response, change: Change): AsyncGenerator<string[]> {
  if (!change.isForAll) {
    if (change.ids.length > 0) yield [...change.ids];
    return;
  }
  const input = { campaignId: change.campaignId, ...change.filter };
  let ids: string[] = [];
  for await (const { id } of runs.items('listAssignments', getAdmin(res).caller, input)) {
    ids.push(id);
    if (ids.length < MAX_IDS) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}

async function ask(
  runs: ConsoleRuns,
  res: Response,
  change: Change,
  refused?: { typed: FieldValues; thrown: unknown },
): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const { campaignId, action, ids, filter, isForAll } = change;
  requireCall(caller, OPERATIONS[action]);
  const campaign = await runs.run('getCampaign', caller, { campaignId });
  const messages = campaignPeopleMessages[language];
  const { title, about, button } = messages.actions[action];
  const found = await readFound(runs, res, change);
  const faults = refused === undefined ? {} : toFaults(refused.thrown, res);
  const typed = refused?.typed ?? {};
  const isEmpty = found.named.length === 0;
  const hidden = html`
    ${hiddenFields(formToken, newFormName())}
    <input type="hidden" name="action" value=${action} />
    ${isForAll && html`<input type="hidden" name="which" value="all" />`}
    ${Object.entries(filter).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    ${ids.map((id) => html`<input type="hidden" name="assignmentId" value=${id} />`)}
  `;
  const question = () =>
    confirmation({
      about: html`<p>${about}</p>
        ${renderFound(found, language)}`,
      action: toCampaignPath(campaign.id, '/change'),
      hidden: html`${hidden} ${formFault(faults.whole)}`,
      fields: renderFields(action, typed, faults, language),
      button,
      keep: { href: toPeoplePath(change), text: messages.keep },
    });
  const content = html`
    <p><bdi>${campaign.name}</bdi></p>
    ${
      isEmpty
        ? html`<p>${isForAll ? messages.none : messages.nobody}</p>
            <p><a href=${toPeoplePath(change)}>${messages.back}</a></p>`
        : question()
    }
    ${apiCalls([{ operationId: OPERATIONS[action] }], language)}
  `;
  sendConsolePage(res, { title, content, status: refused ? getFailureStatus(refused.thrown) : 200 });
}

/** The assignments of a change: some names, and the total number (null if unknown). */
interface SelectedAssignments {
  named: readonly string[];
  count: number | null;
}

async function readFound(
  runs: ConsoleRuns,
  res: Response,
  { campaignId, ids, filter, isForAll }: Change,
): Promise<SelectedAssignments> {
  const { caller } = getAdmin(res);
  const toName = ({ learner }: Pick<Assignment, 'learner'>) => learner.name;
  if (!isForAll) {
    const shown = ids.slice(0, MAX_NAMES);
    const all = await Promise.all(shown.map((assignmentId) => runs.run('getAssignment', caller, { assignmentId })));
    return { named: all.map(toName), count: ids.length };
  }
  const { items, nextCursor } = await runs.page('listAssignments', caller, { campaignId, ...filter });
  const named = items.slice(0, MAX_NAMES).map(toName);
  if (nextCursor === null) return { named, count: items.length };
  const isOverdue = filter.assignmentStatus === 'overdue' && filter.groupId === undefined;
  if (!isOverdue) return { named, count: null };
  const report = await runs.page('getCampaignReport', caller, { campaignId });
  return { named, count: report.items[0]?.overdue ?? null };
}

function renderFound({ named, count }: SelectedAssignments, language: Parameters<typeof getFormats>[0]): Html {
  const messages = campaignPeopleMessages[language];
  const { number } = getFormats(language);
  const shown = count === null ? `> ${number(PAGE_SIZE)}` : number(count);
  const left = count === null ? null : count - named.length;
  return html`
    <p><strong>${messages.count(shown)}</strong></p>
    <ul>
      ${named.map((name) => html`<li><bdi>${name}</bdi></li>`)}
      ${left !== 0 && html`<li>${left === null ? '…' : messages.more(number(left))}</li>`}
    </ul>
  `;
}

function renderFields(
  action: AssignmentAction,
  typed: FieldValues,
  faults: Faults,
  language: Parameters<typeof getFormats>[0],
) {
  const messages = campaignPeopleMessages[language];
  if (action === 'extend') {
    const field = { name: 'until', label: messages.until, hint: messages.untilHint, also: { type: 'date' } };
    return textField(field, typed, faults);
  }
  if (action !== 'waive') return html``;
  const also = { required: true, maxlength: '500', autocomplete: 'off' };
  return textField({ name: 'reason', label: messages.reason, hint: messages.reasonHint, also }, typed, faults);
}

/** @throws {unknown} the given error, if the form cannot show it */
function toFaults(thrown: unknown, res: Response): Faults {
  const { language } = getAdmin(res);
  const messages = campaignPeopleMessages[language];
  const fields = publicError(thrown).details.map(({ field }) => field.split('/')[1]);
  if (fields.includes('until')) return { until: messages.untilFault };
  if (fields.includes('reason')) return { reason: messages.reasonFault };
  return { whole: toFormFaults(thrown, [], language).whole ?? '' };
}
