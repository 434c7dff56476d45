import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { notFound } from '../../../contract/errors.ts';
import { getForm } from '../../../http/body/form.ts';
import { html } from '../../../http/html/html.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { hiddenFields } from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { readItemName } from './campaign-choices.ts';
import { type CampaignAction, campaignMessages } from './campaign-messages.ts';
import { type By, campaignContent, findActions } from './campaign-page.ts';
import { campaignPreviewMessages } from './campaign-preview-messages.ts';
import { campaignPreviewContent } from './campaign-preview-page.ts';
import { toIfMatch, toVersion } from '../form-version.ts';
import { CAMPAIGNS_PATH, toCampaignPath } from './campaigns-page.ts';
import { readText } from './read-query.ts';

type Campaign = Schemas['Campaign'];

/** The status that an action sets, and the notice that follows. */
const CHANGES = {
  start: ['active', 'started'],
  pause: ['paused', 'paused'],
  resume: ['active', 'resumed'],
  end: ['ended', 'ended'],
} as const;

/** Adds the page of a campaign, its preview, and the forms that start, pause, resume, end and delete it. */
export function addCampaignPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/campaigns/:campaignId', async (req, res) => {
    const { caller, modules, language } = getAdmin(res);
    const { campaignId } = req.params;
    const campaign = await runs.run('getCampaign', caller, { campaignId });
    const by = (['group', 'manager'] as const).find((kind) => kind === req.query.by) ?? ('department' satisfies By);
    const cursor = readText(req, 'cursor');
    const [report, progress, itemNames] = await Promise.all([
      runs.page('getCampaignReport', caller, { campaignId: campaign.id }),
      runs.page('getCampaignProgress', caller, { campaignId: campaign.id, by }, cursor),
      Promise.all(campaign.items.map((item) => readItemName({ runs, caller, modules }, item))),
    ]);
    const content = campaignContent({
      ...{ language, caller, campaign, by, itemNames, figures: report.items[0]! },
      notice: renderNotice(req, campaignMessages[language].notices),
      ...{ progress: progress.items, nextCursor: progress.nextCursor, isFirstPage: cursor === undefined },
    });
    sendConsolePage(res, { title: campaign.name, content, width: 'wide' });
  });
  pages.get('/campaigns/:campaignId/preview', async (req, res) => {
    const { caller, modules, language, formToken } = getAdmin(res);
    const { campaignId } = req.params;
    const campaign = await runs.run('getCampaign', caller, { campaignId });
    const preview = await runs.run('getCampaignPreview', caller, { campaignId });
    const templateNames = new Map<string, string>();
    for (const { templateId: id } of preview.simulations) {
      templateNames.set(id, await readItemName({ runs, caller, modules }, { type: 'simulationTemplate', id }));
    }
    const messages = campaignPreviewMessages[language];
    const notice = renderNotice(req, { changed: messages.changed });
    const version = toVersion(campaign);
    const view = { language, caller, formToken, notice, campaign, preview, templateNames, version };
    sendConsolePage(res, { title: messages.title, content: campaignPreviewContent(view), width: 'wide' });
  });
  for (const action of ['pause', 'resume', 'end', 'delete'] as const) {
    pages.get(`/campaigns/:campaignId/${action}`, ({ params: { campaignId } }, res) =>
      ask(runs, res, { campaignId, action }),
    );
  }
  for (const action of ['start', 'pause', 'resume', 'end', 'delete'] as const) {
    pages.post(`/campaigns/:campaignId/${action}`, async (req, res) => {
      const version = getForm(req).get('version') ?? '';
      await act(runs, res, { campaignId: req.params.campaignId, action, version });
    });
  }
}

interface Question {
  campaignId: string;
  action: CampaignAction;
}

/** Asks for confirmation of an action. An action that the campaign no longer permits leads back to the campaign. */
async function ask(runs: ConsoleRuns, res: Response, { campaignId, action }: Question): Promise<void> {
  const { caller, formToken, language } = getAdmin(res);
  requireCall(caller, action === 'delete' ? 'deleteCampaign' : 'updateCampaign');
  const campaign = await runs.run('getCampaign', caller, { campaignId });
  if (!findActions(campaign).includes(action)) throw notFound('page');
  const { actions, keep } = campaignMessages[language];
  const { title, about, button } = actions[action];
  const version = toVersion(campaign);
  const content = confirmation({
    about: html`<p><bdi>${campaign.name}</bdi></p>
      <p>${about}</p>`,
    action: toCampaignPath(campaign.id, `/${action}`),
    hidden: html`${hiddenFields(formToken)}<input type="hidden" name="version" value=${version} />`,
    button,
    keep: { href: toCampaignPath(campaign.id), text: keep },
  });
  sendConsolePage(res, { title, content });
}

interface Act {
  campaignId: string;
  action: CampaignAction | 'start';
  /** The version of the campaign that the page showed. */
  version: string;
}

/**
 * Acts on the campaign that the page showed. If the campaign has changed in the meantime, shows a page that says so.
 */
async function act(runs: ConsoleRuns, res: Response, { campaignId, action, version }: Act): Promise<void> {
  const { caller } = getAdmin(res);
  const condition = { campaignId, ifMatch: toIfMatch(version) };
  try {
    if (action === 'delete') {
      await runs.run('deleteCampaign', caller, condition);
      return redirectWithNotice(res, CAMPAIGNS_PATH, 'deleted');
    }
    const [status, notice] = CHANGES[action];
    await runs.run('updateCampaign', caller, { ...condition, body: { status } });
    return redirectWithNotice(res, action === 'end' ? CAMPAIGNS_PATH : toCampaignPath(campaignId), notice);
  } catch (thrown) {
    if (publicError(thrown).code !== 'changed_meanwhile') throw thrown;
    if (isDone(await runs.run('getCampaign', caller, { campaignId }), action)) {
      return res.redirect(303, toCampaignPath(campaignId));
    }
    if (action === 'start') return redirectWithNotice(res, toCampaignPath(campaignId, '/preview'), 'changed');
    return redirectWithNotice(res, toCampaignPath(campaignId), 'conflict');
  }
}

/** Reports whether a campaign has the status of an action, for example because the form was sent twice. */
function isDone({ status }: Campaign, action: Act['action']): boolean {
  if (action === 'start' || action === 'resume') return status === 'scheduled' || status === 'running';
  return (action === 'pause' && status === 'paused') || (action === 'end' && status === 'ended');
}
