import type { Caller } from '../../../auth/caller.ts';
import type { KeyedOperationId, Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { choicesField, type SelectItem, selectField } from '../../shared/parts/fields.ts';
import { filterBar } from '../../shared/parts/filter-bar.ts';
import { pageLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { canCall } from '../admin.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { type AssignmentAction, campaignPeopleMessages } from './campaign-people-messages.ts';
import { toCampaignPath } from './campaigns-page.ts';

type Assignment = Schemas['Assignment'];

export const ASSIGNMENT_STATUSES = ['open', 'overdue', 'completed', 'waived', 'ended'] as const;

/** The filters of the list, in the form that the operation takes. */
export interface PeopleFilter {
  assignmentStatus?: (typeof ASSIGNMENT_STATUSES)[number];
  groupId?: string;
}

export const OPERATIONS = {
  remind: 'remindAssignments',
  extend: 'extendAssignments',
  waive: 'waiveAssignments',
  restore: 'restoreAssignments',
} as const satisfies Record<AssignmentAction, KeyedOperationId>;

export interface CampaignPeopleView {
  language: Language;
  caller: Pick<Caller, 'scopes'>;
  notice: Html | undefined;
  campaign: Schemas['Campaign'];
  filter: PeopleFilter;
  groups: readonly SelectItem[];
  assignments: readonly Assignment[];
  /** The names of the courses and policies, by id. */
  itemNames: ReadonlyMap<string, string>;
  isFirstPage: boolean;
  nextCursor: string | null;
}

/** Renders the assignments of a campaign, and the form that starts a change to several of them. */
export function campaignPeopleContent(view: CampaignPeopleView): Html {
  const { language, campaign, filter, assignments } = view;
  const messages = campaignPeopleMessages[language];
  const path = toCampaignPath(campaign.id, '/people');
  const toHref = (query: Record<string, string>) =>
    `${path}?${new URLSearchParams({ ...(filter as Record<string, string>), ...query }).toString()}`;
  const statuses = ASSIGNMENT_STATUSES.map((status) => [status, messages.statuses[status]] as const);
  const actions = findActions(view);
  return html`
    ${view.notice}
    <p>
      <a href=${toCampaignPath(campaign.id)}><bdi>${campaign.name}</bdi></a>
    </p>
    ${filterBar({
      action: path,
      label: messages.filters,
      filters: [
        { name: 'assignmentStatus', label: messages.status, options: [['', messages.all], ...statuses] },
        { name: 'groupId', label: messages.group, options: [['', messages.all], ...view.groups] },
      ],
      values: filter as Record<string, string>,
      apply: messages.apply,
      reset: messages.reset,
    })}
    ${assignments.length === 0 ? emptyState(messages.none) : table(view, actions.length > 0)}
    ${pageLinks({
      label: messages.pages,
      first: !view.isFirstPage && { href: toHref({}), text: messages.first },
      next: view.nextCursor !== null && { href: toHref({ cursor: view.nextCursor }), text: messages.next },
    })}
    ${assignments.length > 0 && actions.length > 0 && changeForm(view, actions)}
    ${apiCalls([{ operationId: 'listAssignments', query: { campaignId: campaign.id, ...(filter as Record<string, string>) } }], language)}
  `;
}

/** Returns the changes that the listed assignments and the admin's role permit. */
function findActions({ campaign, filter, caller }: CampaignPeopleView): AssignmentAction[] {
  if (campaign.status === 'ended') return [];
  const { assignmentStatus: status } = filter;
  const ofOpen = ['remind', 'extend', 'waive'] as const;
  const all: readonly AssignmentAction[] =
    status === 'waived' ? ['restore'] : status === undefined ? [...ofOpen, 'restore'] : ofOpen;
  if (status === 'completed' || status === 'ended') return [];
  const isPossible = (action: AssignmentAction) => action !== 'remind' || campaign.status === 'running';
  return all.filter((action) => isPossible(action) && canCall(caller, OPERATIONS[action]));
}

function table({ assignments, itemNames, language }: CampaignPeopleView, canSelect: boolean): Html {
  const messages = campaignPeopleMessages[language];
  const { day } = getFormats(language);
  return dataTable({
    caption: messages.title,
    columns: [messages.name, messages.content, messages.due, messages.state],
    rows: assignments.map(({ learner, item, dueOn, extendedUntil, status, overdue, waived }) => [
      html`<bdi>${learner.name}</bdi>`,
      html`<bdi>${itemNames.get(item.id) ?? item.id}</bdi>`,
      html`${day(dueOn)}${extendedUntil !== null && ` (${messages.extended})`}`,
      html`${formatStatus(overdue ? 'overdue' : status, language)}${waived && html`: <bdi>${waived.reason}</bdi>`}`,
    ]),
    ...(canSelect && {
      selection: {
        form: 'change',
        field: 'assignmentId',
        boxes: assignments.map(({ id, learner }) => ({ value: id, label: messages.select(learner.name) })),
      },
    }),
  });
}

function formatStatus(status: string, language: Language): string {
  return (campaignPeopleMessages[language].statuses as Record<string, string>)[status] ?? status;
}

function changeForm({ campaign, filter, language }: CampaignPeopleView, actions: readonly AssignmentAction[]): Html {
  const messages = campaignPeopleMessages[language];
  const options = actions.map((action): SelectItem => [action, messages.actions[action].name]);
  const canTakeAll = ['open', 'overdue', 'waived'].includes(filter.assignmentStatus ?? '');
  const scopes: SelectItem[] = [
    ['ticked', messages.ticked],
    ['all', messages.everybody],
  ];
  return html`<form id="change" method="get" action=${toCampaignPath(campaign.id, '/change')}>
    ${Object.entries(filter).map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    ${selectField({ name: 'action', label: messages.change, options }, {}, {})}
    ${canTakeAll && choicesField({ name: 'which', label: messages.which, options: scopes, type: 'radio' }, ['ticked'], {})}
    <button type="submit">${messages.continue}</button>
  </form>`;
}
