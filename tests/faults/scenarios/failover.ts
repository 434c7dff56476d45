import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../../src/commands/database.ts';
import { until } from '../../support/until.ts';
import type { Finding } from '../finding.ts';
import { Balancer } from '../support/balancer.ts';
import { type Answer, succeeded } from '../support/client.ts';
import { Ledger } from '../support/ledger.ts';
import { changing, failuresIn, outcomeOf, reading } from '../support/load.ts';
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
/** Delay until an operator promotes the standby. */
const PROMOTE_AFTER_MS = 2000;
const PAUSE_MS = 2000;
/** Time without a standby; longer than the service waits for a statement. */
const ALONE_MS = 20_000;
/** Time within which changes in transit to the standby's disk can still be acknowledged. */
const NOTICE_MS = 500;
/** A read that takes longer counts as blocked. */
const READ_TARGET_S = 5;
/**
 * Seconds until the next use of a key is recorded; the service records uses once a minute. Shorter than `ALONE_MS`, so
 * the write falls due while the standby is down.
 */
const NOTE_USE_AFTER_S = 8;
/** The time for which a former primary runs next to the new one. */
const BESIDE_MS = 5000;
/**
 * Expected outcomes: 502 and 504 while changes are impossible, and 429 for calls that waited for a slot; a list that
 * has begun can only break off. 400 and 404 occur because an unanswered call was executed after all, so a learner
 * already exists or no longer does.
 */
const RIGHT = ['200', '400', '404', '429', '502', '504', 'broke off'];

interface Cast {
  stage: Stage;
  pair: PostgresPair;
  world: World;
  mailbox: Mailbox;
  processes: Service[];
  /** The responses of each client, changing clients before reading ones. */
  answers: Answer[][];
  ledger: Ledger;
}

type Fall = 'killed' | 'hangs';

const WORDS: Record<Fall, string> = {
  killed: 'SIGKILL of the primary under load, and its synchronous standby promoted by hand',
  hangs: 'the primary hangs (SIGSTOP), its standby is promoted, and it wakes up beside the new primary',
};

/** A failover; seconds count from the new primary to the first success of the slowest client and to the next email. */
interface Round {
  fall: Fall;
  callS: number;
  mailS: number;
  interruption: Interruption;
}

/** Repeatedly kills the primary under load, promotes its synchronous standby manually and adds a new standby. */
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
  const falls = [...Array<Fall>(stage.count(10, 1)).fill('killed'), ...Array<Fall>(stage.count(4, 1)).fill('hangs')];
  const rounds: Round[] = [];
  for (const fall of falls) rounds.push(await play(cast, fall));
  const alone = await playAlone(cast);
  done.abort();
  await Promise.all(running);
  await report(cast, rounds);
  stage.report(alone);
}

