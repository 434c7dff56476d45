import type { Schemas } from '../../../contract/contract.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { type Bar, barChart, type BarRow } from '../overview/charts/bar-chart.ts';
import type { Formats } from '../overview/figure-formats.ts';
import { figureMessages } from '../overview/figure-messages.ts';
import { largestGroups } from '../overview/group-figure.ts';
import { given, type Report, type ReportContent, type ReportReader, runFor } from './report.ts';
import { reportsMessages } from './reports-messages.ts';

type Company = Schemas['GroupReportCompany'];
type Row = Schemas['GroupReportRow'] | Schemas['DepartmentReportRow'];

/** Report on the company's current state: training and policies by group or department. */
export const participationReport: Report = {
  needs: 'getGroupReport',
  filters: ['by', 'from', 'to', 'asOf'],
  call({ by, from, to, asOf }) {
    return by === 'department'
      ? { operationId: 'getDepartmentReport', input: {} }
      : { operationId: 'getGroupReport', input: given({ from, to, asOf }) };
  },
  async read(reader) {
    const { runs, admin, query } = reader;
    const { from, to, asOf, by } = query;
    const input = given({ from, to, asOf });
    if (by !== 'department') {
      const { items, data, nextCursor } = await runs.page('getGroupReport', admin.caller, input, query.cursor);
      return show(reader, data.company, items, nextCursor);
    }
    const { company } = await runFor(reader, 'getGroupReport', input);
    const { items, nextCursor } = await runs.page('getDepartmentReport', admin.caller, {}, query.cursor);
    return {
      ...show(reader, company, items, nextCursor),
      calls: [{ operationId: 'getGroupReport', query: input }],
      hint: asOf !== undefined && reportsMessages[admin.language].departmentsToday,
    };
  },
};

function show(reader: ReportReader, company: Company, items: readonly Row[], nextCursor: string | null): ReportContent {
  const { admin, formats } = reader;
  const { participation, none, noMean, columns } = reportsMessages[admin.language];
  const { levels } = figureMessages[admin.language];
  const { training, policies, averageRiskScore, riskScoreLevel } = company;
  const finished = training && formatShare(training.finishedCount, training.enrollmentCount, formats);
  const signed = policies && formatShare(policies.signedCount, policies.assignedCount, formats);
  const drawn = largestGroups(items);
  return {
    text: participation(formats.number(company.learnerCount)),
    tiles: [
      { name: columns.learners, value: formats.number(company.learnerCount) },
      training && { name: columns.finished, value: finished ?? none },
      policies && { name: columns.signed, value: signed ?? none },
      {
        name: columns.risk,
        value:
          averageRiskScore === null || riskScoreLevel === null
            ? noMean
            : `${formats.score(averageRiskScore)} (${levels[riskScoreLevel]})`,
      },
    ],
    pictures: html`${barChart(
      participation(formats.number(company.learnerCount)),
      [company, ...drawn].map((row) => buildBars(row, reader)),
    )}
    ${legend(company, reader)}`,
    columns: [
      columns.part,
      ...[columns.learners, columns.finished, columns.signed].map(asNumber),
      ...(items.some((row) => 'simulations' in row)
        ? [columns.risk, columns.clicked, columns.reported].map(asNumber)
        : []),
    ],
    rows: items.map((row) => formatRow(row, reader)),
    nextCursor,
  };
}

const asNumber = (name: string) => ({ name, isNumber: true });

function formatRow(row: Row, { admin, formats }: ReportReader): string[] {
  const { none, noMean, noDepartment } = reportsMessages[admin.language];
  const { levels } = figureMessages[admin.language];
  const { number } = formats;
  const share = (completed: number, all: number) => {
    const percent = formatShare(completed, all, formats);
    return percent === null ? none : `${percent} (${number(completed)}/${number(all)})`;
  };
  const { name, learnerCount, training, policies } = row;
  const cells = [
    name ?? noDepartment,
    number(learnerCount),
    training ? share(training.finishedCount, training.enrollmentCount) : '–',
    policies ? share(policies.signedCount, policies.assignedCount) : '–',
  ];
  if (!('simulations' in row)) return cells;
  const { averageRiskScore, riskScoreLevel, simulations } = row;
  const rate = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : formats.percent(value, 1);
  return [
    ...cells,
    averageRiskScore === null || riskScoreLevel === null
      ? noMean
      : `${formats.score(averageRiskScore)} (${levels[riskScoreLevel]})`,
    rate(simulations?.clickRate),
    rate(simulations?.reportRate),
  ];
}

function buildBars({ name, training, policies }: Row | Company, { admin, formats }: ReportReader): BarRow {
  const { none, noDepartment } = reportsMessages[admin.language];
  const bar = (color: Bar['color'], completed: number, all: number): Bar => ({
    color,
    share: all === 0 ? null : completed / all,
    text: formatShare(completed, all, formats) ?? none,
  });
  const bars = [
    ...(training ? [bar(1, training.finishedCount, training.enrollmentCount)] : []),
    ...(policies ? [bar(2, policies.signedCount, policies.assignedCount)] : []),
  ];
  return { name: name ?? noDepartment, bars };
}

function legend({ training, policies }: Company, { admin }: ReportReader): Html {
  const { columns } = reportsMessages[admin.language];
  return html`<ul class="legend">
    ${training && html`<li class="color-1">${columns.finished}</li>`}
    ${policies && html`<li class="color-2">${columns.signed}</li>`}
  </ul>`;
}

/** Formats a share as a percentage; null if the whole is zero. */
function formatShare(part: number, whole: number, { percent }: Formats): string | null {
  return whole === 0 ? null : percent(part, whole);
}
