import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { API_KEY, type BenchDatabase, COMPANY_ID, LEARNERS } from './dataset.ts';
import { median, memoryGrowth, startContestant, stopContestant, timeGet, timeInPsql } from './processes.ts';
import type { Figure } from './run.ts';

const ROUNDS = 9;
const headers = { authorization: `Bearer ${API_KEY.key}` };

const COPY = `\\timing on
\\copy (select json_build_object('id', id, 'email', email, 'externalLearnerId', external_learner_id, 'name', first_name || ' ' || last_name, 'inactive', inactive, 'updatedAt', updated_at, 'locale', locale, 'riskScoreLevel', case when risk_score < 25 then 'low' when risk_score < 50 then 'moderate' when risk_score < 75 then 'high' else 'critical' end, 'groupIds', array(select group_id from group_learners g where g.company_id = '${COMPANY_ID}' and g.learner_id = l.id order by group_id)) from learners l where company_id = '${COMPANY_ID}' order by id) to '/dev/null'
`;

/** Measures GET /learners of 100,000 learners: time, memory, and the latency of a second client in the meantime. */
export async function benchList({ ownerUrl, serviceUrl }: BenchDatabase, folder: string): Promise<Figure[]> {
  const script = join(folder, 'copy.sql');
  await writeFile(script, COPY);
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const list = () => timeGet(`${ours.url}/learners`, API_KEY.key);
  // Measures memory first, before the process has handled a list.
  const growth = await memoryGrowth(ours, list, 10);
  for (let i = 0; i < 3; i++) await timeInPsql(ownerUrl, script);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const copied = await timeInPsql(ownerUrl, script);
    ratios.push((await list()) / copied);
  }
  const p99 = await secondClientP99(`${ours.url}/company`, `${ours.url}/learners`);
  await stopContestant(ours);
  const what = `\`GET /learners\` of ${LEARNERS.toLocaleString('en')} learners`;
  return [
    { what, against: '`psql` copy of the same JSON', unit: 'x', target: 1.5, least: false, value: median(ratios) },
    {
      what: 'the same, growth of the process',
      against: 'its memory when busy with small calls',
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

/** Returns the p99 of 500 consecutive calls in milliseconds while another thread reads lists. */
async function secondClientP99(url: string, listUrl: string): Promise<number> {
  const reader = new Worker(new URL('./list-reader.ts', import.meta.url), { workerData: { url: listUrl, headers } });
  await once(reader, 'message');
  const times: number[] = [];
  while (times.length < 500) {
    times.push(await timeGet(url, API_KEY.key));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await reader.terminate();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}