/** Creates the service's database on the pair, reached through the balancer. */
async function makeWorld(stage: Stage, pair: PostgresPair, balancer: Balancer): Promise<World> {
  const [ownerUrl, serviceUrl] = (['owner', 'service'] as const).map((role) =>
    balancer.through(pair.url(role, 'awareness')),
  );
  // Waits until the balancer has found the primary.
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

async function play({ pair, answers, mailbox, stage }: Cast, fall: Fall): Promise<Round> {
  await sleep(PAUSE_MS + stage.random() * PAUSE_MS);
  const from = Date.now();
  if (fall === 'hangs') await pair.hangPrimary();
  else await pair.killPrimary();
  await sleep(stage.random() * PROMOTE_AFTER_MS);
  await pair.promote();
  const at = Date.now();
  const callS = await secondsUntilWorking(answers);
  const mailS = await secondsUntil(at, () => (mailbox.taken.at(-1)?.at ?? 0) > at);
  if (fall === 'hangs') {
    pair.wake();
    await sleep(BESIDE_MS);
    await pair.killStandby();
  }
  await pair.addStandby();
  return { fall, callS, mailS, interruption: { from, to: at + 1000 } };
}

/** Kills the standby: changes without a second copy are not acknowledged, and reads continue. */
async function playAlone({ pair, world, answers }: Cast): Promise<Finding> {
  await world.query(`update api_keys set last_used_at = now() - make_interval(secs => 60 - $1)`, [NOTE_USE_AFTER_S]);
  await pair.killStandby();
  const killedAt = performance.now();
  await sleep(ALONE_MS);
  const since = (lists: Answer[][]) => lists.flat().filter(({ startedAt }) => startedAt > killedAt + NOTICE_MS);
  const acknowledged = since(answers.slice(0, CHANGING_CLIENTS)).filter(succeeded).length;
  const readers = answers.slice(CHANGING_CLIENTS);
  const reads = since(readers);
  const failures = failuresIn(reads);
  await pair.doWithoutStandby();
  const callS = await secondsUntilWorking(answers);
  const ended = readers.flat().filter(({ endedAt }) => endedAt > killedAt);
  const heldUpS = Math.max(...ended.map(({ startedAt, endedAt }) => endedAt - startedAt)) / 1000;
  return {
    what: `the standby is killed, and after ${ALONE_MS / 1000} s the primary is set to do without`,
    times: 1,
    longestS: callS,
    seen:
      `meanwhile ${acknowledged} changes acknowledged, ${reads.length} reads, of them failed ${failures || 'none'}, ` +
      `held up for ${heldUpS.toFixed(1)} s at most`,
    target:
      `no change is acknowledged, no read fails or is held up for ${READ_TARGET_S} s; ` +
      `every call works within ${TARGET_S} s after that`,
    reached: acknowledged === 0 && failures === '' && heldUpS < READ_TARGET_S && callS <= TARGET_S,
  };
}

/** Returns the seconds from now until each client has made a successful call. */
async function secondsUntilWorking(answers: Answer[][]): Promise<number> {
  const now = performance.now();
  const works = (list: Answer[]) => list.some((one) => one.startedAt > now && succeeded(one));
  return secondsUntil(Date.now(), () => answers.every(works));
}

async function secondsUntil(at: number, works: () => boolean): Promise<number> {
  return (await within(WATCHED_MS, works)) ? (Date.now() - at) / 1000 : Infinity;
}

async function report({ stage, world, mailbox, ledger, processes, answers }: Cast, rounds: Round[]): Promise<void> {
  const emptied = await whenQueueEmpty(world, 90_000);
  const { acknowledged, lost, torn, doubled } = await ledger.judge(world);
  const interruptions = rounds.map(({ interruption }) => interruption);
  const mails = await judgeMails(world, [mailbox], interruptions);
  for (const line of [...lost, ...torn, ...doubled].slice(0, 20)) stage.note(line);
  for (const fall of ['killed', 'hangs'] as const) stage.report(fallFinding(fall, rounds));
  const outcomes = [...Map.groupBy(answers.flat(), outcomeOf)].sort();
  const wrong = outcomes.filter(([outcome]) => !RIGHT.includes(outcome));
  const ended = processes.filter(({ isRunning }) => !isRunning).length;
  stage.report({
    what: `all of these: ${acknowledged} acknowledged changes`,
    times: rounds.length,
    lost: lost.length + torn.length,
    doubled: doubled.length,
    seen: `${outcomes.map(([outcome, { length }]) => `${length} x ${outcome}`).join(', ')}; ${ended} processes ended`,
    target: 'nothing acknowledged is lost or doubled, no process is restarted',
    reached: lost.length + torn.length + doubled.length + wrong.length + ended === 0,
  });
  const longestS = Math.max(...rounds.map(({ mailS }) => mailS));
  stage.report({
    what: 'the same, for the worker',
    times: rounds.length,
    longestS,
    lost: mails.lost,
    doubled: mails.doubled,
    seen: `${mails.sent} mails, ${mails.repeated} of them again as the fall kept them from being recorded; ${mails.waiting} still wait`,
    target: `mail goes out within ${MAIL_TARGET_S} s; none lost, none doubled but those under way at a fall`,
    reached: longestS <= MAIL_TARGET_S && mails.lost + mails.doubled === 0 && emptied,
  });
}

function fallFinding(fall: Fall, rounds: Round[]): Finding {
  const seconds = rounds.filter((round) => round.fall === fall).map(({ callS }) => callS);
  const longestS = Math.max(...seconds);
  const target = `every call works within ${TARGET_S} s of the new primary`;
  return { what: WORDS[fall], times: seconds.length, longestS, target, reached: longestS <= TARGET_S };
}
