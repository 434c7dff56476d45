import type { Request, Router } from 'express';
import { renderNotice } from '../../shared/parts/notice.ts';
import { getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { addAssignmentChangePages } from './assignment-change-routes.ts';
import { addCampaignFormPages } from './campaign-form-routes.ts';
import { addCampaignPeoplePages } from './campaign-people-routes.ts';
import { addCampaignPages } from './campaign-routes.ts';
import { campaignsMessages } from './campaigns-messages.ts';
import { campaignsContent, STATUSES } from './campaigns-page.ts';
import { readText } from './read-query.ts';

/** Adds the campaign pages: the list, and the pages of one campaign. */
export function addCampaignsPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/campaigns', async (req, res) => {
    const { caller, language } = getAdmin(res);
    const filter = readFilter(req);
    const cursor = readText(req, 'cursor');
    const { items: campaigns, nextCursor } = await runs.page('getCampaignReport', caller, filter, cursor);
    const messages = campaignsMessages[language];
    const notice = renderNotice(req, messages.notices);
    const isFirstPage = cursor === undefined;
    const content = campaignsContent({ language, caller, notice, filter, campaigns, isFirstPage, nextCursor });
    sendConsolePage(res, { title: messages.title, content, width: 'wide' });
  });
  addCampaignFormPages(pages, runs);
  addCampaignPages(pages, runs);
  addCampaignPeoplePages(pages, runs);
  addAssignmentChangePages(pages, runs);
}

/** Reads the filters of the list. Filters that the operation does not accept are left out. */
function readFilter(req: Request): { nameContains?: string; campaignStatus?: (typeof STATUSES)[number] } {
  const nameContains = readText(req, 'nameContains')?.trim().slice(0, 200);
  const status = STATUSES.find((one) => one === req.query.campaignStatus);
  return { ...(nameContains && { nameContains }), ...(status && { campaignStatus: status }) };
}
