import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../support/client.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { type Interruption, judgeMails, whenQueueEmpty } from '../support/mails.ts';
import type { Service } from '../support/processes.ts';
import type { Proxy } from '../support/proxy.ts';
import { repeat, type Stage, within } from '../support/stage.ts';
import { type Company, learnerId, type World } from '../support/world.ts';

const OUTAGE_MS = 700;
const STUCK_MS = 30_000;
/**
 * Time limit of the outages, because workers that get stuck repeatedly would take all day. Later outages are missing
 * from the count.
 */
const BUDGET_MS = 240_000;
/** Number of workers with concurrent outages, each with a separate network and mail server. */
const WORKERS = 4;
const LEARNERS = 5000;
const BATCH = 250;
/** Number of emails that always wait; a mail server takes MAIL_MS for each response. */
const WAITING = 500;
const MAIL_MS = 250;

interface Lane {
  proxy: Proxy;
  mailbox: Mailbox;
  worker: Service;
}

interface Outages {
  /** Number of outages; none begins after `until`. */
  times: number;
  until: number;
  /** Seconds from the end of each outage to the next email. */
  seconds: number[];
  interruptions: Interruption[];
}

/** Repeatedly cuts the worker off from Postgres for a moment while emails wait. */
export async function outages(stage: Stage): Promise<void> {
  const world = await stage.world();
  const company = await world.company(LEARNERS);
  const api = await stage.service('api', { ROLES: 'api', DATABASE_URL: world.serviceUrl });
  const lanes: Lane[] = [];
  for (let number = 1; number <= WORKERS; number++) lanes.push(await startLane(stage, world, number));
  const times = stage.count(200, 12);
  const played: Outages = { times, until: Date.now() + BUDGET_MS, seconds: [], interruptions: [] };
  const done = new AbortController();
  const playing = Promise.all(lanes.map((lane) => playLane(stage, lane, played))).finally(() => done.abort());
  const signal = AbortSignal.any([done.signal, stage.over]);
  await Promise.all([playing, keepMailsWaiting(world, new Client(api.url, company.key), company, signal)]);
  await report(stage, world, lanes, played);
}

async function startLane(stage: Stage, world: World, number: number): Promise<Lane> {
  const proxy = await stage.proxy(world.serviceUrl);
  const mailbox = await stage.mailbox(MAIL_MS);
  const env = { DATABASE_URL: proxy.through(world.serviceUrl) };
  return { proxy, mailbox, worker: await stage.worker(`worker-${number}`, mailbox.url, env) };
}

/** Enrols every learner in one course after another, as fast as the resulting emails are sent. */
async function keepMailsWaiting(world: World, client: Client, company: Company, signal: AbortSignal): Promise<void> {
  let batch = 0;
  const perCourse = LEARNERS / BATCH;
  await repeat(signal, async () => {
    if ((await world.number(`select count(*) from messages where status = 'queued'`)) > WAITING) return sleep(200);
    const first = (batch % perCourse) * BATCH + 1;
    const learnerIds = Array.from({ length: BATCH }, (_, index) => learnerId(company, first + index));
    const courseIds = [world.courseIds[Math.floor(batch / perCourse)]!];
    const { status } = await client.post('/course-enrollments', { courseIds, learnerIds });
    if (status !== 200) throw new Error(`an enrolment was answered with ${status}`);
    batch += 1;
  });
}

async function playLane(stage: Stage, { proxy, mailbox, worker }: Lane, outages: Outages): Promise<void> {
  const { times, until, seconds, interruptions } = outages;
  for (let n = 0; n < times / WORKERS && Date.now() < until && !stage.over.aborted; n++) {
    await sleep(stage.random() * 500);
    const from = Date.now();
    proxy.refuse();
    await sleep(OUTAGE_MS);
    await proxy.open();
    const at = Date.now();
    const isBack = await within(STUCK_MS, () => (mailbox.taken.at(-1)?.at ?? 0) > at);
    seconds.push(isBack ? (Date.now() - at) / 1000 : Infinity);
    interruptions.push({ from, to: Date.now() });
    if (isBack) continue;
    stage.note(`a worker is stuck after ${seconds.length} outages, and is started again`);
    await worker.kill();
    await worker.start();
  }
}

async function report(stage: Stage, world: World, lanes: Lane[], outages: Outages): Promise<void> {
  const { times, seconds, interruptions } = outages;
  const emptied = await whenQueueEmpty(world, 90_000);
  const mailboxes = lanes.map(({ mailbox }) => mailbox);
  const mails = await judgeMails(world, mailboxes, interruptions);
  const stuck = seconds.filter((value) => value === Infinity).length;
  stage.report({
    what: `connections between worker and Postgres cut for ${OUTAGE_MS / 1000} s, under mail load`,
    times: seconds.length,
    longestS: Math.max(...seconds),
    lost: mails.lost,
    doubled: mails.doubled,
    seen: `stuck ${stuck} times; ${mails.sent} mails, ${mails.repeated} of them again as a cut kept them from being recorded; ${mails.waiting} still wait`,
    target: `${times} times; never stuck (no mail for ${STUCK_MS / 1000} s), none lost, none doubled but those under way at a cut`,
    reached: seconds.length === times && stuck + mails.lost + mails.doubled === 0 && emptied,
  });
}
