import type { Schemas } from '../../contract/contract.ts';
import type { Language } from '../../contract/languages.ts';
import { type Html, html } from '../../http/html/html.ts';
import type { Child, Children } from './children.ts';
import { CHILDREN_TO_A_PAGE } from './children.ts';
import { toPath } from './overview/figure-frame.ts';
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
  const table = html`<div class="table" role="region" aria-label=${caption} tabindex="0">
      <table>
        <caption>
          ${caption}
        </caption>
        <thead>
          <tr>
            ${head.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${children.map((child) => childRow(child, language))}
        </tbody>
      </table>
    </div>
    <p>${shown(number(before + 1), number(before + children.length), number(total))}</p>
    ${pageLinks({ total, before }, language)}`;
  return {
    title,
    content: html`${total > 0 ? table : html`<p>${none}</p>`}
      <p><a href="/console/company">${own}</a></p>
      <p class="hint">
        ${figureMessages[language].sameByApi}${' '}<a href="/docs/operations/listCompanies"
          ><code>GET ${toPath({ operationId: 'listCompanies' })}</code></a
        >,${' '}<a href="/docs/operations/getGroupReport"
          ><code>GET ${toPath({ operationId: 'getGroupReport' })}?companyId=…</code></a
        >
      </p>`,
  };
}

function childRow({ company, figures }: Child, language: Language): Html {
  const { notNow, trial } = overviewMessages[language].children;
  const { number } = getFormats(language);
  const { plan, name, isTrial, id } = company;
  const { learnerCount, learnerLimit } = plan;
  const cells = 'data' in figures ? formatCells(figures.data, language) : [notNow, notNow, notNow];
  return html`<tr>
    <th scope="row"><a href=${`/console/companies/${id}`}>${name}</a>${isTrial && ` (${trial})`}</th>
    <td>${number(learnerCount)}${learnerLimit !== null && ` / ${number(learnerLimit)}`}</td>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`;
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

function pageLinks({ total, before }: Pick<Children, 'total' | 'before'>, language: Language): Html | false {
  const { previous, next, title } = overviewMessages[language].children;
  const number = before / CHILDREN_TO_A_PAGE + 1;
  if (total <= CHILDREN_TO_A_PAGE) return false;
  return html`<nav aria-label=${title} class="pages">
    ${number > 1 && html`<a href=${`/console?page=${number - 1}`} rel="prev">${previous}</a>`}
    ${total > before + CHILDREN_TO_A_PAGE && html`<a href=${`/console?page=${number + 1}`} rel="next">${next}</a>`}
  </nav>`;
}
