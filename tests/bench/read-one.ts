import autocannon from 'autocannon';
import { API_KEY, type BenchDatabase, LEARNER_ID } from './dataset.ts';
import { type Contestant, median, startContestant, stopContestant } from './processes.ts';
import type { Figure } from './run.ts';

const CONNECTIONS = 16;
const SECONDS = 3;
const ROUNDS = 7;

/** GET /learners/{id}: ours, the bare handler and the stock stack in turn, seven times. */
export async function benchReadOne({ ownerUrl, serviceUrl }: BenchDatabase): Promise<Figure[]> {
  const contestants = {
    bare: await startContestant('tests/bench/contestants/bare.ts', { DATABASE_URL: ownerUrl }),
    stock: await startContestant('tests/bench/contestants/stock.ts', { DATABASE_URL: serviceUrl }),
    ours: await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' }),
  };
  for (const contestant of Object.values(contestants)) await load(contestant);
  const toBare: number[] = [];
  const toStock: number[] = [];
  const perSecond: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bare = await load(contestants.bare);
    const ours = await load(contestants.ours);
    const stock = await load(contestants.stock);
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

/** Requests a second. */
async function load({ url }: Contestant): Promise<number> {
  const result = await autocannon({
    url: `${url}/learners/${LEARNER_ID}`,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { authorization: `Bearer ${API_KEY.key}` },
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed under load`);
  return result.requests.average;
}
