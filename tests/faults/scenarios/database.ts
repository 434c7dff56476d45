import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../finding.ts';
import { type Answer, Client, succeeded } from '../support/client.ts';
import { outcomeOf } from '../support/load.ts';
import type { Mailbox } from '../support/mailbox.ts';
import type { Proxy } from '../support/proxy.ts';
import { repeat, type Stage, within } from '../support/stage.ts';
import { type Company, learnerId, type World } from '../support/world.ts';

const LEARNERS = 5000;
const TARGET_S = 15;
const MAIL_TARGET_S = 30;
/** Wait after the database is back; a service that does not work by then counts as stuck and is restarted. */
const WATCHED_MS = 60_000;
const CALL_PAUSE_MS = 50;
/** The expected outcomes while the database is away. A list that has begun can only break off. */
const RIGHT = ['200', '502', '504', 'broke off'];

interface Outage {
  what: string;
  /** Causes the outage; resolves when the database is reachable again. */
  play(): Promise<void>;
}

interface Cast {
  stage: Stage;
  world: World;
  proxy: Proxy;
  mailbox: Mailbox;
  answers: Map<string, Answer[]>;
  restart(): Promise<void>;
}

/** Stops, freezes and silences the database while clients of one company read, list, change and enrol. */
export async function database(stage: Stage): Promise<void> {
  const world = await stage.world();
  const company = await world.company(LEARNERS);
  const proxy = await stage.proxy(world.serviceUrl);
  const mailbox = await stage.mailbox();
  const env = { DATABASE_URL: proxy.through(world.serviceUrl) };
  const api = await stage.service('api', { ROLES: 'api', KEY_CACHE_MS: '1000', ...env });
  const worker = await stage.worker('worker', mailbox.url, env);
  const restart = async () => {
    await Promise.all([api.kill(), worker.kill()]);
    await Promise.all([api.start(), worker.start()]);
  };
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, stage.over]);
  const answers = new Map<string, Answer[]>();
  const calling = Object.entries(calls(world, company)).map(([name, call]) => {
    const client = new Client(api.url, company.key);
    answers.set(name, []);
    return repeat(signal, async () => {
      answers.get(name)!.push(await call(client));
      await sleep(CALL_PAUSE_MS);
    });
  });
  const cast = { stage, world, proxy, mailbox, answers, restart };
  for (const outage of outagesOf(cast)) await watch(outage, cast);
  done.abort();
  await Promise.all(calling);
}

type Call = (client: Client) => Promise<Answer>;

/** Returns the repeated call of each client, by the name that is reported if it gets no response. */
function calls(world: World, company: Company): Record<string, Call> {
  const path = (learner: number) => `/learners/${learnerId(company, learner)}`;
  const rename = (learner: number): Call => {
    return (client) => client.call('PATCH', path(learner), { firstName: 'Ada', lastName: 'Lovelace' });
  };
  return {
    'a learner': (client) => client.get(path(1)),
    'another learner': (client) => client.get(path(2)),
    'the company': (client) => client.get('/company'),
    'a list': (client) => client.get('/learners'),
    'a change': rename(3),
    'a second change': rename(4),
    'a third change': rename(5),
    'a fourth change': rename(6),
    'an enrolment': enrolling(world, company),
  };
}

/** Enrols another learner each time, which queues an email. */
function enrolling(world: World, company: Company): Call {
  let made = 0;
  return (client) => {
    const learnerIds = [learnerId(company, (made % LEARNERS) + 1)];
    const courseIds = [world.courseIds[Math.floor(made / LEARNERS)]!];
    made += 1;
    return client.post('/course-enrollments', { courseIds, learnerIds });
  };
}

function outagesOf({ stage, proxy }: Cast): Outage[] {
  const { postgres } = stage;
  const silentMs = stage.count(20_000, 8000);
  const stop = async (...signals: NodeJS.Signals[]) => {
    const { pid } = postgres;
    for (const [index, signal] of signals.entries()) {
      if (index > 0) await sleep(3000);
      postgres.signal(signal);
    }
    await postgres.whenAnswering(pid);
  };
  const seconds = `for ${silentMs / 1000} s`;
  return [
    { what: 'the database is stopped (SIGTERM, after 3 s SIGINT) and started', play: () => stop('SIGTERM', 'SIGINT') },
    { what: 'the database is stopped at once (SIGQUIT) and started', play: () => stop('SIGQUIT') },
    {
      what: `the database is frozen ${seconds} (SIGSTOP)`,
      play: async () => {
        await postgres.freeze();
        await sleep(silentMs);
        postgres.thaw();
      },
    },
    {
      what: `the database is silent ${seconds}, then its connections go on`,
      play: async () => {
        proxy.silence();
        await sleep(silentMs);
        proxy.resume();
      },
    },
    {
      what: `the database is silent ${seconds}, then its address moves; old connections stay silent for ever`,
      play: async () => {
        proxy.silence();
        await sleep(silentMs);
        proxy.moveOn();
      },
    },
  ];
}

async function watch({ what, play }: Outage, cast: Cast): Promise<void> {
  const { mailbox, answers, restart, stage } = cast;
  for (const list of answers.values()) list.length = 0;
  await sleep(1000);
  await play();
  const backAt = performance.now();
  const mailsBefore = Date.now();
  const worksAgain = (list: Answer[]) => list.some((one) => one.startedAt > backAt && succeeded(one));
  const hasMail = () => (mailbox.taken.at(-1)?.at ?? 0) > mailsBefore;
  let mailS = Infinity;
  const mailing = within(WATCHED_MS, hasMail).then((came) => {
    if (came) mailS = (performance.now() - backAt) / 1000;
  });
  await within(WATCHED_MS, () => [...answers.values()].every(worksAgain));
  await mailing;
  const findings = [callFinding(what, answers, backAt), mailFinding(mailS)];
  for (const finding of findings) stage.report(finding);
  // Restarts the service, so that damage by one outage does not affect the next one.
  if (findings.some(({ longestS }) => longestS === Infinity)) await restart();
}

function callFinding(what: string, answers: Map<string, Answer[]>, backAt: number): Finding {
  const first = [...answers].map(([name, list]) => {
    const answer = list.find((one) => one.startedAt > backAt && succeeded(one));
    return { name, seconds: answer ? (answer.endedAt - backAt) / 1000 : Infinity };
  });
  const longestS = Math.max(...first.map(({ seconds }) => seconds));
  const stuck = first.filter(({ seconds }) => seconds === Infinity).map(({ name }) => name);
  const counts = Map.groupBy([...answers.values()].flat(), outcomeOf);
  const wrong = [...counts.keys()].filter((outcome) => !RIGHT.includes(outcome));
  const outcomes = [...counts].sort().map(([outcome, { length }]) => `${length} x ${outcome}`);
  return {
    what,
    times: 1,
    longestS,
    seen: `${outcomes.join(', ')}${stuck.length > 0 ? `; without success: ${stuck.join(', ')}` : ''}`,
    target: `every call works within ${TARGET_S} s; until then 502 or 504 alone`,
    reached: longestS <= TARGET_S && wrong.length === 0,
  };
}

function mailFinding(longestS: number): Finding {
  const target = `mail goes out within ${MAIL_TARGET_S} s`;
  return { what: 'the same, for the worker', times: 1, longestS, target, reached: longestS <= MAIL_TARGET_S };
}
