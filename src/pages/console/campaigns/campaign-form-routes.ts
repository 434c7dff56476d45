import type { Response, Router } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { getForm } from '../../../http/body/form.ts';
import { newFormName } from '../../shared/parts/fields.ts';
import { redirectWithNotice } from '../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { campaignChangeContent } from './campaign-change-page.ts';
import { campaignChangeMessages } from './campaign-change-messages.ts';
import { readChoices, readTimeZone } from './campaign-choices.ts';
import { campaignFormContent } from './campaign-form.ts';
import { campaignFormMessages } from './campaign-form-messages.ts';
import {
  type CampaignForm,
  canShow,
  newCampaignForm,
  readCampaignForm,
  toCampaignForm,
  toCampaignInput,
  toDay,
} from './campaign-form-values.ts';
import { toIfMatch, toVersion } from '../form-version.ts';
import { CAMPAIGNS_PATH, toCampaignPath } from './campaigns-page.ts';

type Campaign = Schemas['Campaign'];

/** Contract fields at which the form shows faults. */
const FIELDS = [
  ...['name', 'items', 'audience', 'startAt', 'due', 'recurrence', 'reminders', 'message', 'replyName', 'escalation'],
];

/** Adds the pages on which an admin plans and edits campaigns. */
export function addCampaignFormPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/campaigns/new', async (_req, res) => {
    requireCall(getAdmin(res).caller, 'createCampaign');
    await showForm(runs, res, { form: newCampaignForm() });
  });
  pages.post('/campaigns', async (req, res) => {
    const { caller } = getAdmin(res);
    const sent = getForm(req);
    const form = readCampaignForm(sent);
    try {
      const { recurrence, ...input } = toCampaignInput(form, await readTimeZone({ runs, caller }));
      const body = { ...input, ...(recurrence && { recurrence }) };
      const { id } = await runs.run('createCampaign', caller, { body }, sent.get('once') ?? '');
      res.redirect(303, toCampaignPath(id, '/preview'));
    } catch (thrown) {
      await showForm(runs, res, { form, thrown });
    }
  });
  pages.get('/campaigns/:campaignId/edit', async ({ params: { campaignId } }, res) => {
    const { caller } = getAdmin(res);
    requireCall(caller, 'updateCampaign');
    const campaign = await runs.run('getCampaign', caller, { campaignId });
    const timeZone = await readTimeZone({ runs, caller });
    await showForm(runs, res, { campaign, form: toCampaignForm(campaign, { timeZone, version: toVersion(campaign) }) });
  });
  pages.post('/campaigns/:campaignId/edit', async (req, res) => {
    const { caller } = getAdmin(res);
    const { campaignId } = req.params;
    const campaign = await runs.run('getCampaign', caller, { campaignId });
    const sent = getForm(req);
    const form = readCampaignForm(sent);
    const step = sent.get('step');
    if (step === 'again') return showForm(runs, res, { campaign, form });
    try {
      const timeZone = await readTimeZone({ runs, caller });
      const input = toCampaignInput(form, timeZone);
      const body = withoutSameStart(campaign, input, { day: form.typed.startAt ?? '', timeZone });
      if (step === 'preview') return await showChange(runs, res, { campaign, sent, body });
      await runs.run('updateCampaign', caller, {
        campaignId,
        body,
        ifMatch: toIfMatch(form.typed.version ?? ''),
      } as never);
      if (isAhead(campaign)) res.redirect(303, toCampaignPath(campaignId, '/preview'));
      else redirectWithNotice(res, toCampaignPath(campaignId), 'saved');
    } catch (thrown) {
      await showForm(runs, res, { campaign, form, thrown });
    }
  });
}

interface ChangeToShow {
  campaign: Campaign;
  sent: URLSearchParams;
  body: object;
}

/** Shows what a change to a running campaign does, before it is saved. */
async function showChange(runs: ConsoleRuns, res: Response, { campaign, sent, body }: ChangeToShow): Promise<void> {
  const { caller, language } = getAdmin(res);
  const preview = await runs.run('previewCampaignChange', caller, { campaignId: campaign.id, body });
  const fields = [...sent].filter(([name]) => name !== 'step');
  const content = campaignChangeContent({ language, campaign, preview, fields });
  sendConsolePage(res, { title: campaignChangeMessages[language].title, content });
}

/** Reports whether nothing has been assigned yet, so that the preview shows everything that will happen. */
const isAhead = ({ startedOn, status }: Campaign): boolean => startedOn === null && status !== 'ended';

/** Leaves out the start if its day is unchanged, so that the time of day is kept. */
function withoutSameStart<T extends { startAt?: string }>(
  campaign: Campaign,
  input: T,
  { day, timeZone }: { day: string; timeZone: string },
): T {
  const { startAt, ...others } = input;
  const isSame = campaign.startedOn !== null || day === toDay(campaign.startAt, timeZone);
  return isSame || startAt === undefined ? (others as T) : input;
}

interface Shown {
  form: CampaignForm;
  /** Campaign being edited. */
  campaign?: Campaign;
  /** The error of the request, if it was rejected. */
  thrown?: unknown;
}

async function showForm(runs: ConsoleRuns, res: Response, { form, campaign, thrown }: Shown): Promise<void> {
  const { caller, modules, language, formToken } = getAdmin(res);
  const messages = campaignFormMessages[language];
  const faults = thrown === undefined ? NO_FAULTS : toCampaignFaults(thrown, res);
  const isStale = thrown !== undefined && publicError(thrown).code === 'changed_meanwhile';
  const choices = await readChoices({ runs, caller, modules }, campaign?.items);
  const content = campaignFormContent({
    ...{ language, formToken, choices, faults },
    ...(campaign === undefined && { once: newFormName() }),
    // Saving again overwrites another admin's changes; the page says so.
    form: isStale && campaign ? { ...form, typed: { ...form.typed, version: toVersion(campaign) } } : form,
    action: campaign ? toCampaignPath(campaign.id, '/edit') : CAMPAIGNS_PATH,
    cancelHref: campaign ? toCampaignPath(campaign.id) : CAMPAIGNS_PATH,
    hasStarted: (campaign?.startedOn ?? null) !== null,
    keepsAudience: campaign !== undefined && !canShow(campaign),
    leadsToPreview: campaign === undefined || isAhead(campaign),
    call: campaign
      ? { operationId: 'updateCampaign', path: { campaignId: campaign.id } }
      : { operationId: 'createCampaign' },
  });
  const title = campaign ? messages.editTitle : messages.newTitle;
  sendConsolePage(res, { status: thrown === undefined ? 200 : getFailureStatus(thrown), title, content });
}

/**
 * Converts the error of a request to faults of the form.
 * @throws {unknown} the given error, if the form cannot show it
 */
function toCampaignFaults(thrown: unknown, res: Response): FormFaults {
  const { language } = getAdmin(res);
  const messages = campaignFormMessages[language];
  const { code, details } = publicError(thrown);
  if (code === 'changed_meanwhile') return { fields: {}, whole: messages.changedMeanwhile };
  const fields = new Set(details.map(({ field }) => field.split('/')[1]!).filter((name) => FIELDS.includes(name)));
  const texts =
    code === 'not_found'
      ? [...fields].map((name) => [name, messages.gone])
      : [...fields].map((name) => [name, messages.faults[name]!]);
  if (texts.length > 0 && code !== 'campaign_locked')
    return { fields: Object.fromEntries(texts) as FormFaults['fields'], whole: undefined };
  return toFormFaults(thrown, FIELDS, language, { campaign_locked: messages.locked });
}
