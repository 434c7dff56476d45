// Measures 1, 2 and 4 processes under one supervisor and the accuracy of a shared limit, and writes WORKERS.md.
//   node tests/bench/workers.ts
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import pg from 'pg';
import { API_KEY, type BenchDatabase, LEARNER_ID, prepareDatabase } from './dataset.ts';
import { type Contestant, load, median, startContestant, STARTING_CALLS, stopContestant } from './processes.ts';

const WORKERS = [1, 2, 4];
const ROUNDS = 5;
const DURATION = { duration: 3 };
const LIMIT = 3000;
/** Enough calls to exceed the limit in much less than its minute. */
const CALLS = 12_000;
/** The time within which processes exchange their counts. */
const EXCHANGE_SECONDS = 1;

interface Row {
  workers: number;
  perSecond: number;
  admitted: number;
  bound: number;
}

const database = await prepareDatabase();
try {
  const throughputs = await compareThroughput(database);
  const rows: Row[] = [];
  for (const [index, workers] of WORKERS.entries()) {
    rows.push({ workers, perSecond: throughputs[index]!, ...(await pressLimit(database, workers)) });
  }
  const text = report(rows);
  await writeFile(join(import.meta.dirname, 'WORKERS.md'), text);
  console.log(text);
  if (rows.some(({ admitted, bound }) => admitted > bound)) process.exitCode = 1;
} finally {
  await database.server.stop();
}

function start({ serviceUrl }: BenchDatabase, workers: number, limit: number): Promise<Contestant> {
  const env = { DATABASE_URL: serviceUrl, ROLES: 'api', RATE_LIMIT_PER_MINUTE: String(limit) };
  return startContestant('src/main.ts', { ...env, ...(workers > 1 && { HTTP_PROCESSES: String(workers) }) });
}

/** Returns the calls per second with each number of processes, measured alternately. */
async function compareThroughput(bench: BenchDatabase): Promise<number[]> {
  const services = [];
  for (const workers of WORKERS) services.push(await start(bench, workers, 100_000_000));
  for (const service of services) await load(service, DURATION);
  const rounds: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const perSecond = [];
    for (const service of services) perSecond.push(await load(service, DURATION));
    rounds.push(perSecond);
  }
  for (const service of services) await stopContestant(service);
  return WORKERS.map((_, index) => median(rounds.map((perSecond) => perSecond[index]!)));
}

/** Makes calls beyond a limit as fast as possible. Earlier calls by other processes do not count. */
async function pressLimit(bench: BenchDatabase, workers: number): Promise<Pick<Row, 'admitted' | 'bound'>> {
  const owner = new pg.Client(bench.ownerUrl);
  await owner.connect();
  await owner.query('delete from call_counts');
  await owner.end();
  const service = await start(bench, workers, LIMIT);
  const result = await autocannon({
    url: `${service.url}/learners/${LEARNER_ID}`,
    connections: 16,
    headers: { authorization: `Bearer ${API_KEY.key}` },
    amount: CALLS,
  });
  await stopContestant(service);
  const perSecond = CALLS / result.duration;
  const admitted = STARTING_CALLS + result['2xx'];
  return { admitted, bound: Math.round(LIMIT + (workers > 1 ? perSecond * EXCHANGE_SECONDS : 0)) };
}

function report(rows: Row[]): string {
  const one = rows[0]!.perSecond;
  const lines = rows.map(({ workers, perSecond, admitted, bound }) => {
    return `| ${workers} | ${(perSecond / one).toFixed(2)} x | ${admitted} | ${bound} | ${admitted <= bound ? 'yes' : 'no'} |`;
  });
  return `# Processes

Written by \`make bench-workers\`: \`GET /learners/{learnerId}\` by 1, 2 and 4 processes (\`HTTP_PROCESSES\`), in turn, with the load
generator and Postgres on the same cores; and how many calls pass a limit of ${LIMIT.toLocaleString('en')} a minute when
${CALLS.toLocaleString('en')} come as fast as they are answered. Processes know what others have counted within a second, so the bound is
the limit and what comes in a second.

Machine: ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, the embedded Postgres,
${new Date().toISOString().slice(0, 10)}.

| Processes | Throughput against one | Let through | Bound | Held |
| --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
}
