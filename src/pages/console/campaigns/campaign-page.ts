import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { renderDay } from '../../shared/parts/fields.ts';
import { pageLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { facts, tiles } from '../../shared/parts/tiles.ts';
import { canCall } from '../admin.ts';
import { funnelChart } from '../overview/charts/funnel-chart.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { type CampaignAction, campaignMessages } from './campaign-messages.ts';
import { campaignsMessages } from './campaigns-messages.ts';
import {
  CAMPAIGNS_PATH,
  type Counted,
  formatFinished,
  formatStatus,
  isDated,
  toCampaignPath,
} from './campaigns-page.ts';

type Campaign = Schemas['Campaign'];
export type By = 'department' | 'group' | 'manager';

export interface CampaignView {
  language: Language;
  caller: Pick<Caller, 'scopes'>;
  notice: Html | undefined;
  campaign: Campaign;
  itemNames: readonly string[];
  figures: Counted;
  by: By;
  progress: readonly Schemas['CampaignProgress'][];
  isFirstPage: boolean;
  nextCursor: string | null;
}

/** Renders a campaign: its facts, its funnel, its progress by group, and the possible actions. */
export function campaignContent(view: CampaignView): Html {
  const { language, campaign } = view;
  const messages = campaignMessages[language];
  return html`
    ${view.notice}
    ${facts([
      [messages.status, formatStatus(campaign.status, language)],
      [messages.content, html`${view.itemNames.map((name) => html`<div><bdi>${name}</bdi></div>`)}`],
      [
        messages.audience,
        campaign.audience.everyone && campaign.audience.exclude.length === 0 ? messages.everyone : messages.conditions,
      ],
      isDated(campaign) && [messages.start, renderDay(campaign.startAt, language, '')],
      campaign.due.date === null
        ? [messages.dueDays, String(campaign.due.days)]
        : [messages.due, renderDay(campaign.due.date, language, '')],
      campaign.endedAt !== null && [messages.ends, renderDay(campaign.endedAt, language, '')],
    ])}
    ${campaign.simulations.filter(({ failure }) => failure !== null).map(({ failure }) => html`<p class="warning">${messages.failure}: ${failure}</p>`)}
    ${links(view)} ${campaign.startedOn !== null && progress(view)}
    <p><a href=${CAMPAIGNS_PATH}>${campaignsMessages[language].back}</a></p>
    ${apiCalls(
      [
        { operationId: 'getCampaign', path: { campaignId: campaign.id } },
        { operationId: 'getCampaignProgress', path: { campaignId: campaign.id }, query: { by: view.by } },
      ],
      language,
    )}
  `;
}

/** Returns the actions that the status of a campaign permits. */
export function findActions({ status, startedOn }: Pick<Campaign, 'status' | 'startedOn'>): CampaignAction[] {
  if (status === 'ended') return [];
  if (startedOn === null) return ['delete'];
  return [status === 'paused' ? 'resume' : 'pause', 'end'];
}

function links({ campaign, caller, language }: CampaignView): Html {
  const messages = campaignMessages[language];
  const actions = findActions(campaign).filter((action) =>
    canCall(caller, action === 'delete' ? 'deleteCampaign' : 'updateCampaign'),
  );
  const all: (readonly [string, string] | false)[] = [
    campaign.status !== 'ended' && canCall(caller, 'updateCampaign') && (['/edit', messages.edit] as const),
    campaign.status !== 'ended' && (['/preview', messages.preview] as const),
    campaign.startedOn !== null && canCall(caller, 'listAssignments') && (['/people', messages.people] as const),
    ...actions.map((action) => [`/${action}`, messages.actions[action].link] as const),
  ];
  const shown = all.filter((link) => link !== false);
  return html`<ul class="links">
    ${shown.map(([path, text]) => html`<li><a href=${toCampaignPath(campaign.id, path)}>${text}</a></li>`)}
  </ul>`;
}

function progress(view: CampaignView): Html {
  const { language, campaign, figures } = view;
  const messages = campaignMessages[language];
  const { number } = getFormats(language);
  const late = toCampaignPath(campaign.id, '/people?assignmentStatus=overdue');
  const stage = (name: string, count: number) => ({ name, count, text: number(count) });
  return html`
    <h2>${messages.progress}</h2>
    ${funnelChart(messages.progress, [
      stage(messages.assigned, figures.assigned),
      stage(messages.started, figures.started),
      stage(messages.finished, figures.completed),
    ])}
    <p>${messages.funnel(number(figures.completed), number(figures.assigned))}</p>
    ${tiles([
      { name: messages.finished, value: formatFinished(figures, language) },
      { name: messages.overdue, value: number(figures.overdue), ...(figures.overdue > 0 && { href: late }) },
      { name: messages.waived, value: number(figures.waived) },
    ])}
    <p>
      ${figures.overdue === 0 ? messages.nobodyLate : html`<a class="button quiet" href=${late}>${messages.late}</a>`}
    </p>
    ${byTable(view)}
  `;
}

function byTable({ language, campaign, by, progress: rows, isFirstPage, nextCursor }: CampaignView): Html {
  const messages = campaignMessages[language];
  const { number } = getFormats(language);
  const { assigned, started, finished, overdue, waived, learners } = messages;
  const numbers = [learners, assigned, started, finished, overdue, waived].map((name) => ({ name, isNumber: true }));
  const toHref = (query: Record<string, string>) =>
    toCampaignPath(campaign.id, `?${new URLSearchParams(query).toString()}`);
  const kinds = (['department', 'group', 'manager'] as const).map(
    (kind) =>
      html`<li>
        <a href=${toHref({ by: kind })} aria-current=${kind === by ? 'true' : undefined}>${messages.kinds[kind]}</a>
      </li>`,
  );
  return html`
    <h2 id="by">${messages.by}</h2>
    <ul class="links">
      ${kinds}
    </ul>
    ${dataTable({
      caption: `${messages.by}: ${messages.kinds[by]}`,
      columns: [messages.kinds[by], ...numbers],
      rows: rows.map((row) => [
        html`<bdi>${row.name ?? messages.none}</bdi>`,
        ...[row.learners, row.assigned, row.started, row.completed, row.overdue, row.waived].map((count) =>
          number(count),
        ),
      ]),
    })}
    ${pageLinks({
      label: messages.pages,
      first: !isFirstPage && { href: toHref({ by }), text: messages.first },
      next: nextCursor !== null && { href: toHref({ by, cursor: nextCursor }), text: messages.next },
    })}
  `;
}
