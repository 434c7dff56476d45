import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../finding.ts';
import { ChangingClient } from '../support/changes.ts';
import { type Answer, Client, succeeded } from '../support/client.ts';
import { Ledger } from '../support/ledger.ts';
import { type EventVerdict, Listener, WEBHOOK_SETTINGS } from '../support/listener.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { type Interruption, judgeMails, whenQueueEmpty } from '../support/mails.ts';
import type { Service } from '../support/processes.ts';
import { repeat, type Stage, within } from '../support/stage.ts';
import type { World } from '../support/world.ts';

const CLIENTS = 6;
const TARGET_S = 15;
/** Time after a kill in which an arriving email was already being sent. */
const UNDER_WAY_MS = 300;
const BACK_TIMEOUT_MS = 30_000;
/** Time limit; kills after it are missing from the count. */
const BUDGET_MS = 420_000;
/** Pause after a kill of the main process; long enough for Postgres to recover and the load to continue as before. */
const MAIN_PROCESS_PAUSE_MS = 13_000;

type Victim = 'service' | 'worker' | 'backend' | 'postgres';

const WORDS: Record<Victim, string> = {
  service: 'SIGKILL of the service under load',
  worker: 'SIGKILL of the worker under load',
  backend: 'SIGKILL of a process of Postgres, which then restarts all others, under load',
  postgres: 'SIGKILL of the main process of Postgres, and its restart, under load',
};

interface Kill {
  victim: Victim;
  seconds: number;
}

/** Kills processes in random order during changes and emails, then checks every acknowledged change. */
export async function kills(stage: Stage): Promise<void> {
  const world = await stage.world();
  const company = await world.company(0);
  const mailbox = await stage.mailbox();
  const env = { ...WEBHOOK_SETTINGS, DATABASE_URL: world.serviceUrl };
  const api = await stage.service('api', { ROLES: 'api', ...env });
  const worker = await stage.worker('worker', mailbox.url, env);
  const listener = await new Listener().open(api.url, company);
  stage.atEnd(() => listener.close());
  const ledger = new Ledger();
  const answers: Answer[] = [];
  const done = new AbortController();
  const changing = Array.from({ length: CLIENTS }, (_, index) => {
    const client = new Client(api.url, company.key);
    const onAnswer = (answer: Answer) => void answers.push(answer);
    const courseId = world.courseIds[0]!;
    const one = new ChangingClient({ client, ledger, random: stage.random, name: `c${index}`, courseId, onAnswer });
    return repeat(AbortSignal.any([done.signal, stage.over]), () => one.change(done.signal));
  });
  const killer = new Killer({ stage, api, worker, mailbox, answers });
  const lanes = lanesOf(stage);
  const until = Date.now() + BUDGET_MS;
  const killing = lanes.map(async (victims) => {
    for (const victim of victims) if (Date.now() < until) await killer.kill(victim);
  });
  await Promise.all(killing);
  done.abort();
  await Promise.all(changing);
  await report(stage, { world, ledger, mailbox, killer, answers, planned: lanes.flat().length });
  reportEvents(stage, await listener.judge(world, company), killer.kills.length);
}

/** Concurrent sequences of kills: the service, and the worker with Postgres, whose kills must not hide each other. */
function lanesOf(stage: Stage): Victim[][] {
  const times = (victim: Victim, whole: number, quick: number) => Array<Victim>(stage.count(whole, quick)).fill(victim);
  const others = [...times('worker', 50, 5), ...times('backend', 35, 3), ...times('postgres', 15, 1)];
  return [times('service', 100, 5), shuffled(others, stage.random)];
}

function shuffled(victims: Victim[], random: () => number): Victim[] {
  return victims
    .map((victim) => ({ victim, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ victim }) => victim);
}

interface Killed {
  stage: Stage;
  api: Service;
  worker: Service;
  mailbox: Mailbox;
  answers: Answer[];
}

class Killer {
  readonly kills: Kill[] = [];
  /** The times at which an email might have been sent without being recorded. */
  readonly interruptions: Interruption[] = [];
  readonly #killed: Killed;
  #nextMainProcessAt = 0;

  constructor(killed: Killed) {
    this.#killed = killed;
  }

