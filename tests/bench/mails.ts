import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import pg from 'pg';
import { compose } from '../../src/mail/messages/compose.ts';
import type { MessageRow } from '../../src/mail/messages/message-repository.ts';
import {
  API_KEY,
  type BenchDatabase,
  COMPANY_ID,
  ENROLL_API_KEY,
  ENROLL_COMPANY_ID,
  ENROLLED_LEARNERS,
  LEARNERS,
} from './dataset.ts';
import { empty, idsOf, timeEnrollment } from './enrollment.ts';
import { median, startContestant, stopContestant } from './processes.ts';
import { processorMeter } from './processor-time.ts';
import type { Figure } from './run.ts';

const ROUNDS = 3;
const SENDER = 'awareness@sender.test';

/**
 * Measures how many emails a second a worker with default settings sends after an enrolment of 10,000 learners, and the
 * processor time of an email. The other contestant is nodemailer by itself, which composes and sends the same emails to
 * the same server over as many connections, and records nothing. Also measures how long 100,000 messages take to be
 * queued.
 */
export async function benchMails({ ownerUrl, serviceUrl }: BenchDatabase): Promise<Figure[]> {
  const sink = await startSink();
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  const learnerIds = await idsOf(owner, `select id from learners where company_id = '${ENROLL_COMPANY_ID}'`);
  const courseIds = (await idsOf(owner, `select id from courses order by id`)).slice(0, 1);
  const body = JSON.stringify({ courseIds, learnerIds });
  const company = { key: ENROLL_API_KEY.key, body };
  const env = { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000', PUBLIC_URL: 'http://127.0.0.1' };
  const api = await startContestant('src/main.ts', { ...env, ROLES: 'api' });
  const rates: number[] = [];
  const ratios: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await empty(owner);
    await timeEnrollment(`${api.url}/course-enrollments`, company);
    const worker = spawn(process.execPath, ['src/main.ts'], {
      env: { PATH: process.env.PATH, PORT: '0', ...env, ROLES: 'worker', SMTP_URL: sink.url, MAIL_FROM: SENDER },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const meter = await processorMeter(worker.pid!, ownerUrl);
    const before = await sink.count();
    let rate = 0;
    const isDone = async () =>
      (await owner.query(`select from messages where status = 'queued' limit 1`)).rowCount === 0;
    // The cost of an email does not include the start of the worker.
    while ((await sink.count()) === before) await pause();
    const { service, postgres } = await meter(async () => {
      rate = await timeMails(sink, before, isDone);
    });
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.kill('SIGTERM');
    await ended;
    rates.push(rate);
    costs.push((1000 * (service + postgres)) / ENROLLED_LEARNERS);
    ratios.push(rate / (await timeBareClient(sink)));
  }
  const queuedInSeconds = await timeQueueing(owner, `${api.url}/course-enrollments`);
  await stopContestant(api);
  await owner.end();
  sink.stop();
  const what = `mails after an enrolment of ${ENROLLED_LEARNERS.toLocaleString('en')} learners`;
  const common = { against: '', least: true };
  const gophish = 'GoPhish: 16 mails a second on the same machine, measured earlier';
  return [
    {
      ...common,
      what: `${what}, default settings`,
      against: gophish,
      unit: 'mails/s',
      target: 1000,
      value: median(rates),
    },
    {
      ...common,
      what: 'the same',
      against: 'bare nodemailer: the same mails, server and connections, nothing recorded',
      unit: 'x',
      target: 0.5,
      value: median(ratios),
    },
    {
      ...common,
      what: 'the same, processor time of the worker and Postgres for each mail',
      unit: 'ms',
      target: 1,
      least: false,
      value: median(costs),
    },
    {
      ...common,
      what: `queueing ${LEARNERS.toLocaleString('en')} messages, in calls of ${CALL_LEARNERS.toLocaleString('en')} learners`,
      unit: 's',
      target: 10,
      least: false,
      value: queuedInSeconds,
    },
  ];
}

/** Maximum number of learners in a call of `POST /course-enrollments`. */
const CALL_LEARNERS = 10_000;

/** Enrols all learners of the large company in a new course, call by call, and returns the seconds that this takes. */
async function timeQueueing(owner: pg.Client, url: string): Promise<number> {
  await empty(owner);
  const courseIds = await idsOf(
    owner,
    `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
     select managed_catalogue(), gen_random_uuid(), 'training', 'mails', 'Mails', 'Subject', 1, 80, '{en}' returning id`,
  );
  const learnerIds = await idsOf(owner, `select id from learners where company_id = '${COMPANY_ID}' order by id`);
  let ms = 0;
  for (let from = 0; from < learnerIds.length; from += CALL_LEARNERS) {
    const body = JSON.stringify({ courseIds, learnerIds: learnerIds.slice(from, from + CALL_LEARNERS) });
    ms += await timeEnrollment(url, { key: API_KEY.key, body });
  }
  await owner.query('delete from enrollments where course_id = $1', courseIds);
  await owner.query('delete from courses where id = $1', courseIds);
  await empty(owner);
  return ms / 1000;
}

interface Sink {
  url: string;
  count: () => Promise<number>;
  stop: () => void;
}

async function startSink(): Promise<Sink> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'mail-sink.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const next = async () => Number((await lines.next()).value);
  const port = await next();
  return {
    url: `smtp://127.0.0.1:${port}`,
    count: () => {
      child.stdin!.write('\n');
      return next();
    },
    stop: () => child.stdin!.end(),
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Returns the emails a second until all are sent and recorded. The first email has just arrived. */
async function timeMails(sink: Sink, before: number, isDone: () => Promise<boolean>): Promise<number> {
  const received = async () => (await sink.count()) - before;
  const startedAt = performance.now();
  while ((await received()) < ENROLLED_LEARNERS) await pause();
  while (!(await isDone())) await pause();
  const sent = await received();
  if (sent !== ENROLLED_LEARNERS) throw new Error(`${sent} mails arrived`);
  return (1000 * sent) / (performance.now() - startedAt);
}

/** Number of connections of a worker with default settings. */
const CONNECTIONS = 3;

async function timeBareClient({ url }: Sink): Promise<number> {
  const transport = createTransport({ url, pool: true, maxConnections: CONNECTIONS });
  const startedAt = performance.now();
  let next = 0;
  const send = async () => {
    while (next < ENROLLED_LEARNERS) await transport.sendMail(compose(buildRow(next++), SETTINGS));
  };
  await Promise.all(Array.from({ length: 2 * CONNECTIONS }, send));
  const seconds = (performance.now() - startedAt) / 1000;
  transport.close();
  return ENROLLED_LEARNERS / seconds;
}

const SETTINGS = {
  from: { name: '', address: SENDER },
  contact: SENDER,
  trainingUrl: undefined,
  publicUrl: 'http://127.0.0.1',
};

function buildRow(number: number): MessageRow {
  return {
    id: crypto.randomUUID(),
    kind: 'course_enrollment',
    createdAt: new Date().toISOString(),
    companyName: 'Bench',
    email: `learner${number}@bench.test`,
    firstName: `First${number}`,
    name: `First${number} Last${number}`,
    locale: 'en',
    inactive: false,
    isToFormerAddress: false,
    setupToken: 'a'.repeat(64),
    setupTokenHash: null,
    setupExpiresAt: null,
    subjectIds: ['course'],
    subjectNames: ['Phishing basics'],
    timeZone: 'UTC',
    absentUntil: null,
    ...{ brandColor: null, brandReplyTo: null, brandLogo: null, brandLogoFacts: null, learnerId: null, adminId: null },
    isUndeliverable: false,
  };
}
