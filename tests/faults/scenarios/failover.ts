import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../../src/commands/database.ts';
import { until } from '../../process/support.ts';
import { Balancer } from '../support/balancer.ts';
import { type Answer, succeeded } from '../support/client.ts';
import { Ledger } from '../support/ledger.ts';
import { changing, outcomeOf, reading } from '../support/load.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { type Interruption, judgeMails, whenQueueEmpty } from '../support/mails.ts';
import { PostgresPair } from '../support/postgres-pair.ts';
import type { Service } from '../support/processes.ts';
import { type Stage, within } from '../support/stage.ts';
import { World } from '../support/world.ts';

const DATA_FOLDER = join(import.meta.dirname, '../../../.postgres/failover');
const LEARNERS = 1000;
const CHANGING_CLIENTS = 4;
const READING_CLIENTS = 3;
const TARGET_S = 10;
const MAIL_TARGET_S = 30;
const WATCHED_MS = 60_000;
/** An operator does not promote at once. */
const PROMOTE_AFTER_MS = 2000;
const PAUSE_MS = 2000;
/**
 * While there is no primary, 502 and 504; a list whose answer had begun can only break off. 400 and 404: what was not
 * answered was done after all, so that a learner is there already, or there no more.
 */
const RIGHT = ['200', '400', '404', '502', '504', 'broke off'];

interface Cast {
  stage: Stage;
  pair: PostgresPair;
  world: World;
  mailbox: Mailbox;
  processes: Service[];
  /** What each client was answered, those that change before those that read. */
  answers: Answer[][];
  ledger: Ledger;
}

/** Seconds from the new primary to the first success of the slowest client, and to the next mail. */
interface Round {
  callS: number;
  mailS: number;
  interruption: Interruption;
}

/** Kills the primary under load, promotes its synchronous standby by hand and makes a new standby, again and again. */
export async function failover(stage: Stage): Promise<void> {
  const pair = await PostgresPair.start(DATA_FOLDER, stage.logFile('postgres'));
  stage.atEnd(() => pair.stop());
  const balancer = await Balancer.start(stage, pair.ports);
  const world = await makeWorld(stage, pair, balancer);
  const company = await world.company(LEARNERS);
  const mailbox = await stage.mailbox();
  const env = { DATABASE_URL: world.serviceUrl };
  const processes = [...(await balancer.startReplicas(env)), await stage.worker('worker', mailbox.url, env)];
  const answers = Array.from({ length: CHANGING_CLIENTS + READING_CLIENTS }, (): Answer[] => []);
  const ledger = new Ledger();
  const cast: Cast = { stage, pair, world, mailbox, processes, answers, ledger };
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, stage.over]);
  const load = { url: balancer.url, company, signal, random: stage.random, courseId: world.courseIds[0]!, ledger };
  const running = [
    ...changing(CHANGING_CLIENTS, { ...load, onAnswer: (answer, index) => answers[index]!.push(answer) }),
    ...reading(READING_CLIENTS, {
      ...load,
      onAnswer: (answer, index) => answers[CHANGING_CLIENTS + index]!.push(answer),
    }),
  ];
  const rounds: Round[] = [];
  const times = stage.count(10, 2);
  for (let n = 0; n < times; n++) rounds.push(await play(cast));
  done.abort();
  await Promise.all(running);
  await report(cast, rounds, times);
}

/** The service's database on the pair, reached through the balancer. */
async function makeWorld(stage: Stage, pair: PostgresPair, balancer: Balancer): Promise<World> {
  const [ownerUrl, serviceUrl] = (['owner', 'service'] as const).map((role) =>
    balancer.through(pair.url(role, 'awareness')),
  );
  // Until the balancer has found the primary.
  await until(() =>
    migrate(ownerUrl!).then(
      () => true,
      () => false,
    ),
  );
  const world = await World.on({ ownerUrl: ownerUrl!, serviceUrl: serviceUrl! });
  stage.atEnd(() => world.close());
  return world;
}

async function play({ pair, answers, mailbox, stage }: Cast): Promise<Round> {
  await sleep(PAUSE_MS + stage.random() * PAUSE_MS);
  const from = Date.now();
  await pair.killPrimary();
  await sleep(stage.random() * PROMOTE_AFTER_MS);
  await pair.promote();
  const promotedAt = performance.now();
  const at = Date.now();
  const works = (list: Answer[]) => list.some((one) => one.startedAt > promotedAt && succeeded(one));
  const callS = await secondsUntil(at, () => answers.every(works));
  const mailS = await secondsUntil(at, () => (mailbox.taken.at(-1)?.at ?? 0) > at);
  await pair.addStandby();
  return { callS, mailS, interruption: { from, to: at + 1000 } };
}

async function secondsUntil(at: number, works: () => boolean): Promise<number> {
  return (await within(WATCHED_MS, works)) ? (Date.now() - at) / 1000 : Infinity;
}

async function report(cast: Cast, rounds: Round[], times: number): Promise<void> {
  const { stage, world, mailbox, ledger, processes } = cast;
  const emptied = await whenQueueEmpty(world, 90_000);
  const { acknowledged, lost, torn, doubled } = await ledger.judge(world);
  const mails = await judgeMails(
    world,
    [mailbox],
    rounds.map(({ interruption }) => interruption),
  );
  for (const line of [...lost, ...torn, ...doubled].slice(0, 20)) stage.note(line);
  const answers = cast.answers.flat();
  const outcomes = [...Map.groupBy(answers, outcomeOf)].sort();
  const wrong = outcomes.filter(([outcome]) => !RIGHT.includes(outcome));
  const ended = processes.filter(({ isRunning }) => !isRunning).length;
  const longestS = Math.max(...rounds.map(({ callS }) => callS));
  const bad = lost.length + torn.length + doubled.length + wrong.length + ended;
  stage.report({
    what: 'SIGKILL of the primary under load, and its synchronous standby promoted by hand',
    times,
    longestS,
    lost: lost.length + torn.length,
    doubled: doubled.length,
    seen: `${acknowledged} acknowledged changes; ${outcomes.map(([outcome, { length }]) => `${length} x ${outcome}`).join(', ')}; ${ended} processes ended`,
    target: `every call works within ${TARGET_S} s of the new primary; nothing acknowledged is lost, no process is restarted`,
    reached: longestS <= TARGET_S && bad === 0,
  });
  const longestMailS = Math.max(...rounds.map(({ mailS }) => mailS));
  stage.report({
    what: 'the same, for the worker',
    times,
    longestS: longestMailS,
    lost: mails.lost,
    doubled: mails.doubled,
    seen: `${mails.sent} mails, ${mails.repeated} of them again as the kill kept them from being recorded; ${mails.waiting} still wait`,
    target: `mail goes out within ${MAIL_TARGET_S} s; none lost, none doubled but those under way at a kill`,
    reached: longestMailS <= MAIL_TARGET_S && mails.lost + mails.doubled === 0 && emptied,
  });
}
