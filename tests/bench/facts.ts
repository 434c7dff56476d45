// Measures a million events of one simulation, as its sender reports them, and writes FACTS.md.
//   node tests/bench/facts.ts
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { apiKeyFrom } from '../../src/auth/api-key.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { type BenchDatabase, insertCompany, insertLearners, prepareDatabase } from './dataset.ts';
import { memoryOf } from './memory.ts';
import { startContestant, stopContestant } from './processes.ts';
import { postmasterOf, processorMeter } from './processor-time.ts';

const COMPANY_ID = '0192a3b4-0000-7000-8000-b00000000020';
const KEY = apiKeyFrom('benchkey0020', Buffer.alloc(32, 20));
const LEARNERS = 200_000;
const CALLS = 100;
const EVENTS_OF_CALL = 10_000;
/** Number of calls in each row of the table. */
const PART = 10;
const MAX_GROWTH = 1.5;
/** Time limit of the run. */
const MAX_MS = 5 * 60_000;
const SENT = Date.parse('2026-10-05T07:00:00Z');
/** Types of events. Each recipient has one event of each type, in the recipient's own order. */
const TYPES = ['sent', 'opened', 'visited', 'compromised', 'reported'] as const;

interface Part {
  events: number;
  ms: number;
  service: number;
  postgres: number;
  serviceMib: number;
  postgresMib: number;
}

const database = await prepareDatabase();
await fill(database);
const service = await startContestant('src/main.ts', { DATABASE_URL: database.serviceUrl, ROLES: 'api' });
const postmaster = await postmasterOf(database.ownerUrl);
const measure = await processorMeter(service.child.pid!, database.ownerUrl);
try {
  await post('/simulations', {
    externalId: 'bench',
    name: 'Bench',
    deliveryMethod: 'email',
    status: 'running',
    startDate: new Date(SENT),
  });
  const parts: Part[] = [];
  const stopAt = performance.now() + MAX_MS;
  for (let call = 0; call < CALLS && performance.now() < stopAt; call += PART) {
    parts.push(await recordFacts(call));
    console.log(line(parts.at(-1)!, parts.length));
  }
  const text = report(parts);
  await writeFile(join(import.meta.dirname, 'FACTS.md'), text);
  console.log(text);
  if (growthOf(parts) > MAX_GROWTH || parts.length < CALLS / PART) process.exitCode = 1;
} finally {
  await stopContestant(service);
  await database.server.stop();
}

async function fill({ ownerUrl }: BenchDatabase): Promise<void> {
  const owner = openOwnerDatabase(ownerUrl);
  await insertCompany(owner, COMPANY_ID, KEY);
  await insertLearners(owner, COMPANY_ID, 'f', LEARNERS);
  await owner.raw('analyze learners');
  await owner.destroy();
}

async function recordFacts(firstCall: number): Promise<Part> {
  const part = { events: PART * EVENTS_OF_CALL, ms: 0, serviceMib: 0, postgresMib: 0 };
  const spent = await measure(async () => {
    for (let call = firstCall; call < firstCall + PART; call += 1) {
      const events = Array.from({ length: EVENTS_OF_CALL }, (_, index) => eventOf(call * EVENTS_OF_CALL + index));
      const startedAt = performance.now();
      await post('/simulation-events', { events });
      part.ms += performance.now() - startedAt;
      part.serviceMib = Math.max(part.serviceMib, memoryOf(service.child.pid!));
      part.postgresMib = Math.max(part.postgresMib, memoryOf(postmaster));
    }
  });
  return { ...part, ...spent };
}

/** Builds an event. All recipients get their first event before any recipient gets a second, and so on. */
function eventOf(number: number): object {
  const recipient = number % LEARNERS;
  const round = Math.floor(number / LEARNERS);
  const step = (recipient + round) % TYPES.length;
  const type = TYPES[step]!;
  return {
    simulation: { externalId: 'bench' },
    learner: { externalLearnerId: `HR-${recipient + 1}` },
    type,
    occurredAt: new Date(SENT + recipient * 1000 + step * 120_000),
    ...(step > 0 &&
      step < 4 && { evidence: { address: addressOf(recipient), userAgent: 'Mozilla/5.0 Firefox/140.0' } }),
    eventId: `bench-${number}`,
  };
}

/** Returns the IP address of a recipient; forty recipients, spread over the whole run, share one. */
function addressOf(recipient: number): string {
  const place = recipient % (LEARNERS / 40);
  return `198.18.${place >> 8}.${place & 255}`;
}

async function post(path: string, body: object): Promise<void> {
  const headers = { authorization: `Bearer ${KEY.key}`, 'content-type': 'application/json' };
  const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const { data } = (await answer.json()) as { data?: { success?: boolean } };
  if (!answer.ok || data?.success === false)
    throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(data).slice(-500)}`);
}

/** Compares processor times: other load on the machine slows the rate but hardly changes the processor time. */
function growthOf(parts: Part[]): number {
  const costs = parts.map(({ service: ours, postgres, events }) => (ours + postgres) / events);
  return costs.at(-1)! / costs[0]!;
}

function line({ events, ms, service: ours, postgres, serviceMib, postgresMib }: Part, number: number): string {
  const cells = [
    count(number * events),
    count((events / ms) * 1000),
    `${((ours / events) * 1e6).toFixed(1)} + ${((postgres / events) * 1e6).toFixed(1)}`,
    Math.round(serviceMib),
    Math.round(postgresMib),
  ];
  return `| ${cells.join(' | ')} |`;
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en');
}

function report(parts: Part[]): string {
  const total = parts.reduce((sum, { events }) => sum + events, 0);
  const seconds = parts.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const growth = growthOf(parts);
  return `# Facts

Written by \`make bench-facts\`: ${count(total)} events of one simulation with ${count(LEARNERS)} recipients, by
\`POST /simulation-events\` with ${count(EVENTS_OF_CALL)} in a call, one call after the other. Each recipient is sent a message, opens it, visits the
page, gives data away and reports it, sent in any order, and all have one more event before any has the next. Forty recipients
have one address. An event is judged with those that its recipient has, so later ones cost more. Microseconds are those of
the processors, of the service and of Postgres; memory is the most after a call, that of Postgres with shared buffers of
512 MB.

Machine: ${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node ${process.versions.node}, the embedded Postgres,
${new Date().toISOString().slice(0, 10)}. The load was ${loadavg()[0]!.toFixed(1)} at the end, with that of this bench.

All of it took ${seconds.toFixed(0)} seconds: ${count(total / seconds)} events a second. The last tenth took ${(parts.at(-1)!.ms / parts[0]!.ms).toFixed(2)} times as long as the first, and
${growth.toFixed(2)} times as much of the processors, which is ${growth <= MAX_GROWTH ? 'flat' : 'not flat'}: at most ${MAX_GROWTH} times.

| Events until then | Events a second | Microseconds an event | Service, MiB | Postgres, MiB |
| --- | --- | --- | --- | --- |
${parts.map((part, index) => line(part, index + 1)).join('\n')}
`;
}
