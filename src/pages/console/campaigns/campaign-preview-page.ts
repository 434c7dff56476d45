import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { calendar, type CalendarDay } from '../../shared/parts/calendar.ts';
import { hiddenFields, renderDay } from '../../shared/parts/fields.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { tiles } from '../../shared/parts/tiles.ts';
import { canCall } from '../admin.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { type CampaignPreviewMessages, campaignPreviewMessages } from './campaign-preview-messages.ts';
import { campaignsMessages } from './campaigns-messages.ts';
import { CAMPAIGNS_PATH, formatStatus, toCampaignPath } from './campaigns-page.ts';

type Preview = Schemas['CampaignPreview'];

export interface CampaignPreviewView {
  language: Language;
  caller: Pick<Caller, 'scopes'>;
  formToken: string;
  notice: Html | undefined;
  campaign: Schemas['Campaign'];
  preview: Preview;
  /** The names of the templates of simulations. */
  templateNames: ReadonlyMap<string, string>;
  /** The version of the campaign that is shown, which starting it requires. */
  version: string;
}

/** Renders what a campaign will do: counts, a calendar, simulations, and campaigns with the same content. */
export function campaignPreviewContent(view: CampaignPreviewView): Html {
  const { language, caller, campaign, preview } = view;
  const messages = campaignPreviewMessages[language];
  const { number } = getFormats(language);
  const days = toCalendarDays(preview, language);
  const mails = preview.messages.reduce((sum, day) => sum + day.messages, 0);
  return html`
    ${view.notice}
    <p>
      <a href=${toCampaignPath(campaign.id)}><bdi>${campaign.name}</bdi></a>
    </p>
    <p>${campaign.startedOn === null ? messages.about : messages.aboutRunning}</p>
    ${tiles([
      { name: messages.learners, value: number(preview.learners) },
      { name: messages.assignments, value: number(preview.assignments) },
      { name: messages.done, value: number(preview.completedAtOnce) },
      { name: messages.mails, value: number(mails) },
    ])}
    <h2>${messages.calendar}</h2>
    ${days.length === 0 ? html`<p>${messages.nothing}</p>` : calendar(days, language)}
    <p class="hint">${messages.calendarHint}</p>
    ${preview.simulations.length > 0 && simulations(view, messages)}
    ${preview.clashes.length > 0 && clashes(preview.clashes, language)}
    ${campaign.status === 'draft' && canCall(caller, 'updateCampaign') && startForm(view, messages)}
    ${apiCalls([{ operationId: 'getCampaignPreview', path: { campaignId: campaign.id } }], language)}
  `;
}

/** Joins the counts of messages, due assignments and simulated messages of each day. */
function toCalendarDays({ messages: mails, dueDays, simulations: begun }: Preview, language: Language): CalendarDay[] {
  const messages = campaignPreviewMessages[language];
  const { number } = getFormats(language);
  const textsOf = new Map<string, string[]>();
  const add = (day: string, text: string) => textsOf.set(day, [...(textsOf.get(day) ?? []), text]);
  for (const { day, messages: count } of mails) add(day, messages.messages(number(count)));
  for (const { day, assignments } of dueDays) add(day, messages.due(number(assignments)));
  const simulated = new Map<string, number>();
  for (const { day, messages: count } of begun.flatMap((simulation) => simulation.messages)) {
    simulated.set(day, (simulated.get(day) ?? 0) + count);
  }
  for (const [day, count] of simulated) add(day, messages.simulated(number(count)));
  return [...textsOf].map(([day, texts]) => ({ day, texts }));
}

function simulations(
  { preview, templateNames, language }: CampaignPreviewView,
  messages: CampaignPreviewMessages,
): Html {
  const { number } = getFormats(language);
  const [template, recipients, ...others] = messages.simulationHead;
  return dataTable({
    hasCaption: true,
    caption: messages.simulations,
    columns: [template, { name: recipients, isNumber: true }, ...others],
    rows: preview.simulations.map(({ templateId, recipientCount, startDate, endDate, failure }) => [
      templateNames.get(templateId) ?? templateId,
      number(recipientCount),
      renderDay(startDate, language, ''),
      renderDay(endDate, language, ''),
      failure ?? messages.canBegin,
    ]),
  });
}

function clashes(all: Preview['clashes'], language: Language): Html {
  const messages = campaignPreviewMessages[language];
  const { number } = getFormats(language);
  const [name, status, learners] = messages.clashHead;
  return html`
    ${dataTable({
      hasCaption: true,
      caption: messages.clashes,
      columns: [name, status, { name: learners, isNumber: true }],
      rows: all.map((clash) => [
        html`<a href=${toCampaignPath(clash.campaignId)}><bdi>${clash.name}</bdi></a>`,
        formatStatus(clash.status, language),
        number(clash.learners),
      ]),
    })}
    <p class="hint">${messages.clashesAbout}</p>
  `;
}

function startForm(
  { campaign, formToken, version, language }: CampaignPreviewView,
  messages: CampaignPreviewMessages,
): Html {
  return html`
    ${confirmation({
      about: messages.startAbout,
      action: toCampaignPath(campaign.id, '/start'),
      hidden: html`${hiddenFields(formToken)}<input type="hidden" name="version" value=${version} />`,
      button: messages.start,
      keep: { href: toCampaignPath(campaign.id), text: messages.keepDraft },
    })}
    <p>
      <a href=${toCampaignPath(campaign.id, '/edit')}>${messages.edit}</a>${' · '}<a href=${CAMPAIGNS_PATH}
        >${campaignsMessages[language].back}</a
      >
    </p>
  `;
}
