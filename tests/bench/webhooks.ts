import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type BenchDatabase, ENROLL_API_KEY, ENROLL_COMPANY_ID } from './dataset.ts';
import { empty, enrollScript, idsOf, timeEnrollment } from './enrollment.ts';
import { type Contestant, load, median, startContestant, stopContestant, timeInPsql } from './processes.ts';
import type { Figure } from './run.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';

const SECONDS = 20;
const CALLS_A_SECOND = 10;
const CLICKS_OF_CALL = 20;
const CLICKS = SECONDS * CALLS_A_SECOND * CLICKS_OF_CALL;
/** Maximum wait for an event after the last click. */
const LATEST_MS = 60_000;
const ROUNDS = 5;
const SENT = Date.parse('2026-10-05T07:00:00Z');

/**
 * Measures webhooks sent by the process that also serves requests: the time from a click to the receiver under a load
 * of reads, and the cost of a listening endpoint for the enrolment of 200,000 pairs.
 */
export async function benchWebhooks({ ownerUrl, serviceUrl }: BenchDatabase, folder: string): Promise<Figure[]> {
  const service = await startContestant('src/main.ts', {
    DATABASE_URL: serviceUrl,
    RATE_LIMIT_PER_MINUTE: '100000000',
    SECRETS_KEY: Buffer.alloc(32, 'of the bench').toString('base64'),
    WEBHOOKS_ALLOW_LOOPBACK: 'yes',
  });
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  const arrived = new Map<string, number>();
  const receiver = await startReceiver((learnerId) => arrived.set(learnerId, performance.now()));
  try {
    const latency = await clickToReceiver(service, receiver, owner, arrived);
    return [latency, ...(await enrolListening(service, receiver, owner, ownerUrl, folder))];
  } finally {
    receiver.stop();
    await owner.end();
    await stopContestant(service);
  }
}

async function clickToReceiver(
  service: Contestant,
  receiver: Receiver,
  owner: pg.Client,
  arrived: ReadonlyMap<string, number>,
): Promise<Figure> {
  const learners = (await idsOf(owner, `select id from learners where company_id = '${ENROLL_COMPANY_ID}'`)).slice(
    0,
    CLICKS,
  );
  const simulation = { externalId: 'bench', name: 'Bench', deliveryMethod: 'email', status: 'running' };
  await post(service, '/simulations', { ...simulation, startDate: new Date(SENT) });
  await post(service, '/simulation-events', { events: learners.map((id) => eventOf(id, 'sent', 0)) });
  const endpoint = { url: receiver.url, types: ['simulation.message.visited'] };
  const { id } = await post<{ id: string }>(service, '/webhook-endpoints', endpoint);
  const clicked = new Map<string, number>();
  const busy = load(service, { duration: SECONDS });
  const calls: Promise<unknown>[] = [];
  for (let first = 0; first < learners.length; first += CLICKS_OF_CALL) {
    const some = learners.slice(first, first + CLICKS_OF_CALL);
    for (const learner of some) clicked.set(learner, performance.now());
    calls.push(
      post(service, '/simulation-events', { events: some.map((learner) => eventOf(learner, 'visited', 300)) }),
    );
    await sleep(1000 / CALLS_A_SECOND);
  }
  await Promise.all([busy, ...calls]);
  for (let waited = 0; arrived.size < clicked.size && waited < LATEST_MS; waited += 100) await sleep(100);
  if (arrived.size < clicked.size) throw new Error(`${clicked.size - arrived.size} clicks did not arrive`);
  const taken = [...clicked].map(([learner, at]) => arrived.get(learner)! - at).toSorted((a, b) => a - b);
  await call(service, 'DELETE', `/webhook-endpoints/${id}`);
  const rate = CALLS_A_SECOND * CLICKS_OF_CALL;
  return {
    what: `From a click to the receiver of a webhook, p99 at ${rate} events a second during reads of one learner`,
    against: 'nothing',
    unit: 'ms',
    target: 2000,
    least: false,
    value: taken[Math.ceil(taken.length * 0.99) - 1]!,
  };
}

async function enrolListening(
  service: Contestant,
  receiver: Receiver,
  owner: pg.Client,
  ownerUrl: string,
  folder: string,
): Promise<Figure[]> {
  await post(service, '/webhook-endpoints', { url: receiver.url });
  const learnerIds = await idsOf(owner, `select id from learners where company_id = '${ENROLL_COMPANY_ID}'`);
  const courseIds = await idsOf(owner, `select id from courses`);
  const script = join(folder, 'enroll-listening.sql');
  await writeFile(script, enrollScript(courseIds, learnerIds));
  const [ratios, jobs]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++) {
    await listen(owner, false);
    const inserted = await timeInPsql(ownerUrl, script);
    await empty(owner);
    await listen(owner, true);
    const body = JSON.stringify({ courseIds, learnerIds });
    const enrolled = await timeEnrollment(`${service.url}/course-enrollments`, { key: ENROLL_API_KEY.key, body });
    const { rows } = await owner.query<{ jobs: number; events: number }>(
      `select (select count(*)::integer from graphile_worker.jobs where task_identifier <> 'send_message') as jobs,
              (select count(*)::integer from events) as events`,
    );
    if (rows[0]!.events !== learnerIds.length * courseIds.length) throw new Error(`${rows[0]!.events} events`);
    await listen(owner, false);
    await empty(owner);
    if (round < 0) continue;
    ratios.push(enrolled / inserted);
    jobs.push(rows[0]!.jobs);
  }
  const pairs = (learnerIds.length * courseIds.length).toLocaleString('en');
  const what = `\`POST /course-enrollments\` of ${pairs} pairs with a webhook endpoint that listens`;
  return [
    {
      what,
      against: 'the same `INSERT … SELECT` in `psql`',
      unit: 'x',
      target: 2.5,
      least: false,
      value: median(ratios),
    },
    {
      what: `${what}: jobs but for mails`,
      against: 'one endpoint',
      unit: 'jobs',
      target: 1,
      least: false,
      value: Math.max(...jobs),
    },
  ];
}

/** Switches the writing of events on or off, and deletes existing events so that none waits to be sent. */
async function listen(owner: pg.Client, isOn: boolean): Promise<void> {
  await owner.query('delete from event_readers');
  await owner.query('delete from events');
  if (isOn)
    await owner.query('insert into event_readers (company_id, own_read_at) values ($1, now())', [ENROLL_COMPANY_ID]);
}

function eventOf(learnerId: string, type: 'sent' | 'visited', seconds: number): object {
  return {
    simulation: { externalId: 'bench' },
    learner: { id: learnerId },
    type,
    occurredAt: new Date(SENT + seconds * 1000),
    ...(type === 'visited' && { evidence: { address: addressOf(learnerId), userAgent: 'Mozilla/5.0 Firefox/140.0' } }),
    eventId: `${type}-${learnerId}`,
  };
}

/** Returns a separate IP address for each learner, because many clicks from one IP address would count as automated. */
function addressOf(learnerId: string): string {
  const number = parseInt(learnerId.slice(-6), 16);
  return `198.18.${(number >> 8) & 255}.${number & 255}`;
}

const post = <T>(service: Contestant, path: string, body: object) => call<T>(service, 'POST', path, body);

async function call<T>({ url }: Contestant, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${ENROLL_API_KEY.key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await answer.json()) as { data: T & { success?: boolean } };
  if (!answer.ok || data.success === false) throw new Error(`${method} ${path} answered ${answer.status}`);
  return data;
}
