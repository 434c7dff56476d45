import pg from 'pg';
import { bulkBody, emptyBulkCompany, timePost } from './bulk.ts';
import { type BenchDatabase, SMALL_API_KEY, SMALL_COMPANY_ID, SMALL_LIST } from './dataset.ts';
import { type Contestant, load, median, startContestant, stopContestant, timeGet } from './processes.ts';
import type { Figure } from './run.ts';

const DURATION = { duration: 3 };
const ROUNDS = 11;
const CALLS_BESIDE_BULK = 500;
const LIST = { path: '/learners', key: SMALL_API_KEY.key };

/**
 * Measures GET /learners of 100 learners: alternating with the bare handler, and during another company's bulk
 * creations.
 */
export async function benchSmallList({ ownerUrl, serviceUrl }: BenchDatabase): Promise<Figure[]> {
  const bare = await startContestant('tests/bench/contestants/bare.ts', {
    DATABASE_URL: ownerUrl,
    COMPANY_ID: SMALL_COMPANY_ID,
  });
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  for (const contestant of [bare, ours]) await load(contestant, DURATION, LIST);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const barePerSecond = await load(bare, DURATION, LIST);
    ratios.push((await load(ours, DURATION, LIST)) / barePerSecond);
  }
  const p99 = await measureP99DuringBulk(ours, ownerUrl);
  for (const contestant of [bare, ours]) await stopContestant(contestant);
  const what = `\`GET /learners\` of ${SMALL_LIST} learners`;
  return [
    {
      what: `${what}, throughput`,
      against: 'bare `node:http` + `pg`, no tenancy, a pool of 10',
      unit: 'x',
      target: 0.8,
      least: true,
      value: median(ratios),
    },
    {
      what: `${what} during \`POST /learners/bulk\` of 10,000 by another company, p99`,
      against: '',
      unit: 'ms',
      target: 50,
      least: false,
      value: p99,
    },
  ];
}

/** Returns the p99 of consecutive calls in milliseconds while another company makes bulk creations. */
async function measureP99DuringBulk({ url }: Contestant, ownerUrl: string): Promise<number> {
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  const body = bulkBody();
  const times: number[] = [];
  while (times.length < CALLS_BESIDE_BULK) {
    let isOver = false;
    const bulk = timePost(`${url}/learners/bulk`, body).finally(() => (isOver = true));
    while (!isOver) {
      times.push(await timeGet(url + LIST.path, LIST.key));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await bulk;
    await emptyBulkCompany(owner);
  }
  await owner.end();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}
