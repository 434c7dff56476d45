import type { BenchDatabase } from './dataset.ts';
import { load, median, startContestant, stopContestant } from './processes.ts';
import type { Figure } from './run.ts';

const DURATION = { duration: 3 };
const ROUNDS = 11;

/** Measures GET /learners/{id}: the service, the two bare handlers and the stock stack, alternating eleven times. */
export async function benchReadOne({ ownerUrl, serviceUrl }: BenchDatabase): Promise<Figure[]> {
  const contestants = {
    pool: await startContestant('tests/bench/contestants/bare.ts', { DATABASE_URL: ownerUrl }),
    pipeline: await startContestant('tests/bench/contestants/bare-pipeline.ts', { DATABASE_URL: ownerUrl }),
    stock: await startContestant('tests/bench/contestants/stock.ts', { DATABASE_URL: serviceUrl }),
    ours: await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' }),
  };
  for (const contestant of Object.values(contestants)) await load(contestant, DURATION);
  const ratios = { pool: [] as number[], pipeline: [] as number[], stock: [] as number[] };
  const perSecond: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await load(contestants.ours, DURATION);
    for (const other of ['pool', 'pipeline', 'stock'] as const) {
      ratios[other].push(ours / (await load(contestants[other], DURATION)));
    }
    perSecond.push(ours);
  }
  for (const contestant of Object.values(contestants)) await stopContestant(contestant);
  const what = `\`GET /learners/{learnerId}\`, throughput (here ${Math.round(median(perSecond))} a second)`;
  const figure = { what: 'the same', unit: 'x', least: true } as const;
  const bare = 'bare `node:http` + `pg`, no tenancy';
  return [
    { ...figure, what, against: `${bare}, a pool of 10`, target: 0.95, value: median(ratios.pool) },
    { ...figure, against: `${bare}, two pipelined connections`, target: 0.75, value: median(ratios.pipeline) },
    { ...figure, against: 'the same parts, untuned', target: 10, value: median(ratios.stock) },
  ];
}
