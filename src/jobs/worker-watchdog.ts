import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../observability/logger.ts';
import type { Lane, LanePlan } from './queue-worker-pool.ts';

const ANSWER_MS = 5000;

/** In milliseconds. */
export interface WatchTimes {
  /** Between two looks. */
  look: number;
  /** A lane that has had no answer from its queue for this long is replaced. */
  silent: number;
  /** A lane that has taken no job for this long, although jobs wait, is stuck: it is replaced, and the worker is not ready. */
  stuck: number;
  /** After this long without a job the process ends: a new run has not helped. */
  giveUp: number;
}

export const WATCH_TIMES: WatchTimes = { look: 10_000, silent: 30_000, stuck: 60_000, giveUp: 300_000 };

export interface WatchOptions {
  /** The pool of the tasks, not that of the lanes that are watched. */
  pool: pg.Pool;
  plans: readonly LanePlan[];
  times: WatchTimes;
  logger: Logger;
  /** The lane of a plan, if it runs now. */
  laneOf: (plan: LanePlan) => Lane | undefined;
  replace: (reason: Error) => void;
  /** Called when the worker has taken no job for `giveUp`, with each look. */
  onGiveUp: () => void;
}

/**
 * Watches whether the worker takes jobs. It does not ask the lanes why they may not: the database says which jobs wait,
 * and the lanes say when they last took one.
 */
export class Watch {
  readonly #options: WatchOptions;
  /** When each lane that takes no jobs, although jobs wait, was first seen so. */
  readonly #waitingSince = new Map<LanePlan, number>();
  #lastLook = Date.now();
  #stuck = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  get isStuck(): boolean {
    return this.#stuck;
  }

  /** Looks now and then until the signal is aborted. */
  async keepLooking(signal: AbortSignal): Promise<void> {
    const { look } = this.#options.times;
    while (!signal.aborted) {
      await sleep(look, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    const { plans, laneOf, times, replace, onGiveUp } = this.#options;
    if (plans.some((plan) => laneOf(plan)?.isSilent(times.silent))) {
      replace(new Error(`the queue has not answered for ${times.silent / 1000} seconds`));
    }
    const lastLook = this.#lastLook;
    this.#lastLook = Date.now();
    await Promise.all(plans.map((plan) => this.#lookAt(plan, lastLook)));
    const longest = Math.max(0, ...[...this.#waitingSince.values()].map((since) => Date.now() - since));
    this.#note(longest >= times.stuck);
    if (longest >= times.stuck) replace(new Error('no job was taken although jobs wait'));
    if (longest >= times.giveUp) onGiveUp();
  }

  /** A check that fails says nothing about the worker: while the database is away, nobody can take a job. */
  async #lookAt(plan: LanePlan, lastLook: number): Promise<void> {
    const lane = this.#options.laneOf(plan);
    const isWorking = lane !== undefined && (lane.isFull || lane.takenAt >= lastLook);
    const isWaiting = !isWorking && (await this.#jobsWait(Object.keys(plan.tasks)));
    if (!isWaiting) this.#waitingSince.delete(plan);
    else if (!this.#waitingSince.has(plan)) this.#waitingSince.set(plan, Date.now());
  }

  async #jobsWait(tasks: string[]): Promise<boolean> {
    const answer = this.#options.pool.query<{ wait: boolean }>(JOBS_WAIT, [tasks]);
    const found = answer.then(({ rows }) => rows[0]!.wait).catch(() => false);
    return Promise.race([found, sleep(ANSWER_MS, false, { ref: false })]);
  }

  #note(stuck: boolean): void {
    const { logger, times } = this.#options;
    if (stuck && !this.#stuck) {
      const lanes = [...this.#waitingSince.keys()].map(({ name }) => name);
      logger.error({ lanes }, `the worker has taken no job for ${times.stuck / 1000} seconds while jobs wait`);
    }
    if (!stuck && this.#stuck) logger.info('the worker is no longer stuck');
    this.#stuck = stuck;
  }
}

const JOBS_WAIT = `
  select exists (select from graphile_worker.jobs
                  where task_identifier = any ($1) and locked_at is null and run_at <= now()
                    and attempts < max_attempts) as wait`;
