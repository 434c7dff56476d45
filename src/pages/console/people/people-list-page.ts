import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { choicesField, renderDay } from '../../shared/parts/fields.ts';
import { type Filter, filterBar } from '../../shared/parts/filter-bar.ts';
import { pageLinks } from '../../shared/parts/page-links.ts';
import { type Cell, dataTable, type Selection } from '../../shared/parts/table.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { figureMessages } from '../overview/figure-messages.ts';
import { PEOPLE_PATH, toPersonPath } from './people-paths.ts';
import {
  type ColumnName,
  COLUMNS,
  formatPeopleQuery,
  LEVELS,
  MAIL_STATUSES,
  type PeopleQuery,
} from './people-query.ts';
import { formatMailStatus, mailStatusMessages } from './mail-status/mail-status-messages.ts';
import { type PeopleListMessages, peopleListMessages } from './people-list-messages.ts';

type Person = Schemas['LearnerListItem'];

export interface PeopleListView {
  language: Language;
  isManager: boolean;
  query: PeopleQuery;
  people: readonly Person[];
  /** The cursor of the next page; null on the last one. */
  nextCursor: string | null;
  /** Groups by which the list can be filtered; empty if the role cannot read groups. */
  groups: readonly Pick<Schemas['GroupListItem'], 'id' | 'name'>[];
  /** Whether no learner has the e-mail address in the manager filter. */
  isManagerUnknown: boolean;
  /** The parameters with which the API reads the same list. */
  call: Readonly<Record<string, string>>;
  /** The check boxes and the form of the actions; undefined if the role permits no action. */
  actions?: { selection: Selection; form: Html };
}

/**
 * Renders the list of people with its filters. A script replaces the element with the id `people` while the user types.
 */
export function peopleListContent(view: PeopleListView): Html {
  const { language, query, people } = view;
  const messages = peopleListMessages[language];
  const isFiltered = Object.keys(query.filters).length > 0;
  return html`
    ${filters(view, messages)}
    <p id="people-count" role="status" class="hint">
      ${view.isManagerUnknown ? messages.managerUnknown : messages.shown(getFormats(language).number(people.length), view.nextCursor !== null)}
    </p>
    <div id="people">
      ${
        people.length > 0
          ? html`${peopleTable(view, messages)} ${view.actions?.form}`
          : isFiltered
            ? emptyState(messages.noMatch, { href: PEOPLE_PATH, text: messages.reset })
            : emptyState(view.isManager ? messages.nobodyOfManager : messages.nobody)
      }
      ${pageLinks({
        label: messages.pages,
        first: query.cursor !== undefined && link(query, undefined, messages.first),
        next: view.nextCursor !== null && link(query, view.nextCursor, messages.next),
      })}
      ${apiCalls([{ operationId: 'listLearners', query: view.call }], language)}
    </div>
  `;
}

function link(query: PeopleQuery, cursor: string | undefined, text: string): { href: string; text: string } {
  return { href: PEOPLE_PATH + formatPeopleQuery({ ...query, cursor }), text };
}

function filters({ language, isManager, query, groups }: PeopleListView, messages: PeopleListMessages): Html {
  const { levels } = figureMessages[language];
  const { statuses } = mailStatusMessages[language];
  const all: [string, string] = ['', messages.any];
  const names = messages.filters;
  const ofAdmins: Filter[] = [
    ...(groups.length > 0
      ? [
          {
            name: 'groupId',
            label: names.groupId,
            options: [all, ...groups.map(({ id, name }) => [id, name] as const)],
          },
        ]
      : []),
    { name: 'manager', label: names.manager },
    {
      name: 'state',
      label: names.state,
      options: [all, ['active', messages.active], ['inactive', messages.inactive]],
    },
  ];
  return filterBar({
    action: PEOPLE_PATH,
    label: messages.filterLabel,
    filters: [
      { name: 'q', label: names.q },
      { name: 'department', label: names.department },
      {
        name: 'overdue',
        label: names.overdue,
        options: [all, ['yes', messages.overdue], ['no', messages.notOverdue]],
      },
      {
        name: 'riskScoreLevel',
        label: names.riskScoreLevel,
        options: [all, ...LEVELS.map((level) => [level, levels[level]] as const)],
      },
      {
        name: 'mailStatus',
        label: names.mailStatus,
        options: [all, ...MAIL_STATUSES.map((name) => [name, statuses[name]] as const)],
      },
      ...(isManager ? [] : ofAdmins),
    ],
    values: query.filters,
    apply: messages.apply,
    reset: messages.reset,
    more: html`<details>
      <summary>${messages.columnsTitle}</summary>
      ${choicesField(
        {
          name: 'columns',
          label: messages.columnsLabel,
          options: COLUMNS.map((name) => [name, messages.columns[name]] as const),
        },
        query.columns,
        {},
      )}
    </details>`,
  });
}

function peopleTable({ language, query, people, groups, actions }: PeopleListView, messages: PeopleListMessages): Html {
  const toRow = (person: Person) => [
    html`<a href=${toPersonPath(person.id)}>${person.name}</a>`,
    ...query.columns.map((name) => cell(name, person, { language, groups, messages })),
  ];
  return dataTable({
    caption: messages.title,
    columns: [messages.name, ...query.columns.map((name) => messages.columns[name])],
    rows: people.map(toRow),
    ...(actions && { selection: actions.selection }),
  });
}

type CellView = Pick<PeopleListView, 'language' | 'groups'> & { messages: PeopleListMessages };

function cell(name: ColumnName, person: Person, { language, groups, messages }: CellView): Cell {
  if (name === 'groups') return formatGroups(person.groupIds, groups, messages);
  if (name === 'riskScoreLevel') return figureMessages[language].levels[person.riskScoreLevel];
  if (name === 'mailStatus') return formatMailStatus(person.mailStatus, language);
  if (name === 'state') return person.inactive ? messages.inactive : messages.active;
  if (name === 'updatedAt' || name === 'absentUntil') return renderDay(person[name], language, '–');
  if (name === 'country' && person.country !== null) return formatCountry(person.country, language);
  return person[name] ?? '–';
}

/** Formats the names of groups. The page knows only the names of the company's first groups. */
function formatGroups(
  ids: readonly string[],
  groups: PeopleListView['groups'],
  { moreGroups }: PeopleListMessages,
): string {
  const names = groups.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  const others = ids.length - names.length;
  return [...names, ...(others > 0 ? [moreGroups(others)] : [])].join(', ') || '–';
}

export function formatCountry(code: string, language: Language): string {
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(code) ?? code;
}
