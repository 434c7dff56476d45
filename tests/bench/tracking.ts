// Follows links of a simulation 2,000 times a second while another company uses the API, and writes TRACKING.md.
//   node tests/bench/tracking.ts [seconds]
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { createPersonToken, hashPersonToken } from '../../src/auth/person-token.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import {
  API_KEY,
  type BenchDatabase,
  ENROLL_COMPANY_ID,
  ENROLLED_LEARNERS,
  LEARNER_ID,
  prepareDatabase,
} from './dataset.ts';
import { median, startContestant, stopContestant, timeGet } from './processes.ts';

const SECONDS = Number(process.argv[2] ?? 30);
const HITS_PER_SECOND = 2000;
const CONNECTIONS = 400;
const WARM_UP_SECONDS = 5;
const PAUSE_MS = 10;
const MAX_P99_MS = 25;
const SIMULATION_ID = '0192a3b4-0000-7000-8000-c00000000001';
const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0';

interface Watched {
  perSecond: number;
  hits: number;
  hitMs: number;
  reads: number[];
  events: number;
}

/** Goes on where the warm-up has ended: a hit that comes again within ten seconds makes no other event. */
let hit = 0;
const database = await prepareDatabase();
const tokens = await fill(database);
const service = await startContestant('src/main.ts', {
  DATABASE_URL: database.serviceUrl,
  ROLES: 'api',
  SIMULATION_SENDERS: 'parcels.example',
  TRUSTED_PROXY_HOPS: '1',
  RATE_LIMIT_PER_MINUTE: '100000000',
});
try {
  const alone = await timeReads(SECONDS);
  await follow(WARM_UP_SECONDS);
  const before = await countEvents();
  const [hits, reads] = await Promise.all([follow(SECONDS), timeReads(SECONDS)]);
  const events = (await countEvents()) - before;
  const perSecond = hits.requests.total / hits.duration;
  const text = report({ perSecond, hits: hits.requests.total, hitMs: hits.latency.p99, reads, events }, alone);
  console.log(text);
  await writeFile(join(import.meta.dirname, 'TRACKING.md'), text);
  if (p99(reads) > MAX_P99_MS || perSecond < HITS_PER_SECOND * 0.95) process.exitCode = 1;
} finally {
  await stopContestant(service);
  await database.server.stop();
}

/** A running simulation of a company, with a link for each of its learners. */
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

/** Each recipient from an address of their own, one after the other: the picture in one round, the page in the next. */
async function follow(seconds: number): Promise<autocannon.Result> {
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const [recipient, round] = [hit % tokens.length, Math.floor(hit / tokens.length)];
    hit += 1;
    const address = `10.0.${recipient >> 8}.${recipient & 255}`;
    return {
      ...request,
      path: `/s/${tokens[recipient]!}${round % 2 === 0 ? '/picture.gif' : ''}`,
      headers: { 'x-forwarded-for': address, 'user-agent': AGENT },
    };
  };
  const result = await autocannon({
    url: service.url.replace(/\/v1$/, ''),
    connections: CONNECTIONS,
    overallRate: HITS_PER_SECOND,
    duration: seconds,
    requests: [{ setupRequest }],
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return result;
}

/** Milliseconds of reads of one learner, one after the other with a pause. */
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

function report({ perSecond, hits, hitMs, reads, events }: Watched, alone: number[]): string {
  return `# Links of simulations

Written by \`make bench-tracking\`: ${HITS_PER_SECOND.toLocaleString('en')} hits a second for ${SECONDS} seconds on one process, which has one core
at most, by ${ENROLLED_LEARNERS.toLocaleString('en')} recipients from an address each; a half asks for the page, a half for the picture. A hit waits until
its event is on record, which is gathered for 100 ms. Meanwhile the key of another company reads one learner, again and again.
The load is made on the same machine.

Machine: ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, the embedded Postgres,
${new Date().toISOString().slice(0, 10)}.

| What | |
| --- | ---: |
| hits a second | ${perSecond.toFixed(0)} |
| hits answered, events on record | ${hits.toLocaleString('en')}, ${events.toLocaleString('en')} |
| a hit, p99 | ${hitMs.toFixed(0)} ms |
| a read of another company, alone: median, p99 | ${median(alone).toFixed(1)} ms, ${p99(alone).toFixed(1)} ms |
| the same meanwhile: median, p99 (at most ${MAX_P99_MS} ms) | ${median(reads).toFixed(1)} ms, ${p99(reads).toFixed(1)} ms |
`;
}
