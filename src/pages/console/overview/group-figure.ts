import type { Schemas } from '../../../contract/contract.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { type Bar, barChart } from './charts/bar-chart.ts';
import { figure } from './figure-frame.ts';
import { largestGroups } from './figure-rules.ts';
import type { Shown } from './figure-shown.ts';
import { type FirstRows, LIMITS } from './figures.ts';

type Row = Schemas['GroupReportCompany'] | Schemas['GroupReportRow'];

/** How much of their training and policies the groups have behind them. */
export function groupFigure(
  { company, groups }: { company: Row; groups: FirstRows<Schemas['GroupReportRow']> },
  shown: Shown,
): Html {
  const { messages, child } = shown;
  const { title, none, text, cut, head, caption } = messages.groups;
  const drawn = largestGroups(groups.rows);
  const rows = drawn.length === 0 ? [company] : drawn;
  const bars = rows.map((row) => ({ name: row.name, bars: buildBars(row, shown) }));
  return figure(messages, {
    title,
    text: [drawn.length === 0 ? none : text(drawn.length), groups.isCut && cut(LIMITS.groups)]
      .filter(Boolean)
      .join(' '),
    pictures: html`${barChart(title, bars)} ${legend(company, shown)}`,
    table: {
      caption,
      head,
      rows: [
        [messages.groups.company, ...formatCells(company, shown)],
        ...groups.rows.map((row) => [row.name, ...formatCells(row, shown)]),
      ],
    },
    call: { operationId: 'getGroupReport', query: { ...child, ...(groups.isCut && { limit: String(LIMITS.groups) }) } },
  });
}

function buildBars({ training, policies }: Row, { messages, formats }: Shown): Bar[] {
  const bar = (color: Bar['color'], completed: number, all: number): Bar => ({
    color,
    share: all === 0 ? null : completed / all,
    text: all === 0 ? messages.groups.nothing : formats.percent(completed, all),
  });
  return [
    ...(training ? [bar(1, training.finishedCount, training.enrollmentCount)] : []),
    ...(policies ? [bar(2, policies.signedCount, policies.assignedCount)] : []),
  ];
}

function legend({ training, policies }: Row, { messages }: Shown): Html {
  return html`<ul class="legend">
    ${training && html`<li class="color-1">${messages.groups.training}</li>`}
    ${policies && html`<li class="color-2">${messages.groups.policies}</li>`}
  </ul>`;
}

function formatCells(row: Row, { messages, formats }: Shown): string[] {
  const { learnerCount, averageRiskScore, riskScoreLevel, training, policies } = row;
  const { number, percent } = formats;
  const share = (completed: number, all: number) =>
    all === 0 ? messages.groups.nothing : `${percent(completed, all)} (${number(completed)}/${number(all)})`;
  return [
    number(learnerCount),
    averageRiskScore === null || riskScoreLevel === null
      ? '–'
      : `${formats.score(averageRiskScore)} (${messages.levels[riskScoreLevel]})`,
    training ? share(training.finishedCount, training.enrollmentCount) : '–',
    policies ? share(policies.signedCount, policies.assignedCount) : '–',
  ];
}
