import type { BenchDatabase } from './dataset.ts';
import { load, median, startContestant, stopContestant } from './processes.ts';
import type { Figure } from './run.ts';

const DURATION = { duration: 3 };
const ROUNDS = 7;

/** GET /learners/{id}: ours, the bare handler and the stock stack in turn, seven times. */
export async function benchReadOne({ ownerUrl, serviceUrl }: BenchDatabase): Promise<Figure[]> {
  const contestants = {
    bare: await startContestant('tests/bench/contestants/bare.ts', { DATABASE_URL: ownerUrl }),
    stock: await startContestant('tests/bench/contestants/stock.ts', { DATABASE_URL: serviceUrl }),
    ours: await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' }),
  };
  for (const contestant of Object.values(contestants)) await load(contestant, DURATION);
  const toBare: number[] = [];
  const toStock: number[] = [];
  const perSecond: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await load(contestants.bare, DURATION);
    const ours = await load(contestants.ours, DURATION);
    const stock = await load(contestants.stock, DURATION);
    toBare.push(ours / bare);
    toStock.push(ours / stock);
    perSecond.push(ours);
  }
  for (const contestant of Object.values(contestants)) await stopContestant(contestant);
  const what = `\`GET /learners/{learnerId}\`, throughput (here ${Math.round(median(perSecond))} a second)`;
  return [
    {
      what,
      against: 'bare `node:http` + `pg`, no tenancy',
      unit: 'x',
      target: 0.45,
      least: true,
      value: median(toBare),
    },
    { what: 'the same', against: 'the same parts, untuned', unit: 'x', target: 3, least: true, value: median(toStock) },
  ];
}
