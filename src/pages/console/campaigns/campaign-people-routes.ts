import type { Request, Router } from 'express';
import type { Caller } from '../../../auth/caller.ts';
import { isId } from '../../../db/ids.ts';
import type { SelectItem } from '../../shared/parts/fields.ts';
import { renderNotice } from '../../shared/parts/notice.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { readItemName } from './campaign-choices.ts';
import { campaignPeopleMessages } from './campaign-people-messages.ts';
import { ASSIGNMENT_STATUSES, campaignPeopleContent, type PeopleFilter } from './campaign-people-page.ts';
import { readText } from './read-query.ts';

/** Adds the page with the assignments of a campaign. */
export function addCampaignPeoplePages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/campaigns/:campaignId/people', async (req, res) => {
    const { caller, modules, language } = getAdmin(res);
    const campaign = await runs.run('getCampaign', caller, { campaignId: req.params.campaignId });
    const filter = readPeopleFilter(req);
    const cursor = readText(req, 'cursor');
    const input = { campaignId: campaign.id, ...filter };
    const [{ items: assignments, nextCursor }, groups] = await Promise.all([
      runs.page('listAssignments', caller, input, cursor),
      readGroups(runs, caller),
    ]);
    const items = new Map(assignments.map(({ item }) => [item.id, item]));
    const names = [...items.values()].map(
      async (item) => [item.id, await readItemName({ runs, caller, modules }, item)] as const,
    );
    const messages = campaignPeopleMessages[language];
    const content = campaignPeopleContent({
      ...{ language, caller, campaign, filter, groups, assignments, nextCursor },
      notice: renderNotice(req, messages.notices),
      itemNames: new Map(await Promise.all(names)),
      isFirstPage: cursor === undefined,
    });
    sendConsolePage(res, { title: messages.title, content, width: 'wide' });
  });
}

async function readGroups(runs: ConsoleRuns, caller: Caller): Promise<SelectItem[]> {
  if (!canCall(caller, 'listGroups')) return [];
  return (await runs.first('listGroups', caller)).items.map(({ id, name }) => [id, name]);
}

/** Reads the filters of the list from a URL. */
function readPeopleFilter(req: Pick<Request, 'query'>): PeopleFilter {
  return toPeopleFilter((name) => readText(req, name));
}

/** Returns the filters that the operation accepts. Others are left out. */
export function toPeopleFilter(read: (name: string) => string | null | undefined): PeopleFilter {
  const status = ASSIGNMENT_STATUSES.find((one) => one === read('assignmentStatus'));
  const groupId = read('groupId');
  return { ...(status && { assignmentStatus: status }), ...(groupId && isId(groupId) && { groupId }) };
}
