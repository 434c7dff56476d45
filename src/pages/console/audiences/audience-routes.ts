import type { Request, Response, Router } from 'express';
import { notFound } from '../../../contract/errors.ts';
import type { Language } from '../../../contract/languages.ts';
import { getForm } from '../../../http/body/form.ts';
import type { SelectItem } from '../../shared/parts/fields.ts';
import { type Notices, redirectWithNotice } from '../../shared/parts/notice.ts';
import { canCall, getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { getFailureStatus, toFormFaults } from '../form-faults.ts';
import { actionMessages, type ItemKind } from './action-messages.ts';
import { audienceMessages } from './audience-messages.ts';
import { audienceContent, type AudienceView, previewContent } from './audience-page.ts';
import { type Audience, findPeople, MAX_OF_CALL, OPERATIONS, readAudience, runTask } from './people-of-item.ts';

const ACTIONS = ['assign', 'remind', 'withdraw'] as const;

/** A kind of item whose people are chosen, enrolled or reminded on these pages. */
export interface ItemPages {
  kind: ItemKind;
  /** Path of the list, below which each item has a page. */
  base: string;
  /** Reads the name of an item. @throws {ApiError} `not_found` */
  readName: (res: Response, itemId: string) => Promise<string>;
}

/** Returns the notices that the page of an item shows after an action on its people. */
export function listPeopleNotices(kind: ItemKind, language: Language): Notices {
  const texts = actionMessages[language][kind];
  return Object.fromEntries(
    ACTIONS.map((action) => [`people-${action}`, (count: number) => texts[action].done(count)]),
  );
}

/** Adds the pages on which people are assigned to an item, reminded of it, and removed from it. */
export function addAudiencePages(pages: Router, runs: ConsoleRuns, items: ItemPages): void {
  const path = `${items.base.replace('/console', '')}/:itemId/people/:action`;
  pages.get(path, async (req, res) => {
    const audience = readAudience(new URL(req.originalUrl, 'http://localhost').searchParams);
    if (audience?.chosenIds?.length !== 0) return showPage(runs, req, res, items, { audience });
    const fault = audienceMessages[getAdmin(res).language].nobodyChosen;
    return showPage(runs, req, res, items, { fault, status: 400 });
  });
  pages.post(path, (req, res) => act(runs, req, res, items));
}

interface Shown {
  audience?: Audience | undefined;
  fault?: string | undefined;
  status?: number;
}

function readTask(req: Request, { kind }: ItemPages) {
  const action = ACTIONS.find((one) => one === req.params.action);
  if (!action) throw notFound('page');
  return { kind, itemId: (req.params.itemId as string).toLowerCase(), action };
}

async function showPage(
  runs: ConsoleRuns,
  req: Request,
  res: Response,
  items: ItemPages,
  { audience, fault, status = 200 }: Shown,
): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  const task = readTask(req, items);
  requireCall(caller, OPERATIONS[task.kind][task.action]);
  requireCall(caller, 'listLearners');
  const name = await items.readName(res, task.itemId);
  const title = actionMessages[language][task.kind][task.action].title(name);
  const groups = await readGroups(runs, res);
  const view = toView(task, items, { language, fault });
  if (!audience) return sendConsolePage(res, { title, content: audienceContent(view, groups), status });
  const parts = await findPeople(runs, caller, audience);
  const people = parts.reduce((sum, part) => sum + part.length, 0);
  const outcome = people > MAX_OF_CALL ? undefined : await runTask(runs, caller, task, { parts, dryRun: true });
  const groupName = groups.find(([id]) => id === audience.groupId)?.[1];
  const content = previewContent({ ...view, formToken, audience, groupName, people, outcome });
  sendConsolePage(res, { title, content, status });
}

function toView(
  task: AudienceView['task'],
  { base }: ItemPages,
  { language, fault }: Pick<AudienceView, 'language' | 'fault'>,
): AudienceView {
  const back = `${base}/${task.itemId}`;
  return { language, task, back, path: `${back}/people/${task.action}`, fault };
}

async function readGroups(runs: ConsoleRuns, res: Response): Promise<SelectItem[]> {
  const { caller } = getAdmin(res);
  if (!canCall(caller, 'listGroups')) return [];
  return (await runs.first('listGroups', caller)).items.map(({ id, name }) => [id, name] as const);
}

async function act(runs: ConsoleRuns, req: Request, res: Response, items: ItemPages): Promise<void> {
  const { caller, language } = getAdmin(res);
  const task = readTask(req, items);
  requireCall(caller, OPERATIONS[task.kind][task.action]);
  const audience = readAudience(getForm(req)) ?? { chosenIds: [] };
  try {
    const parts = await findPeople(runs, caller, audience);
    const { changed } = await runTask(runs, caller, task, { parts, dryRun: false });
    redirectWithNotice(res, `${items.base}/${task.itemId}`, `people-${task.action}`, changed);
  } catch (thrown) {
    const fault = toFormFaults(thrown, [], language).whole;
    await showPage(runs, req, res, items, { fault, status: getFailureStatus(thrown) });
  }
}
