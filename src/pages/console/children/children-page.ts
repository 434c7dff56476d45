import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { type Filter, filterBar } from '../../shared/parts/filter-bar.ts';
import { cursorLinks } from '../../shared/parts/page-links.ts';
import { type Cell, type Column, dataTable, type Selection } from '../../shared/parts/table.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { figureMessages } from '../overview/figure-messages.ts';
import { childrenMessages } from './children-messages.ts';
import { CHILDREN_PATH, COMPARISON_PATH } from './children-paths.ts';
import { type ChildFigures, type ChildrenQuery, type CompaniesSort, SORTS } from './children-query.ts';

const LIST_PATH = '/console';
const NOTHING = '–';

export interface ChildrenView {
  query: ChildrenQuery;
  items: readonly ChildFigures[];
  nextCursor: string | null;
}

/** Renders the companies of an MSP or a distributor with the figures of last night, and a link to the pages of each. */
export function childrenPage(
  { query, items, nextCursor }: ChildrenView,
  language: Language,
): { title: string; content: Html } {
  const messages = childrenMessages[language];
  const { values, cursor } = query;
  const isSearch = values.q !== '';
  const table = html`${dataTable({
      caption: messages.caption,
      hasCaption: true,
      columns: toColumns(query, language),
      rows: items.map((child) => toRow(child, language)),
      ...(items.length > 1 && { selection: toSelection(items, messages.choose) }),
    })}
    ${items.length > 1 && chosenForm(messages.compareChosen)}
    ${cursorLinks({ label: messages.pages, path: LIST_PATH, values, cursor, nextCursor }, language)}
    <p class="hint">${messages.counted}</p>`;
  const isEmpty = items.length === 0;
  const compare = `${COMPARISON_PATH}${isSearch ? `?${new URLSearchParams({ q: values.q! }).toString()}` : ''}`;
  return {
    title: messages.title,
    content: html`${(!isEmpty || isSearch) && searchBar(LIST_PATH, { query, sorts: SORTS, label: messages.sort }, language)}
      ${isEmpty ? emptyState(isSearch ? messages.noMatch : messages.none) : table}
      ${!isEmpty && html`<p><a class="button" href=${compare}>${messages.compare}</a></p>`}
      <p><a href="/console/company">${messages.own}</a></p>
      ${apiCalls([{ operationId: 'getCompaniesReport', query: query.input as Record<string, string> }], language)}`,
  };
}

const COMPARE_FORM = 'compare';

/** Returns a check box for each company; the checked companies are compared. */
function toSelection(items: readonly ChildFigures[], label: (name: string) => string): Selection {
  return {
    form: COMPARE_FORM,
    field: 'company',
    boxes: items.map(({ id, name }) => ({ value: id, label: label(name) })),
  };
}

/** Renders the form of the check boxes. It submits by GET, so the selection can be bookmarked. */
function chosenForm(button: string): Html {
  return html`<form id=${COMPARE_FORM} method="get" action=${COMPARISON_PATH}>
    <button class="quiet" type="submit">${button}</button>
  </form>`;
}

/** Renders the search by name and the choice of an order. Keeps the selected companies. */
export function searchBar(
  action: string,
  { query, sorts, label }: { query: ChildrenQuery; sorts: readonly CompaniesSort[]; label: string },
  language: Language,
): Html {
  const { search, filters, apply, reset, sorts: names } = childrenMessages[language];
  const all: Filter[] = [
    { name: 'q', label: search },
    { name: 'sort', label, options: sorts.map((sort, index) => [index === 0 ? '' : sort, names[sort]] as const) },
  ];
  const { company } = query.values;
  const more = company ? html`<input type="hidden" name="company" value=${company} />` : undefined;
  return filterBar({ action, label: filters, filters: all, values: query.values, apply, reset, ...(more && { more }) });
}

/** Returns the headings. Headings of sortable columns are links. */
function toColumns({ values, sort }: ChildrenQuery, language: Language): Column[] {
  const { columns } = childrenMessages[language];
  return SORTS.map((name) => {
    const search = new URLSearchParams({
      ...(values.q !== '' && { q: values.q! }),
      ...(name !== 'companyName' && { sort: name }),
    });
    const text = search.toString();
    const order = isAscending(name) ? ('ascending' as const) : ('descending' as const);
    return {
      name: name === 'companyName' ? columns.company : name === 'learnerCount' ? columns.learners : columns[name],
      isNumber: name !== 'companyName' && name !== 'lastActivityAt',
      sort: { href: text === '' ? LIST_PATH : `${LIST_PATH}?${text}`, order: sort === name ? order : undefined },
    };
  });
}

/** Reports whether an order begins with the lowest value. */
function isAscending(sort: CompaniesSort): boolean {
  return sort === 'companyName' || sort === 'reportRate' || sort === 'lastActivityAt';
}

function toRow(child: ChildFigures, language: Language): Cell[] {
  const { trial, notYet } = childrenMessages[language];
  const { number, day } = getFormats(language);
  const { id, name, isTrial, learnerCount, asOf, overdueLearners, breachedAccounts, lastActivityAt } = child;
  const overdue = formatMeasure(child, 'overdueRate', language);
  return [
    html`<a href=${`${CHILDREN_PATH}/${id}`}><bdi>${name}</bdi></a
      >${isTrial && ` (${trial})`}${asOf === null && html`<br /><small>${notYet}</small>`}`,
    number(learnerCount),
    overdueLearners === null || overdue === NOTHING ? overdue : `${overdue} (${number(overdueLearners)})`,
    formatMeasure(child, 'clickRate', language),
    formatMeasure(child, 'reportRate', language),
    breachedAccounts === null ? NOTHING : number(breachedAccounts),
    formatMeasure(child, 'averageRiskScore', language),
    lastActivityAt === null ? NOTHING : day(lastActivityAt),
  ];
}

/** Formats a company's figure; returns a dash if it is missing. */
export function formatMeasure(
  { riskScoreLevel, ...child }: ChildFigures,
  measure: 'overdueRate' | 'clickRate' | 'reportRate' | 'averageRiskScore' | 'breachedAccounts',
  language: Language,
): string {
  const { number, score } = getFormats(language);
  const value = child[measure];
  if (value === null) return NOTHING;
  if (measure === 'breachedAccounts') return number(value);
  if (measure === 'averageRiskScore') return `${score(value)} (${figureMessages[language].levels[riskScoreLevel!]})`;
  const locale = language === 'en' ? 'en-GB' : language;
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value);
}
