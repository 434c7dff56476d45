import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { formFault } from '../../shared/parts/fields.ts';
import { type Filter, filterBar } from '../../shared/parts/filter-bar.ts';
import { pageLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { tiles } from '../../shared/parts/tiles.ts';
import { given, type Report, type ReportContent, type ReportName } from './report.ts';
import type { FilterName, ReportQuery } from './report-query.ts';
import { boardContent } from './board-page.ts';
import { type ReportsMessages, reportsMessages } from './reports-messages.ts';

export const REPORTS_PATH = '/reports';

/**
 * Renders the links to the reports that the admin can read.
 * @param board the report for the board, and whether the admin can read its schedules; false without the report
 */
export function reportsContent(
  names: readonly ReportName[],
  board: { hasSchedules: boolean } | false,
  language: Language,
): Html {
  const { about, nothing, questions } = reportsMessages[language];
  if (names.length === 0 && !board) return emptyState(nothing);
  return html`<p>${about}</p>
    <ul class="items">
      ${names.map((name) => html`<li><a href=${`/console${REPORTS_PATH}/${name}`}>${questions[name]}</a></li>`)}
    </ul>
    ${board && boardContent(language, board.hasSchedules)}`;
}

export interface ReportView {
  report: Report;
  /** Path of the page, relative to the console. */
  path: string;
  /** Link to the page that led here. */
  back: { href: string; text: string };
  query: ReportQuery;
  language: Language;
  /** The content that the filters select; undefined if the operation rejected them. */
  content: ReportContent | undefined;
}

/** Renders a report: its filters, answer, figure, table, CSV and API calls. */
export function reportContent({ report, path, back, query, language, content }: ReportView): Html {
  const messages = reportsMessages[language];
  const { operationId, input } = report.call(query);
  const address = `/console${path}`;
  const values = given({ ...query, cursor: undefined });
  return html`
    <p><a href=${back.href}>${back.text}</a></p>
    ${
      report.filters.length > 0 &&
      filterBar({
        action: address,
        label: messages.filters.label,
        filters: report.filters.map((name) => toFilter(name, report, content, messages)),
        values,
        apply: messages.filters.apply,
        reset: messages.filters.reset,
      })
    }
    ${content ? shown(content, { address, values, cursor: query.cursor }, language) : formFault(messages.wrongDays)}
    ${content && html`<p><a class="button quiet" href=${withQuery(`${address}/csv`, values)}>${messages.csv}</a></p>`}
    ${apiCalls([{ operationId, query: input }, ...(content?.calls ?? []).filter((call) => call !== false)], language)}
  `;
}

interface Address {
  address: string;
  values: Record<string, string>;
  cursor: string | undefined;
}

function shown(content: ReportContent, { address, values, cursor }: Address, language: Language): Html {
  const { table, empty, pages } = reportsMessages[language];
  const { text, pictures, columns, rows, nextCursor, hint } = content;
  const next = nextCursor !== null && {
    href: withQuery(address, { ...values, cursor: nextCursor }),
    text: pages.next,
  };
  return html`
    ${content.tiles && tiles(content.tiles)}
    <p>${text}</p>
    ${pictures} ${rows.length === 0 ? html`<p>${empty}</p>` : dataTable({ caption: table, columns, rows })}
    ${hint && html`<p class="hint">${hint}</p>`}
    ${pageLinks({ label: pages.label, first: cursor !== undefined && { href: withQuery(address, values), text: pages.first }, next })}
  `;
}

function toFilter(
  name: FilterName,
  { needs }: Report,
  content: ReportContent | undefined,
  { filters, parts }: ReportsMessages,
): Filter {
  const label = filters[name];
  if (name === 'by') {
    const names =
      needs === 'getGroupReport' ? (['group', 'department'] as const) : (['department', 'group', 'manager'] as const);
    return { name, label, options: names.map((part) => [part, parts[part]] as const) };
  }
  if (name === 'policyId') {
    const policies = content?.policies ?? [];
    return { name, label, options: [['', filters.all], ...policies.map(({ id, name }) => [id, name] as const)] };
  }
  return { name, label, type: 'date' };
}

function withQuery(path: string, values: Record<string, string>): string {
  const search = new URLSearchParams(values).toString();
  return search === '' ? path : `${path}?${search}`;
}
