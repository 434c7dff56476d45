import type { Schemas } from '../../contract/contract.ts';
import type { Language } from '../../contract/languages.ts';
import { type Html, html } from '../../http/html/html.ts';
import type { Child, Children } from './children.ts';
import { CHILDREN_TO_A_PAGE } from './children.ts';
import { apiCalls } from '../shared/parts/api-calls.ts';
import { pageLinks } from '../shared/parts/page-links.ts';
import { type Cell, dataTable } from '../shared/parts/table.ts';
import { getFormats } from './overview/figure-formats.ts';
import { figureMessages } from './overview/figure-messages.ts';
import { overviewMessages } from './overview/overview-messages.ts';

/** Renders the companies of an MSP or a distributor, each with its figures and a link to its page. */
export function childrenPage(
  { total, before, children }: Children,
  language: Language,
): { title: string; content: Html } {
  const { title, none, caption, head, own, shown } = overviewMessages[language].children;
  const { number } = getFormats(language);
  const rows = children.map((child) => childRow(child, language));
  const table = html`${dataTable({ caption, hasCaption: true, columns: head, rows })}
    <p>${shown(number(before + 1), number(before + children.length), number(total))}</p>
    ${linkPages({ total, before }, language)}`;
  return {
    title,
    content: html`${total > 0 ? table : html`<p>${none}</p>`}
      <p><a href="/console/company">${own}</a></p>
      ${apiCalls([{ operationId: 'listCompanies' }, { operationId: 'getGroupReport', query: { companyId: '…' } }], language)}`,
  };
}

function childRow({ company, figures }: Child, language: Language): Cell[] {
  const { notNow, trial } = overviewMessages[language].children;
  const { number } = getFormats(language);
  const { plan, name, isTrial, id } = company;
  const { learnerCount, learnerLimit } = plan;
  const cells = 'data' in figures ? formatCells(figures.data, language) : [notNow, notNow, notNow];
  return [
    html`<a href=${`/console/companies/${id}`}>${name}</a>${isTrial && ` (${trial})`}`,
    `${number(learnerCount)}${learnerLimit === null ? '' : ` / ${number(learnerLimit)}`}`,
    ...cells,
  ];
}

function formatCells(figures: Schemas['GroupReportCompany'], language: Language): string[] {
  const { averageRiskScore, riskScoreLevel, training, policies } = figures;
  const { score, percent } = getFormats(language);
  const share = (completed: number, all: number) => (all === 0 ? '–' : percent(completed, all));
  return [
    averageRiskScore === null || riskScoreLevel === null
      ? '–'
      : `${score(averageRiskScore)} (${figureMessages[language].levels[riskScoreLevel]})`,
    training ? share(training.finishedCount, training.enrollmentCount) : '–',
    policies ? share(policies.signedCount, policies.assignedCount) : '–',
  ];
}

function linkPages({ total, before }: Pick<Children, 'total' | 'before'>, language: Language): Html | false {
  const { previous, next, title } = overviewMessages[language].children;
  const number = before / CHILDREN_TO_A_PAGE + 1;
  const link = (page: number, text: string) => ({ href: `/console?page=${page}`, text });
  return pageLinks({
    label: title,
    previous: number > 1 && link(number - 1, previous),
    next: total > before + CHILDREN_TO_A_PAGE && link(number + 1, next),
  });
}
