// Follows simulation links 2,000 times a second while another company uses the API, and writes TRACKING.md.
//   node tests/bench/tracking.ts [seconds]
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createPersonToken, hashPersonToken } from '../../src/identity/person-token.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import {
  API_KEY,
  type BenchDatabase,
  ENROLL_COMPANY_ID,
  ENROLLED_LEARNERS,
  LEARNER_ID,
  prepareDatabase,
} from './dataset.ts';
import type { Followed, Plan } from './link-follower.ts';
import { median, startContestant, stopContestant, timeGet } from './processes.ts';

const SECONDS = Number(process.argv[2] ?? 30);
const HITS_PER_SECOND = 2000;
const FOLLOWER = join(import.meta.dirname, 'link-follower.ts');
const WARM_UP_SECONDS = 5;
const PAUSE_MS = 10;
const MAX_P99_MS = 25;
const SIMULATION_ID = '0192a3b4-0000-7000-8000-c00000000001';

interface Watched {
  perSecond: number;
  /** Milliseconds of each hit and each read. */
  hits: number[];
  reads: number[];
  events: number;
}

/** Number of the next hit; continues after the warm-up. */
let hit = 0;
const database = await prepareDatabase();
const tokens = await fill(database);
const service = await startContestant('src/main.ts', {
  DATABASE_URL: database.serviceUrl,
  ROLES: 'api',
  SIMULATION_SENDER_DOMAINS: 'parcels.example',
  TRUSTED_PROXY_HOPS: '1',
  RATE_LIMIT_PER_MINUTE: '100000000',
});
try {
  const alone = await timeReads(SECONDS);
  await follow(WARM_UP_SECONDS);
  const before = await countEvents();
  const [hits, reads] = await Promise.all([follow(SECONDS), timeReads(SECONDS)]);
  const events = (await countEvents()) - before;
  const perSecond = hits.times.length / hits.seconds;
  const text = report({ perSecond, hits: hits.times, reads, events }, alone);
  console.log(text);
  await writeFile(join(import.meta.dirname, 'TRACKING.md'), text);
  const areAllRecorded = events === hits.times.length;
  if (p99(reads) > MAX_P99_MS || perSecond < HITS_PER_SECOND * 0.95 || !areAllRecorded) process.exitCode = 1;
} finally {
  await stopContestant(service);
  await database.server.stop();
}

/** Creates a running simulation with a link for each learner of a company. */
async function fill({ ownerUrl }: BenchDatabase): Promise<string[]> {
  const owner = openOwnerDatabase(ownerUrl);
  const made = Array.from({ length: ENROLLED_LEARNERS }, () => createPersonToken(ENROLL_COMPANY_ID));
  const content = { en: { cues: ['The sender is unknown.', 'It is in a hurry.'], lesson: 'Look twice.\n\nThen ask.' } };
  await owner.raw(
    `insert into simulation_templates (owner_id, id, name, delivery_method, difficulty, locales, content)
     values (managed_catalogue(), ?::uuid, 'Parcel notice', 'email', 1, '{en}', ?::jsonb)`,
    [SIMULATION_ID, JSON.stringify(content)],
  );
  await owner.raw(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date, is_own, plan)
     values (?::uuid, ?::uuid, 'Parcel notice', 'running', 'email', now() - interval '1 day', true, '{}')`,
    [ENROLL_COMPANY_ID, SIMULATION_ID],
  );
  await owner.raw(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, template_id, locale, token_hash)
     select company_id, ?::uuid, id, ?::uuid, 'en', hash
       from (select company_id, id, row_number() over (order by id) as n from learners where company_id = ?::uuid) as l
       join unnest(?::bytea[]) with ordinality as given (hash, n) using (n)`,
    [SIMULATION_ID, SIMULATION_ID, ENROLL_COMPANY_ID, made.map(hashPersonToken)],
  );
  await owner.raw('vacuum analyze');
  await owner.destroy();
  return made;
}

/** Follows links in another thread, so that this work does not distort the timing of the reads. */
async function follow(seconds: number): Promise<Followed> {
  const plan: Plan = {
    url: service.url.replace(/\/v1$/, ''),
    tokens,
    first: hit,
    hitsPerSecond: HITS_PER_SECOND,
    seconds,
  };
  const [followed] = (await once(new Worker(FOLLOWER, { workerData: plan }), 'message')) as [Followed];
  hit += followed.times.length;
  return followed;
}

/** Returns the milliseconds of reads of one learner, with a pause in between. */
async function timeReads(seconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(PAUSE_MS)) {
    times.push(await timeGet(`${service.url}/learners/${LEARNER_ID}`, API_KEY.key));
  }
  return times;
}

async function countEvents(): Promise<number> {
  const owner = openOwnerDatabase(database.ownerUrl);
  const [row] = await owner('simulation_events').count<{ count: string }[]>();
  await owner.destroy();
  return Number(row!.count);
}

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!;
}

function report({ perSecond, hits, reads, events }: Watched, alone: number[]): string {
  return `# Links of simulations

Written by \`make bench-tracking\`: ${HITS_PER_SECOND.toLocaleString('en')} hits a second for ${SECONDS} seconds on one process, which has one core
at most, by ${ENROLLED_LEARNERS.toLocaleString('en')} recipients from an address each; a half asks for the page, a half for the picture. A hit waits until
its event is on record, which is gathered for 100 ms. Meanwhile the key of another company reads one learner, again and again.
The load is made on the same machine.

Machine: ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, the embedded Postgres,
${new Date().toISOString().slice(0, 10)}.

| Measurement | |
| --- | ---: |
| hits a second | ${perSecond.toFixed(0)} |
| hits answered, events on record | ${hits.length.toLocaleString('en')}, ${events.toLocaleString('en')} |
| a hit: median, p99 | ${median(hits).toFixed(0)} ms, ${p99(hits).toFixed(0)} ms |
| a read of another company, alone: median, p99 | ${median(alone).toFixed(1)} ms, ${p99(alone).toFixed(1)} ms |
| the same meanwhile: median, p99 (at most ${MAX_P99_MS} ms) | ${median(reads).toFixed(1)} ms, ${p99(reads).toFixed(1)} ms |
`;
}
