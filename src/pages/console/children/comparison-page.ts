import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { cursorLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { barChart } from '../overview/charts/bar-chart.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { childrenMessages } from './children-messages.ts';
import { type ChildrenView, formatMeasure, searchBar } from './children-page.ts';
import { CHILDREN_PATH, COMPARISON_PATH } from './children-paths.ts';
import { MEASURES, type ChildFigures, type Measure } from './children-query.ts';

/** Renders one figure of the companies side by side: bars, and the table of the same values. */
export function comparisonPage(
  { query, items, nextCursor }: ChildrenView,
  language: Language,
): { title: string; content: Html } {
  const messages = childrenMessages[language];
  const measure = query.sort as Measure;
  const { values, cursor } = query;
  const counted = items.map(({ asOf }) => asOf).filter((time) => time !== null);
  return {
    title: messages.compareTitle,
    content: html`<p><a href="/console">${messages.back}</a></p>
      <p>${messages.compareAbout}</p>
      ${values.company !== '' && html`<p class="note">${messages.chosen} <a href=${COMPARISON_PATH}>${messages.compareAll}</a></p>`}
      ${searchBar(COMPARISON_PATH, { query, sorts: MEASURES, label: messages.measure }, language)}
      ${items.length === 0 ? emptyState(values.q === '' && values.company === '' ? messages.none : messages.noMatch) : compared(items, measure, language)}
      ${cursorLinks({ label: messages.pages, path: COMPARISON_PATH, values, cursor, nextCursor }, language)}
      <p class="hint">
        ${counted.length > 0 && messages.asOf(formatTime(counted.toSorted()[0]!, language))} ${messages.counted}
      </p>
      ${apiCalls([{ operationId: 'getCompaniesReport', query: toQuery(query.input) }], language)}`,
  };
}

function compared(items: readonly ChildFigures[], measure: Measure, language: Language): Html {
  const { sorts, columns } = childrenMessages[language];
  const { number } = getFormats(language);
  const whole = getTotal(items, measure);
  const bars = items.map((child) => {
    const value = child[measure];
    const share = value === null ? null : value / whole;
    return {
      name: child.name,
      bars: [{ color: 1 as const, share, text: shorten(formatMeasure(child, measure, language)) }],
    };
  });
  const rows = items.map((child) => [
    html`<a href=${`${CHILDREN_PATH}/${child.id}`}><bdi>${child.name}</bdi></a>`,
    formatMeasure(child, measure, language),
    number(child.learnerCount),
  ]);
  return html`<div class="pictures">
    <div>${barChart(sorts[measure], bars)}</div>
    ${dataTable({
      caption: sorts[measure],
      hasCaption: true,
      columns: [
        columns.company,
        { name: columns[measure], isNumber: true },
        { name: columns.learners, isNumber: true },
      ],
      rows,
    })}
  </div>`;
}

/** Converts the input of the report to the query of its call. */
function toQuery({ companyIds, ...input }: ChildrenView['query']['input']): Record<string, string> {
  return { ...(input as Record<string, string>), ...(companyIds && { companyIds: companyIds.join(',') }) };
}

/** Returns the value of a full bar: 1 for rates, 100 for scores, and the highest count for accounts. */
function getTotal(items: readonly ChildFigures[], measure: Measure): number {
  if (measure === 'averageRiskScore') return 100;
  if (measure !== 'breachedAccounts') return 1;
  return Math.max(1, ...items.map(({ breachedAccounts }) => breachedAccounts ?? 0));
}

/** Formats a score without its level, because a bar has no room for it. */
function shorten(text: string): string {
  return text.replace(/ \(.*\)$/, '');
}

function formatTime(time: string, language: Language): string {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(new Date(time));
}
