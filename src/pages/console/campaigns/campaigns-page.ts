import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { renderDay, type FieldValues } from '../../shared/parts/fields.ts';
import { filterBar } from '../../shared/parts/filter-bar.ts';
import { pageLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { canCall } from '../admin.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { campaignsMessages } from './campaigns-messages.ts';

export type Figures = Schemas['CampaignFigures'];

export const CAMPAIGNS_PATH = '/console/campaigns';

export const STATUSES = ['draft', 'scheduled', 'running', 'paused', 'ended'] as const;

export interface CampaignsView {
  language: Language;
  caller: Pick<Caller, 'scopes'>;
  notice: Html | undefined;
  /** The active filters, in the form that the operation takes. */
  filter: Record<string, string>;
  campaigns: readonly Figures[];
  isFirstPage: boolean;
  nextCursor: string | null;
}

/** Renders a page of the list of campaigns. */
export function campaignsContent({ language, caller, filter, campaigns, ...view }: CampaignsView): Html {
  const messages = campaignsMessages[language];
  const plan = canCall(caller, 'createCampaign') && { href: `${CAMPAIGNS_PATH}/new`, text: messages.plan };
  const isEmpty = campaigns.length === 0;
  const isFiltered = Object.keys(filter).length > 0;
  const toHref = (query: Record<string, string>) => {
    const search = new URLSearchParams({ ...filter, ...query }).toString();
    return search === '' ? CAMPAIGNS_PATH : `${CAMPAIGNS_PATH}?${search}`;
  };
  return html`
    ${view.notice}
    <p>${messages.about}</p>
    ${plan && !(isEmpty && !isFiltered) && html`<p><a class="button" href=${plan.href}>${plan.text}</a></p>`}
    ${(isFiltered || !isEmpty || !view.isFirstPage) && filters(filter, language)}
    ${
      isEmpty
        ? emptyState(isFiltered ? messages.noMatch : messages.none, !isFiltered && plan)
        : campaignsTable(campaigns, language)
    }
    ${pageLinks({
      label: messages.pages,
      first: !view.isFirstPage && { href: toHref({}), text: messages.first },
      next: view.nextCursor !== null && { href: toHref({ cursor: view.nextCursor }), text: messages.next },
    })}
    ${apiCalls([{ operationId: 'getCampaignReport', query: filter }], language)}
  `;
}

function filters(values: FieldValues, language: Language): Html {
  const messages = campaignsMessages[language];
  const statuses = STATUSES.map((status) => [status, messages.statuses[status]] as const);
  return filterBar({
    action: CAMPAIGNS_PATH,
    label: messages.filters,
    filters: [
      { name: 'nameContains', label: messages.name },
      { name: 'campaignStatus', label: messages.status, options: [['', messages.all], ...statuses] },
    ],
    values,
    apply: messages.apply,
    reset: messages.reset,
  });
}

function campaignsTable(campaigns: readonly Figures[], language: Language): Html {
  const messages = campaignsMessages[language];
  const { number, day } = getFormats(language);
  const numbers = [messages.learners, messages.finished, messages.overdue].map((name) => ({ name, isNumber: true }));
  const [learners, finished, overdue] = numbers as [(typeof numbers)[0], (typeof numbers)[0], (typeof numbers)[0]];
  return dataTable({
    caption: messages.title,
    columns: [messages.name, messages.status, messages.starts, learners, messages.nextDue, finished, overdue],
    rows: campaigns.map((campaign) => [
      html`<a href=${toCampaignPath(campaign.campaignId)}><bdi>${campaign.name}</bdi></a>`,
      formatStatus(campaign.status, language),
      isDated(campaign) ? renderDay(campaign.startAt, language, '–') : '–',
      campaign.assigned === 0 ? '–' : number(campaign.learners),
      campaign.nextDueOn === null ? '–' : day(campaign.nextDueOn),
      formatFinished(campaign, language),
      campaign.assigned === 0 ? '–' : number(campaign.overdue),
    ]),
  });
}

/**
 * Reports whether to show the start of a campaign. A draft whose start is in the past begins as soon as an admin starts
 * it.
 */
export function isDated({ status, startAt }: Pick<Figures, 'status' | 'startAt'>): boolean {
  return status !== 'draft' || Date.parse(startAt) > Date.now();
}

export function toCampaignPath(campaignId: string, rest = ''): string {
  return `${CAMPAIGNS_PATH}/${campaignId}${rest}`;
}

/** Formats a status. A status that is unknown to this release is shown unchanged. */
export function formatStatus(status: string, language: Language): string {
  return (campaignsMessages[language].statuses as Record<string, string>)[status] ?? status;
}

/** Formats the share of completed assignments among all assignments that are not waived. */
export function formatFinished({ assigned, waived, completed }: Counted, language: Language): string {
  const { percent } = getFormats(language);
  return assigned > waived ? percent(completed, assigned - waived) : '–';
}

/** Assignment counts of a campaign, or of a part of its audience. */
export type Counted = Pick<
  Schemas['CampaignProgress'],
  'learners' | 'assigned' | 'started' | 'completed' | 'waived' | 'overdue' | 'overdueLearners'
>;
