import type { Schemas } from '../../../contract/contract.ts';
import { html } from '../../../http/html/html.ts';
import { lineChart } from '../overview/charts/line-chart.ts';
import { newestSimulations } from '../simulations/simulation-figure.ts';
import { given, type Report, type ReportReader, runFor } from './report.ts';
import type { ReportQuery } from './report-query.ts';
import { reportsMessages } from './reports-messages.ts';

type Simulation = Schemas['SimulationListItem'];

/** Maximum number of simulations on the page: the newest ones. The CSV has all of them. */
const MAX_SIMULATIONS = 100;

const toInput = ({ from, to, asOf }: ReportQuery) => given({ from, to, asOf });

/** The report on simulations: clicks and reports of each, and over time. */
export const simulationsReport: Report = {
  needs: 'getSimulationMetrics',
  filters: ['from', 'to', 'asOf'],
  call: (query) => ({ operationId: 'getSimulationMetrics', input: toInput(query) }),
  async read(reader) {
    const { admin, query, formats } = reader;
    const { simulations: texts, columns, cut } = reportsMessages[admin.language];
    const { totalMetrics, simulations } = await runFor(reader, 'getSimulationMetrics', toInput(query));
    const { total, visited, compromised, reported } = totalMetrics;
    const { number, percent } = formats;
    const all = newestSimulations(simulations);
    const shown = all.slice(0, MAX_SIMULATIONS);
    const rate = (count: number, sent: number) => `${percent(count, sent)} (${number(count)})`;
    return {
      text: total === 0 ? texts.none : texts.text(number(total)),
      tiles:
        total === 0
          ? undefined
          : [
              { name: columns.clicked, value: percent(visited, total) },
              { name: columns.gaveData, value: percent(compromised, total) },
              { name: columns.reported, value: percent(reported, total) },
            ],
      pictures: draw(shown, reader),
      columns: [
        columns.simulation,
        columns.start,
        ...[columns.sent, columns.clicked, columns.gaveData, columns.reported].map((name) => ({
          name,
          isNumber: true,
        })),
      ],
      rows: shown.map(({ name, startDate, sentCount, visitCount, compromiseCount, reportCount }) => [
        name,
        startDate === null ? '–' : formats.day(startDate),
        number(sentCount),
        ...[visitCount, compromiseCount, reportCount].map((count) => rate(count, sentCount)),
      ]),
      nextCursor: null,
      hint: all.length > shown.length && cut(number(MAX_SIMULATIONS)),
    };
  },
};

function draw(simulations: readonly Simulation[], { admin, formats }: ReportReader) {
  const { simulations: texts } = reportsMessages[admin.language];
  const begun = simulations.filter(({ startDate }) => startDate !== null).toReversed();
  const chart = (title: string, count: (simulation: Simulation) => number) =>
    html`<div>
      <h2>${title}</h2>
      ${lineChart({
        label: title,
        points: begun.map((one) => ({ date: new Date(one.startDate!), value: (100 * count(one)) / one.sentCount })),
        domain: [0, 100],
        ticks: [0, 25, 50, 75, 100],
        value: (value) => formats.percent(Math.round(value), 100),
        day: formats.shortDay,
      })}
    </div>`;
  if (begun.length < 2) return false;
  return html`<div class="pictures">
    ${chart(texts.clicksOverTime, ({ visitCount }) => visitCount)}
    ${chart(texts.reportsOverTime, ({ reportCount }) => reportCount)}
  </div>`;
}