  /** Kills a process and waits until it works again. */
  async kill(victim: Victim): Promise<void> {
    const { stage } = this.#killed;
    await sleep(stage.random() * 500);
    if (victim === 'postgres') await sleep(Math.max(0, this.#nextMainProcessAt - Date.now()));
    const from = Date.now();
    const seconds = await this.#play(victim);
    this.kills.push({ victim, seconds });
    if (victim !== 'service') this.interruptions.push({ from, to: Date.now() + 1000 });
    if (this.kills.length % 20 === 0) stage.note(`${this.kills.length} kills`);
  }

  #play(victim: Victim): Promise<number> {
    if (victim === 'worker') return this.#killWorker();
    return victim === 'service' ? this.#killService() : this.#killDatabase(victim);
  }

  async #killWorker(): Promise<number> {
    const { worker } = this.#killed;
    await worker.kill();
    const at = Date.now();
    worker.spawn();
    return secondsUntil(at, () => this.#hasMailSince(at));
  }

  async #killService(): Promise<number> {
    const { api } = this.#killed;
    await api.kill();
    const at = Date.now();
    api.spawn();
    return secondsUntil(at, this.#answersFromNow());
  }

  /** Waits for service and worker to recover. Restarts a worker that does not, so that the next kill finds one. */
  async #killDatabase(victim: 'backend' | 'postgres'): Promise<number> {
    const { postgres } = this.#killed.stage;
    if (victim === 'backend') await within(BACK_TIMEOUT_MS, () => postgres.killBackend().catch(() => false));
    else await this.#killMainProcess();
    const at = Date.now();
    const answers = this.#answersFromNow();
    const seconds = await secondsUntil(at, () => answers() && this.#hasMailSince(at));
    if (seconds === Infinity) await this.#restartWorker();
    return seconds;
  }

  async #killMainProcess(): Promise<void> {
    this.#nextMainProcessAt = Date.now() + MAIN_PROCESS_PAUSE_MS;
    this.#killed.stage.postgres.signal('SIGKILL');
    await sleep(100);
  }

  async #restartWorker(): Promise<void> {
    const { worker, stage } = this.#killed;
    stage.note(
      `no mail for ${BACK_TIMEOUT_MS / 1000} s after kill ${this.kills.length + 1}: the worker is started again`,
    );
    await worker.kill();
    await worker.start();
  }

  #hasMailSince(at: number): boolean {
    return (this.#killed.mailbox.taken.at(-1)?.at ?? 0) > at + UNDER_WAY_MS;
  }

  /** Returns a function that reports whether a call made from now on has succeeded. */
  #answersFromNow(): () => boolean {
    const { answers } = this.#killed;
    const first = answers.length;
    const now = performance.now();
    return () => answers.slice(first).some((one) => one.startedAt > now && succeeded(one));
  }
}

async function secondsUntil(at: number, works: () => boolean): Promise<number> {
  return (await within(BACK_TIMEOUT_MS, works)) ? (Date.now() - at) / 1000 : Infinity;
}

interface Played {
  world: World;
  ledger: Ledger;
  mailbox: Mailbox;
  killer: Killer;
  answers: Answer[];
  planned: number;
}

async function report(stage: Stage, played: Played): Promise<void> {
  const { world, ledger, mailbox, killer, answers, planned } = played;
  await stage.postgres.whenAnswering();
  const emptied = await whenQueueEmpty(world, 90_000);
  const { acknowledged, lost, torn, doubled } = await ledger.judge(world);
  const mails = await judgeMails(world, [mailbox], killer.interruptions);
  for (const line of [...lost, ...torn, ...doubled].slice(0, 20)) stage.note(line);
  const allLost = lost.length + torn.length + mails.lost;
  const allDoubled = doubled.length + mails.doubled;
  const statuses = [...new Set(answers.map(({ status }) => status))].sort().join(' ');
  for (const victim of Object.keys(WORDS)) stage.report(gapFinding(victim as Victim, killer.kills));
  stage.report({
    what: `all of these: ${acknowledged} acknowledged changes and ${mails.sent} mails`,
    times: killer.kills.length,
    lost: allLost,
    doubled: allDoubled,
    seen: `${torn.length} halves of a change; ${mails.repeated} mails again whose worker or database was killed before it was recorded; ${mails.waiting} mails still wait; statuses ${statuses}`,
    target: `${planned} times; none lost, half done or doubled, but mails of what was killed`,
    reached: killer.kills.length === planned && allLost + allDoubled === 0 && emptied,
  });
}

function reportEvents(stage: Stage, verdict: EventVerdict, times: number): void {
  const { committed, missing, unknown, repeated, untold, seconds } = verdict;
  stage.report({
    what: `the same, for a webhook endpoint: ${committed} events`,
    times,
    lost: missing + untold,
    seen: `${repeated} came again; all had come ${seconds.toFixed(0)} s after the last change; ${unknown} came that were not committed`,
    target: 'each event that was committed came, no other one did, and no change is without one',
    reached: committed > 0 && missing + unknown + untold === 0,
  });
}

function gapFinding(victim: Victim, done: Kill[]): Finding {
  const own = done.filter((one) => one.victim === victim);
  const longestS = Math.max(0, ...own.map(({ seconds }) => seconds));
  const target = `at most ${TARGET_S} s`;
  const reached = own.length > 0 && longestS <= TARGET_S;
  return { what: WORDS[victim], times: own.length, longestS, target, reached };
}
