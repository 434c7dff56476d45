import type { Request, Router } from 'express';
import { renderNotice } from '../../shared/parts/notice.ts';
import { getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { addCampaignFormPages } from './campaign-form-routes.ts';
import { campaignsMessages } from './campaigns-messages.ts';
import { campaignsContent, STATUSES } from './campaigns-page.ts';

/** Adds the pages of campaigns: the list, and those of one campaign. */
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
}

/** Reads a parameter of the address of a page; undefined if it is empty. */
export function readText({ query }: Pick<Request, 'query'>, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Reads the filters of the list. Others than the operation accepts are left out. */
function readFilter(req: Request): { q?: string; campaignStatus?: (typeof STATUSES)[number] } {
  const q = readText(req, 'q')?.trim().slice(0, 200);
  const status = STATUSES.find((one) => one === req.query.campaignStatus);
  return { ...(q && { q }), ...(status && { campaignStatus: status }) };
}
