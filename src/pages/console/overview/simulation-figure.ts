import type { Schemas } from '../../../contract/contract.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { funnelChart } from './charts/funnel-chart.ts';
import { figure, type SameCall } from './figure-frame.ts';
import { DRAWN, newestSimulations } from './figure-rules.ts';
import type { Shown } from './figure-shown.ts';

type Metrics = Pick<Schemas['SimulationMetrics'], 'totalMetrics' | 'simulations'>;
type Counts = readonly [sent: number, opened: number, visited: number, compromised: number];

/** The table has the newest of these. */
const MAX_ROWS = 50;

/** What became of the messages: of all simulations together, and of the newest ones. */
export function simulationFigure({ totalMetrics, simulations }: Metrics, shown: Shown): Html {
  const { messages, formats, child } = shown;
  const { title, none, all, stages, reported, head, caption, opens } = messages.simulations;
  const call: SameCall = { operationId: 'getSimulationMetrics', query: child };
  const { total, opened, visited, compromised } = totalMetrics;
  if (total === 0) return figure(messages, { title, text: none, pictures: null, table: null, call });
  const newest = newestSimulations(simulations);
  const { number } = formats;
  const text = messages.simulations.text({
    ...{ sent: number(total), compromised: number(compromised), reported: number(totalMetrics.reported) },
  });
  const funnels = newest.slice(0, DRAWN.simulations).map((one) => funnel(one.name, toCounts(one), shown));
  return figure(messages, {
    title,
    text: `${text} ${opens}`,
    pictures: html`<div class="pictures">
      ${funnel(all, [total, opened, visited, compromised], shown)} ${newest.length > 1 && funnels}
    </div>`,
    isWide: true,
    table: {
      caption,
      head: [head, ...stages, reported],
      rows: newest.slice(0, MAX_ROWS).map((one) => [one.name, ...[...toCounts(one), one.reportCount].map(number)]),
    },
    call,
  });
}

function toCounts({ sentCount, openCount, visitCount, compromiseCount }: Schemas['SimulationListItem']): Counts {
  return [sentCount, openCount, visitCount, compromiseCount];
}

function funnel(name: string, counts: Counts, { messages, formats }: Shown): Html {
  const [sent] = counts;
  const stages = messages.simulations.stages.map((stage, index) => {
    const count = counts[index]!;
    return { name: stage, count, text: `${formats.number(count)} (${formats.percent(count, sent)})` };
  });
  return html`<div>
    <h3>${name}</h3>
    ${funnelChart(stages.map((stage) => `${stage.name} ${stage.text}`).join(', '), stages)}
  </div>`;
}
