import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../finding.ts';
import { Bystander } from '../support/bystander.ts';
import { Client } from '../support/client.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { judgeMails, whenQueueEmpty } from '../support/mails.ts';
import type { Proxy } from '../support/proxy.ts';
import { mailSettings, type Stage, within } from '../support/stage.ts';
import { type Company, learnerId, type World } from '../support/world.ts';

/** Number of emails; more than a worker's concurrent jobs. */
const MAILS = 12;
const BROKEN_MS = 20_000;
const JOB_TARGET_S = 15;
const JOB_WATCHED_MS = 45_000;
const DELIVERED_MS = 60_000;
const AT_ONCE = 4;
const TLS_ALERT = '\x15\x03\x01\x00\x02\x02\x28';

interface MailSystem {
  proxy: Proxy;
  mailbox: Mailbox;
}

interface Failure {
  what: string;
  begin(system: MailSystem): void;
  end(system: MailSystem): unknown;
  /** Whether the emails are rejected permanently and must never arrive. */
  isFinal?: boolean;
}

const accept = ({ mailbox }: MailSystem) => mailbox.accept();

const FAILURES: Failure[] = [
  { what: 'refuses connections', begin: ({ proxy }) => proxy.refuse(), end: ({ proxy }) => proxy.open() },
  { what: 'accepts and says nothing', begin: ({ proxy }) => proxy.silence(), end: ({ proxy }) => proxy.resume() },
  { what: 'greets with 421', begin: ({ mailbox }) => mailbox.refuse('connect', 421), end: accept },
  { what: 'is silent after DATA', begin: ({ mailbox }) => mailbox.hold(), end: ({ mailbox }) => mailbox.release() },
  {
    what: 'resets the connection in the middle of DATA',
    begin: ({ proxy }) => proxy.limit(1000),
    end: ({ proxy }) => proxy.limit(Infinity),
  },
  { what: 'answers RCPT with 450', begin: ({ mailbox }) => mailbox.refuse('to', 450), end: accept },
  { what: 'answers RCPT with 550', begin: ({ mailbox }) => mailbox.refuse('to', 550), end: accept, isFinal: true },
  {
    what: 'fails at TLS: it greets with an alert',
    begin: ({ proxy }) => proxy.answerWith(TLS_ALERT),
    end: ({ proxy }) => proxy.answerWith(undefined),
  },
];

/** Runs a mail server that fails in eight ways, each with a separate service and database. */
export async function smtp(stage: Stage): Promise<void> {
  for (let first = 0; first < FAILURES.length; first += AT_ONCE) {
    const some = FAILURES.slice(first, first + AT_ONCE);
    await Promise.all(some.map((failure, index) => play(stage, failure, first + index)));
  }
}

async function play(stage: Stage, failure: Failure, number: number): Promise<void> {
  const world = await stage.world(`_smtp${number}`);
  const company = await world.company(MAILS);
  const mailbox = await stage.mailbox();
  const proxy = await stage.proxy(mailbox.url);
  const settings = { DATABASE_URL: world.serviceUrl, ...mailSettings(proxy.through(mailbox.url)) };
  const service = await stage.service(`smtp-${number}`, { ROLES: 'api,worker', ...settings });
  const bystander = await Bystander.before(service.url, company, stage.over);
  failure.begin({ proxy, mailbox });
  await enroll(world, company, new Client(service.url, company.key));
  bystander.begin();
  // Waits until mail jobs are running; an earlier job would start immediately.
  await within(10_000, async () => (await world.number('select max(attempts) from graphile_worker.jobs')) > 0);
  await sleep(1000);
  const job = secondsOfAnotherJob(world);
  await sleep(BROKEN_MS);
  const calls = await bystander.end();
  await failure.end({ proxy, mailbox });
  const jobS = await job;
  const emptied = await whenQueueEmpty(world, DELIVERED_MS);
  await service.kill();
  stage.report(finding(failure, { jobS, calls, emptied, ...(await judge(failure, world, mailbox)) }));
}

async function enroll(world: World, company: Company, client: Client): Promise<void> {
  const learnerIds = Array.from({ length: MAILS }, (_, index) => learnerId(company, index + 1));
  const { status } = await client.post('/course-enrollments', { courseIds: [world.courseIds[0]!], learnerIds });
  if (status !== 200) throw new Error(`an enrolment was answered with ${status}`);
}

/** Returns the seconds that another kind of job waits while emails fail. */
async function secondsOfAnotherJob(world: World): Promise<number> {
  await world.query(`select graphile_worker.add_job('tidy_up', job_key => 'another')`);
  const at = Date.now();
  const left = () => world.number(`select count(*) from graphile_worker.jobs where key = 'another'`);
  const isDone = await within(JOB_WATCHED_MS, async () => (await left()) === 0);
  return isDone ? (Date.now() - at) / 1000 : Infinity;
}

async function judge({ isFinal }: Failure, world: World, mailbox: Mailbox): Promise<Pick<Outcome, 'lost' | 'doubled'>> {
  const { lost, doubled } = await judgeMails(world, [mailbox], []);
  const failed = await world.number(`select count(*) from messages where status = 'failed'`);
  return { lost: lost + (isFinal ? MAILS - failed : failed), doubled };
}

interface Outcome {
  jobS: number;
  calls: { isFine: boolean; seen: string };
  emptied: boolean;
  lost: number;
  doubled: number;
}

function finding({ what, isFinal }: Failure, { jobS, calls, emptied, lost, doubled }: Outcome): Finding {
  const waited =
    jobS === Infinity
      ? `another job was not done in ${JOB_WATCHED_MS / 1000} s`
      : `another job done in ${jobS.toFixed(1)} s`;
  const isFine = jobS <= JOB_TARGET_S && calls.isFine;
  const outcome = isFinal ? 'all recorded as failed' : 'all delivered once when it is well';
  return {
    what: `the mail server ${what}`,
    times: MAILS,
    lost,
    doubled,
    seen: `${waited}; ${calls.seen}`,
    target: `another job within ${JOB_TARGET_S} s, ${Bystander.target}, ${outcome}`,
    reached: isFine && emptied && lost + doubled === 0,
  };
}
