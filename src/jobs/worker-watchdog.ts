import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../observability/logger.ts';
import type { QueueWorkerPool, WorkerPoolConfig } from './queue-worker-pool.ts';

const RESPONSE_TIMEOUT_MS = 5000;

/** Intervals of the watchdog, in milliseconds. */
export interface WatchdogTimes {
  /** Time between two checks. */
  pollMs: number;
  /** Time without a reply from the queue after which the watchdog replaces a run. */
  unresponsiveMs: number;
  /**
   * Time without taking a job, although jobs are waiting, after which the watchdog replaces the run and the worker is
   * not ready.
   */
  stalledMs: number;
  /** Time without taking a job after which the process ends, because a new run did not help. */
  exitMs: number;
}

export const WATCHDOG_TIMES: WatchdogTimes = {
  pollMs: 10_000,
  unresponsiveMs: 30_000,
  stalledMs: 60_000,
  exitMs: 300_000,
};

export interface WatchdogOptions {
  /** Connection pool of the tasks, not that of the watched worker pools. */
  pool: pg.Pool;
  plans: readonly WorkerPoolConfig[];
  times: WatchdogTimes;
  logger: Logger;
  /** Finds the running worker pool that has a given configuration. */
  findPool: (plan: WorkerPoolConfig) => QueueWorkerPool | undefined;
  replace: (reason: Error) => void;
  /** Called at each check once the worker has not taken a job for `exitMs`. */
  onGiveUp: () => void;
}

/**
 * Watches whether the worker takes jobs: compares the waiting jobs in the database with the time at which each worker
 * pool last took a job. Also replaces a run whose queue does not respond.
 */
export class WorkerWatchdog {
  readonly #options: WatchdogOptions;
  /** Times since when worker pools have not taken a job although jobs are waiting, by configuration. */
  readonly #waitingSince = new Map<WorkerPoolConfig, number>();
  #lastLook = Date.now();
  #stuck = false;

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  get isStuck(): boolean {
    return this.#stuck;
  }

  /** Checks periodically until the signal is aborted. */
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
      replace(new Error(`the queue runner has been unresponsive for ${times.unresponsiveMs / 1000} seconds`));
    }
    const lastLook = this.#lastLook;
    this.#lastLook = Date.now();
    await Promise.all(plans.map((plan) => this.#lookAt(plan, lastLook)));
    const maxLength = Math.max(0, ...[...this.#waitingSince.values()].map((since) => Date.now() - since));
    this.#recordStuck(maxLength >= times.stalledMs);
    if (maxLength >= times.stalledMs) {
      replace(
        new Error(`a worker pool has taken no jobs for ${times.stalledMs / 1000} seconds although jobs are waiting`),
      );
    }
    if (maxLength >= times.exitMs) onGiveUp();
  }

  /**
   * Checks one worker pool. A failed query does not count: while the database is unavailable, no worker can take jobs.
   */
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
    return Promise.race([jobsWait, sleep(RESPONSE_TIMEOUT_MS, false, { ref: false })]);
  }

  #recordStuck(stuck: boolean): void {
    const { logger, times } = this.#options;
    if (stuck && !this.#stuck) {
      const workerPools = [...this.#waitingSince.keys()].map(({ name }) => name);
      logger.error(
        { workerPools, stalledMs: times.stalledMs },
        'worker stalled: not taking jobs although jobs are waiting',
      );
    }
    if (!stuck && this.#stuck) logger.info('worker recovered');
    this.#stuck = stuck;
  }
}

const JOBS_WAIT = `
  select exists (select from graphile_worker.jobs
                  where task_identifier = any ($1) and locked_at is null and run_at <= now()
                    and attempts < max_attempts) as wait`;
