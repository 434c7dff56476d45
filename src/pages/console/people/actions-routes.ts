import type { Request, Response, Router } from 'express';
import { notFound } from '../../../contract/errors.ts';
import { operations, type Input } from '../../../contract/contract.ts';
import { requireOurSite } from '../../../http/html/form-guard.ts';
import { getForm } from '../../../http/body/form.ts';
import { sendList } from '../../../http/response/send-list.ts';
import type { Caller } from '../../../auth/caller.ts';
import { newFormName, type SelectItem } from '../../shared/parts/fields.ts';
import { redirectWithNotice } from '../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { getFailureStatus, toFormFaults } from '../form-faults.ts';
import { actionsMessages } from './actions-messages.ts';
import {
  exportContent,
  noPreviewContent,
  outcomeContent,
  previewContent,
  type PreviewView,
  targetContent,
} from './actions-page.ts';
import { type Action, type ActionOutcome, getOperation, getTarget, listActions, runAction } from './people-actions.ts';
import { PEOPLE_PATH } from './people-paths.ts';
import { readSearch, toListInput } from './people-query.ts';
import { findPeople, readSelection, type Selection, unpackIds } from './people-selection.ts';

/**
 * Adds the actions on several people. A preview runs the operation as a dry run, so that its counts match the action.
 * Its form names the previewed people, so that the action affects nobody else.
 */
export function addActionsPages(pages: Router, runs: ConsoleRuns): void {
  // The preview runs the operation, so no other site is allowed to open it.
  pages.get('/people/actions', requireOurSite, (req, res) => showAction(runs, req, res));
  pages.post('/people/actions', (req, res) => doAction(runs, req, res));
  pages.get('/people/export', (req, res) => sendPeople(runs, req, res));
}

/** @throws {ApiError} `not_found` for an unknown action, `insufficient_scope` for one that the role lacks */
function readAction(name: string | null, caller: Caller): Action {
  const action = Object.keys(actionsMessages.en.actions).find((one) => one === name) as Action | undefined;
  if (action === undefined) throw notFound('page');
  if (!listActions(caller).includes(action)) requireCall(caller, getOperation(action));
  return action;
}

function toBackPath({ filters }: Selection): string {
  const search = new URLSearchParams(filters as Record<string, string>).toString();
  return PEOPLE_PATH + (search && `?${search}`);
}

async function showAction(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const search = readSearch(req);
  const action = readAction(search.get('action'), caller);
  const selection = readSelection(search, caller);
  const back = toBackPath(selection);
  const page = { title: actionsMessages[language].actions[action] };
  if (selection.chosenIds?.length === 0) {
    const content = noPreviewContent('nobodyChosen', back, language);
    return sendConsolePage(res, { ...page, content, status: 400 });
  }
  if (action === 'export') return sendConsolePage(res, { ...page, content: exportContent(selection, back, language) });
  const options = await readTargets(runs, caller, action);
  const target = options.find(([id]) => id === search.get('target'));
  if (getTarget(action) !== undefined && target === undefined) {
    const content = targetContent({ action, selection, options }, back, language);
    return sendConsolePage(res, { ...page, content });
  }
  const learnerIds = await findPeople(runs, caller, selection);
  if (learnerIds === undefined) {
    const content = noPreviewContent('tooMany', back, language);
    return sendConsolePage(res, { ...page, content, status: 400 });
  }
  await showPreview(runs, res, { action, target: target?.[0] ?? '', targetName: target?.[1], learnerIds, back });
}

type Requested = Pick<PreviewView, 'action' | 'target' | 'targetName' | 'learnerIds' | 'back'>;

async function showPreview(runs: ConsoleRuns, res: Response, requested: Requested): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  const once = newFormName();
  const shared = { ...requested, language, formToken, once };
  const title = actionsMessages[language].actions[requested.action];
  try {
    const outcome = await runAction(runs, caller, { ...requested, learnerIds: [...requested.learnerIds] });
    const names = await readNames(runs, caller, outcome);
    sendConsolePage(res, { title, content: previewContent({ ...shared, outcome, names }), width: 'wide' });
  } catch (thrown) {
    const fault = toFormFaults(thrown, [], language).whole;
    const outcome = { changedIds: [], leftOut: [] };
    const content = previewContent({ ...shared, outcome, names: new Map(), fault });
    sendConsolePage(res, { title, content, status: getFailureStatus(thrown) });
  }
}

async function doAction(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const form = getForm(req);
  const action = readAction(form.get('action'), caller);
  if (action === 'export') throw notFound('page');
  const learnerIds = unpackIds(form.get('people') ?? '');
  const target = form.get('target') ?? '';
  const outcome = await runAction(runs, caller, { action, target, learnerIds }, form.get('once') ?? '');
  if (outcome.leftOut.length === 0) return redirectWithNotice(res, PEOPLE_PATH, 'done', outcome.changedIds.length);
  const names = await readNames(runs, caller, outcome);
  const content = outcomeContent(outcome, names, PEOPLE_PATH, language);
  sendConsolePage(res, { title: actionsMessages[language].actions[action], content, width: 'wide' });
}

/** Reads the courses or the groups to which an action can apply. */
async function readTargets(runs: ConsoleRuns, caller: Caller, action: Action): Promise<readonly SelectItem[]> {
  const target = getTarget(action);
  if (target === undefined) return [];
  const { items } = await (target === 'course' ? runs.first('listCourses', caller) : runs.first('listGroups', caller));
  return items.map(({ id, name }) => [id, name] as const);
}

/** Maximum number of names that a preview shows. */
const MAX_NAMES = 50;

async function readNames(runs: ConsoleRuns, caller: Caller, { leftOut }: ActionOutcome): Promise<Map<string, string>> {
  const ids = [...new Set(leftOut.map(({ learnerId }) => learnerId))].slice(0, MAX_NAMES);
  const names = new Map<string, string>();
  if (ids.length === 0) return names;
  for await (const { id, name } of runs.items('listLearners', caller, { ids })) names.set(id, name);
  return names;
}

/** Sends the selected people as CSV, row by row. */
async function sendPeople(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller } = getAdmin(res);
  const { chosenIds, filters } = readSelection(readSearch(req), caller);
  const input: Input<'listLearners'> | undefined = chosenIds
    ? { ids: [...chosenIds] }
    : await toListInput(runs, caller, filters);
  const people = input && (await runs.run('listLearners', caller, input));
  await sendList(
    res,
    people ?? [],
    { type: 'text/csv', hasMark: true, fileName: 'people.csv' },
    operations.listLearners.list,
  );
}
