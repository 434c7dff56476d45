import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../observability/logger.ts';
import type { QueueWorkerPool, WorkerPoolConfig } from './queue-worker-pool.ts';

const ANSWER_MS = 5000;

/** In milliseconds. */
export interface WatchdogTimes {
  /** Between two looks. */
  pollMs: number;
  /** A worker pool that has had no answer from its queue for this long is replaced. */
  unresponsiveMs: number;
  /**
   * A worker pool that has taken no job for this long, although jobs wait, is stuck: it is replaced, and the worker is not
   * ready.
   */
  stalledMs: number;
  /** After this long without a job the process ends: a new run has not helped. */
  exitMs: number;
}

export const WATCHDOG_TIMES: WatchdogTimes = {
  pollMs: 10_000,
  unresponsiveMs: 30_000,
  stalledMs: 60_000,
  exitMs: 300_000,
};

export interface WatchdogOptions {
  /** The pool of the tasks, not that of the worker pools that are watched. */
  pool: pg.Pool;
  plans: readonly WorkerPoolConfig[];
  times: WatchdogTimes;
  logger: Logger;
  /** The worker pool of a configuration, if it runs now. */
  findPool: (plan: WorkerPoolConfig) => QueueWorkerPool | undefined;
  replace: (reason: Error) => void;
  /** Called when the worker has taken no job for `exitMs`, with each look. */
  onGiveUp: () => void;
}

/**
 * Watches whether the worker takes jobs. It does not ask the worker pools why they may not: the database says which jobs wait,
 * and the worker pools say when they last took one.
 */
export class WorkerWatchdog {
  readonly #options: WatchdogOptions;
  /** When each worker pool that takes no jobs, although jobs wait, was first seen so. */
  readonly #waitingSince = new Map<WorkerPoolConfig, number>();
  #lastLook = Date.now();
  #stuck = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  get isStuck(): boolean {
    return this.#stuck;
  }

  /** Looks now and then until the signal is aborted. */
  async keepLooking(signal: AbortSignal): Promise<void> {
    const { pollMs } = this.#options.times;
    while (!signal.aborted) {
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    const { plans, findPool, times, replace, onGiveUp } = this.#options;
    if (plans.some((plan) => findPool(plan)?.isSilent(times.unresponsiveMs))) {
      replace(new Error(`the queue has not answered for ${times.unresponsiveMs / 1000} seconds`));
    }
    const lastLook = this.#lastLook;
    this.#lastLook = Date.now();
    await Promise.all(plans.map((plan) => this.#lookAt(plan, lastLook)));
    const maxLength = Math.max(0, ...[...this.#waitingSince.values()].map((since) => Date.now() - since));
    this.#recordStuck(maxLength >= times.stalledMs);
    if (maxLength >= times.stalledMs) replace(new Error('no job was taken although jobs wait'));
    if (maxLength >= times.exitMs) onGiveUp();
  }

  /** A check that fails says nothing about the worker: while the database is away, nobody can take a job. */
  async #lookAt(plan: WorkerPoolConfig, lastLook: number): Promise<void> {
    const workerPool = this.#options.findPool(plan);
    const isWorking = workerPool !== undefined && (workerPool.isFull || workerPool.lastJobAt >= lastLook);
    const isWaiting = !isWorking && (await this.#jobsWait(Object.keys(plan.tasks)));
    if (!isWaiting) this.#waitingSince.delete(plan);
    else if (!this.#waitingSince.has(plan)) this.#waitingSince.set(plan, Date.now());
  }

  async #jobsWait(tasks: string[]): Promise<boolean> {
    const answer = this.#options.pool.query<{ wait: boolean }>(JOBS_WAIT, [tasks]);
    const jobsWait = answer.then(({ rows }) => rows[0]!.wait).catch(() => false);
    return Promise.race([jobsWait, sleep(ANSWER_MS, false, { ref: false })]);
  }

  #recordStuck(stuck: boolean): void {
    const { logger, times } = this.#options;
    if (stuck && !this.#stuck) {
      const workerPools = [...this.#waitingSince.keys()].map(({ name }) => name);
      logger.error(
        { workerPools },
        `the worker has taken no job for ${times.stalledMs / 1000} seconds while jobs wait`,
      );
    }
    if (!stuck && this.#stuck) logger.info('the worker is no longer stuck');
    this.#stuck = stuck;
  }
}

const JOBS_WAIT = `
  select exists (select from graphile_worker.jobs
                  where task_identifier = any ($1) and locked_at is null and run_at <= now()
                    and attempts < max_attempts) as wait`;
