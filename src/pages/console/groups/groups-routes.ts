import type { Request, Response, Router } from 'express';
import type { Caller } from '../../../auth/caller.ts';
import { getForm } from '../../../http/body/form.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { newFormName } from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { toIfMatch, toVersion } from '../form-version.ts';
import { findLearnerId } from '../people/people-query.ts';
import { groupsMessages } from './groups-messages.ts';
import { deleteContent, groupContent, groupsContent, GROUPS_PATH, toGroupPath } from './groups-page.ts';

/** A form that was not saved. */
interface Rejected {
  form: URLSearchParams;
  faults: FormFaults;
  status: number;
}

/** Adds the pages on which an admin creates, renames and deletes groups, and sets their managers. */
export function addGroupsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/groups', (req, res) => showGroups(runs, req, res));
  pages.post('/groups', async (req, res) => {
    const form = getForm(req);
    try {
      const body = { name: form.get('name') ?? '' };
      const { id } = await runs.run('createGroup', getAdmin(res).caller, { body }, form.get('once') ?? '');
      redirectWithNotice(res, toGroupPath(id), 'created');
    } catch (thrown) {
      await showGroups(runs, req, res, toRejected(res, form, thrown));
    }
  });
  pages.get('/groups/:groupId', (req, res) => showGroup(runs, req, res, req.params.groupId));
  pages.post('/groups/:groupId', async (req, res) => {
    const { groupId } = req.params;
    const form = getForm(req);
    try {
      const unknown = await saveGroup(runs, getAdmin(res).caller, groupId, form);
      if (unknown.length === 0) return redirectWithNotice(res, toGroupPath(groupId), 'saved');
      const managers = groupsMessages[getAdmin(res).language].unknown(unknown.join(', '));
      await showGroup(runs, req, res, groupId, {
        form,
        faults: { fields: { managers }, whole: undefined },
        status: 400,
      });
    } catch (thrown) {
      if (isConflict(thrown)) return redirectWithNotice(res, toGroupPath(groupId), 'conflict');
      await showGroup(runs, req, res, groupId, toRejected(res, form, thrown));
    }
  });
  pages.get('/groups/:groupId/delete', async ({ params: { groupId } }, res) => {
    requireCall(getAdmin(res).caller, 'deleteGroup');
    const view = await readView(runs, res, groupId);
    sendConsolePage(res, { title: groupsMessages[view.language].deleteTitle, content: deleteContent(view) });
  });
  pages.post('/groups/:groupId/delete', async (req, res) => {
    const { groupId } = req.params;
    try {
      const condition = { groupId, ifMatch: toIfMatch(getForm(req).get('version') ?? '') };
      await runs.run('deleteGroup', getAdmin(res).caller, condition);
      redirectWithNotice(res, GROUPS_PATH, 'deleted');
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
      redirectWithNotice(res, toGroupPath(groupId), 'conflict');
    }
  });
}

const isConflict = (thrown: unknown): boolean => publicError(thrown).code === 'changed_meanwhile';

function toRejected(res: Response, form: URLSearchParams, thrown: unknown): Rejected {
  const { language } = getAdmin(res);
  const { codes } = groupsMessages[language];
  return { form, faults: toFormFaults(thrown, ['name'], language, codes), status: getFailureStatus(thrown) };
}

/**
 * Saves the name and the managers of a group if they differ from the stored ones.
 * @returns the entered e-mail addresses that nobody has; if there are any, nothing is saved
 */
async function saveGroup(runs: ConsoleRuns, caller: Caller, groupId: string, form: URLSearchParams): Promise<string[]> {
  const condition = { groupId, ifMatch: toIfMatch(form.get('version') ?? '') };
  const name = form.get('name') ?? '';
  const addresses = [...new Set((form.get('managers') ?? '').split(/[\s,;]+/).filter(Boolean))];
  const found = new Map<string, string | undefined>();
  for (const address of addresses) found.set(address, await findLearnerId(runs, caller, address));
  const unknown = addresses.filter((address) => found.get(address) === undefined);
  if (unknown.length > 0) return unknown;
  const group = await runs.run('getGroup', caller, { groupId });
  const managerIds = [...new Set(found.values())] as string[];
  const isOther =
    managerIds.toSorted().join() !==
    group.managers
      .map(({ id }) => id)
      .toSorted()
      .join();
  // Only the first operation sends `If-Match`: it changes the version, so the second one would fail with it.
  const isRenamed = name !== group.name;
  if (isRenamed) await runs.run('updateGroup', caller, { ...condition, body: { name } });
  const rest = isRenamed ? { groupId } : condition;
  if (isOther) await runs.run('setGroupManagers', caller, { ...rest, body: { managerIds } });
  return [];
}

/** @param rejected the form that was not saved; omitted if there is none */
async function showGroups(runs: ConsoleRuns, req: Request, res: Response, rejected?: Rejected): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  const { title, notices } = groupsMessages[language];
  const cursor = typeof req.query.cursor === 'string' ? req.query.cursor : undefined;
  const { items: groups, nextCursor } = await runs.page('listGroups', caller, {}, cursor);
  const content = groupsContent({
    ...{ language, caller, formToken, groups, cursor, nextCursor, once: newFormName() },
    notice: renderNotice(req, notices),
    typed: { name: rejected?.form.get('name') ?? '' },
    faults: rejected?.faults ?? NO_FAULTS,
  });
  sendConsolePage(res, { status: rejected?.status ?? 200, title, content });
}

async function showGroup(
  runs: ConsoleRuns,
  req: Request,
  res: Response,
  groupId: string,
  rejected?: Rejected,
): Promise<void> {
  const { group, ...view } = await readView(runs, res, groupId);
  const stored = { name: group.name, managers: group.managers.map(({ email }) => email).join('\n') };
  const content = groupContent({
    ...{ ...view, group },
    notice: renderNotice(req, groupsMessages[view.language].notices),
    typed: rejected ? Object.fromEntries(rejected.form) : stored,
    faults: rejected?.faults ?? NO_FAULTS,
    version: rejected?.form.get('version') ?? view.version,
  });
  sendConsolePage(res, { status: rejected?.status ?? 200, title: group.name, content });
}

/** Reads a group with its version, which also covers the members. */
async function readView(runs: ConsoleRuns, res: Response, groupId: string) {
  const { caller, formToken, language } = getAdmin(res);
  const group = await runs.run('getGroup', caller, { groupId });
  return { language, caller, formToken, group, version: toVersion(group) };
}
