import type { Schemas } from '../../../contract/contract.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { funnelChart } from '../overview/charts/funnel-chart.ts';
import type { ApiRequest } from '../../shared/parts/api-calls.ts';
import { figure } from '../overview/figure-frame.ts';
import { type OverviewFigure, run, type Shown } from '../overview/figures.ts';
import { simulationFigureMessages } from './simulation-figure-messages.ts';

type Metrics = Pick<Schemas['SimulationMetrics'], 'totalMetrics' | 'simulations'>;
type Counts = readonly [sent: number, opened: number, visited: number, compromised: number];

/** Maximum number of rows in the table, which shows the newest simulations. */
const MAX_ROWS = 50;
/** Maximum number of simulations with their own funnel. */
const DRAWN = 3;

/** Recipients' reactions to the messages, in all simulations together and in the newest ones. */
export const simulationFigure: OverviewFigure<Metrics> = {
  title: (language) => simulationFigureMessages[language].title,
  async read(reader, child) {
    const { totalMetrics, simulations } = await run(reader, 'getSimulationMetrics', child);
    return { totalMetrics, simulations: simulations as Schemas['SimulationListItem'][] };
  },
  show: showSimulations,
};

/** Returns the simulations that have sent messages, newest first. */
export function newestSimulations(simulations: readonly Schemas['SimulationListItem'][]) {
  return simulations.filter(({ sentCount }) => sentCount > 0).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
}

function showSimulations({ totalMetrics, simulations }: Metrics, shown: Shown): Html {
  const { language, formats, child } = shown;
  const { title, none, all, stages, reported, head, caption, opens, ...texts } = simulationFigureMessages[language];
  const call: ApiRequest = { operationId: 'getSimulationMetrics', query: child };
  const { total, opened, visited, compromised } = totalMetrics;
  if (total === 0) return figure(language, { title, text: none, pictures: null, table: null, call });
  const newest = newestSimulations(simulations);
  const { number } = formats;
  const text = texts.text({
    ...{ sent: number(total), compromised: number(compromised), reported: number(totalMetrics.reported) },
  });
  const funnels = newest.slice(0, DRAWN).map((one) => funnel(one.name, toCounts(one), shown));
  return figure(language, {
    title,
    text: `${text} ${opens}`,
    pictures: html`<div class="pictures">
      ${funnel(all, [total, opened, visited, compromised], shown)} ${newest.length > 1 && funnels}
    </div>`,
    isWide: true,
    table: {
      caption,
      columns: [head, ...stages, reported],
      rows: newest.slice(0, MAX_ROWS).map((one) => [one.name, ...[...toCounts(one), one.reportCount].map(number)]),
    },
    call,
  });
}

function toCounts({ sentCount, openCount, visitCount, compromiseCount }: Schemas['SimulationListItem']): Counts {
  return [sentCount, openCount, visitCount, compromiseCount];
}

function funnel(name: string, counts: Counts, { language, formats }: Shown): Html {
  const [sent] = counts;
  const stages = simulationFigureMessages[language].stages.map((stage, index) => {
    const count = counts[index]!;
    return { name: stage, count, text: `${formats.number(count)} (${formats.percent(count, sent)})` };
  });
  return html`<div>
    <h3>${name}</h3>
    ${funnelChart(stages.map((stage) => `${stage.name} ${stage.text}`).join(', '), stages)}
  </div>`;
}
