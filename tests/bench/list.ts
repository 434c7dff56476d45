import { writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { API_KEY, type BenchDatabase, COMPANY_ID, LEARNERS } from './dataset.ts';
import { median, residentMib, startContestant, stopContestant, timeInPsql } from './processes.ts';
import type { Figure } from './run.ts';

const ROUNDS = 9;
const agent = new Agent({ keepAlive: true });
const headers = { authorization: `Bearer ${API_KEY.key}` };

const COPY = `\\timing on
\\copy (select json_build_object('id', id, 'email', email, 'externalLearnerId', external_learner_id, 'name', first_name || ' ' || last_name, 'inactive', inactive) from learners where company_id = '${COMPANY_ID}' order by id) to '/dev/null'
`;

/** GET /learners of 100,000: time, memory, and what a second client feels meanwhile. */
export async function benchList({ ownerUrl, serviceUrl }: BenchDatabase, folder: string): Promise<Figure[]> {
  const script = join(folder, 'copy.sql');
  await writeFile(script, COPY);
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const list = () => timeGet(`${ours.url}/learners`);
  for (let i = 0; i < 3; i++) {
    await list();
    await timeInPsql(ownerUrl, script);
  }
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const copied = await timeInPsql(ownerUrl, script);
    ratios.push((await list()) / copied);
  }
  const growth = await memoryGrowth(ours.child.pid!, list);
  const p99 = await secondClientP99(`${ours.url}/company`, list);
  await stopContestant(ours);
  const what = `\`GET /learners\` of ${LEARNERS.toLocaleString('en')} learners`;
  return [
    { what, against: '`psql` copy of the same JSON', unit: 'x', target: 1.5, least: false, value: median(ratios) },
    {
      what: 'the same, growth of the process',
      against: 'its memory at rest',
      unit: 'MiB',
      target: 64,
      least: false,
      value: growth,
    },
    {
      what: '`GET /company` of a second client meanwhile, p99',
      against: '',
      unit: 'ms',
      target: 25,
      least: false,
      value: p99,
    },
  ];
}

/** Milliseconds until the last byte. */
function timeGet(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - startedAt));
    }).on('error', reject);
  });
}

/** The peak of ten lists in a row over the memory before them. */
async function memoryGrowth(pid: number, list: () => Promise<number>): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const atRest = residentMib(pid);
  let peak = atRest;
  const sampler = setInterval(() => (peak = Math.max(peak, residentMib(pid))), 10);
  for (let i = 0; i < 10; i++) await list();
  clearInterval(sampler);
  return peak - atRest;
}

async function secondClientP99(url: string, list: () => Promise<number>): Promise<number> {
  let listing = true;
  const lists = (async () => {
    while (listing) await list();
  })();
  const times: number[] = [];
  while (times.length < 500) {
    times.push(await timeGet(url));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  listing = false;
  await lists;
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}
