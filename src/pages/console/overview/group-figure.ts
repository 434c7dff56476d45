import type { Schemas } from '../../../contract/contract.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { type Bar, barChart } from './charts/bar-chart.ts';
import { figure } from './figure-frame.ts';
import { type FirstRows, type OverviewFigure, readFirstRows, run, type Shown } from './figures.ts';
import { groupFigureMessages } from './group-figure-messages.ts';

/** Maximum number of groups on the chart; the table has up to `MAX_GROUPS`. */
export const DRAWN_GROUPS = 10;
const MAX_GROUPS = 100;

type Row = Schemas['GroupReportCompany'] | Schemas['GroupReportRow'];

interface Groups {
  company: Schemas['GroupReportCompany'];
  groups: FirstRows<Schemas['GroupReportRow']>;
}

/** The share of training and policies that each group has completed. */
export const groupFigure: OverviewFigure<Groups> = {
  title: (language) => groupFigureMessages[language].title,
  async read(reader, child) {
    const { company, groups } = await run(reader, 'getGroupReport', child);
    return { company, groups: await readFirstRows(groups, MAX_GROUPS) };
  },
  show: showGroups,
};

/** Returns the groups with the most learners, largest first. */
export function largestGroups<T extends { learnerCount: number }>(groups: readonly T[]): T[] {
  return groups.toSorted((a, b) => b.learnerCount - a.learnerCount).slice(0, DRAWN_GROUPS);
}

function showGroups({ company, groups }: Groups, shown: Shown): Html {
  const { language, child } = shown;
  const { title, none, text, cut, head, caption, company: whole } = groupFigureMessages[language];
  const drawn = largestGroups(groups.rows);
  const rows = drawn.length === 0 ? [company] : drawn;
  const bars = rows.map((row) => ({ name: row.name, bars: buildBars(row, shown) }));
  return figure(language, {
    title,
    text: [drawn.length === 0 ? none : text(drawn.length), groups.isCut && cut(MAX_GROUPS)].filter(Boolean).join(' '),
    pictures: html`${barChart(title, bars)} ${legend(company, shown)}`,
    table: {
      caption,
      columns: head,
      rows: [
        [whole, ...formatCells(company, shown)],
        ...groups.rows.map((row) => [row.name, ...formatCells(row, shown)]),
      ],
    },
    call: { operationId: 'getGroupReport', query: { ...child, ...(groups.isCut && { limit: String(MAX_GROUPS) }) } },
  });
}

function buildBars({ training, policies }: Row, { language, formats }: Shown): Bar[] {
  const { nothing } = groupFigureMessages[language];
  const bar = (color: Bar['color'], completed: number, all: number): Bar => ({
    color,
    share: all === 0 ? null : completed / all,
    text: all === 0 ? nothing : formats.percent(completed, all),
  });
  return [
    ...(training ? [bar(1, training.finishedCount, training.enrollmentCount)] : []),
    ...(policies ? [bar(2, policies.signedCount, policies.assignedCount)] : []),
  ];
}

function legend({ training, policies }: Row, { language }: Shown): Html {
  const messages = groupFigureMessages[language];
  return html`<ul class="legend">
    ${training && html`<li class="color-1">${messages.training}</li>`}
    ${policies && html`<li class="color-2">${messages.policies}</li>`}
  </ul>`;
}

function formatCells(row: Row, { language, messages, formats }: Shown): string[] {
  const { nothing } = groupFigureMessages[language];
  const { learnerCount, averageRiskScore, riskScoreLevel, training, policies } = row;
  const { number, percent } = formats;
  const share = (completed: number, all: number) =>
    all === 0 ? nothing : `${percent(completed, all)} (${number(completed)}/${number(all)})`;
  return [
    number(learnerCount),
    averageRiskScore === null || riskScoreLevel === null
      ? '–'
      : `${formats.score(averageRiskScore)} (${messages.levels[riskScoreLevel]})`,
    training ? share(training.finishedCount, training.enrollmentCount) : '–',
    policies ? share(policies.signedCount, policies.assignedCount) : '–',
  ];
}
