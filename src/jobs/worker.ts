// Job recovery: no queue job is lost when workers die, connections break or databases fail over.
//
// graphile-worker keeps the jobs in Postgres. A worker process replaces its *run* whenever anything is wrong with it. A
// run is a connection pool together with the worker pools that use it (run.ts, queue-worker-pool.ts). Each worker pool
// locks jobs under a separate lock name.
//
// - Dead workers. A run holds connections whose `application_name` lists its lock names. Every run checks every 5 s for
//   locked jobs whose lock name has no connection. If a name is missing twice in a row, its worker counts as dead, and
//   its jobs are unlocked (reap-dead-workers.ts). The library itself would wait four hours.
// - Lost replies. A broken connection can leave a job locked that no worker pool knows of. The run reports the error
//   and is replaced. Its current jobs end under its old names; then the run unlocks every job that those names still
//   hold.
// - Silent queues. The watchdog replaces a run after 30 s without a reply from the queue (worker-watchdog.ts).
// - Stalls. If jobs are waiting and none has been taken for 60 s, the process is not ready, and its run is replaced.
//   After five minutes the process ends, so that its supervisor starts another.
// - Failed tasks. The queue runs the job again, up to 25 times by default. The delay grows from seconds to six hours.
//
// Guarantees: at least once, never at most once. A task must be safe to repeat. Two workers can run one job at the same
// time if the first has lost its named connection for two checks but is still running the job.
//
// To stop, a worker takes no further jobs, and waits up to the given timeout until the current jobs have ended.
//
// Not for: webhooks and simulations, whose pollers claim rows and hold no jobs (src/limits/poller.ts).
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../observability/logger.ts';
import type { WorkerPoolConfig } from './queue-worker-pool.ts';
import { type Run, type RunOptions, startRun } from './run.ts';
import { WorkerWatchdog, WATCHDOG_TIMES, type WatchdogTimes } from './worker-watchdog.ts';

const RESTART_MS = 1000;

export interface Worker {
  /** Stops taking jobs. Resolves when the current jobs have ended, or after `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
  /**
   * Reports whether the worker is healthy: false if it has not taken a job for a minute although jobs are waiting and
   * it has free slots.
   */
  isHealthy(): boolean;
}

export interface WorkerOptions extends RunOptions {
  /** Connection pool of the tasks, which the watchdog uses to query the waiting jobs. */
  pool: pg.Pool;
  logger: Logger;
  /** Called when the worker has been stuck for minutes and the process must be restarted. */
  onGiveUp: () => void;
  times?: WatchdogTimes;
}

/** Starts a worker, which runs queue jobs until it is stopped. */
export function startWorker(options: WorkerOptions): Worker {
  return new ReplacingWorker(options);
}

class ReplacingWorker implements Worker {
  readonly #options: WorkerOptions;
  readonly #watch: WorkerWatchdog;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  /** Runs that are being closed and might still have running jobs. */
  readonly #closing = new Set<Promise<void>>();
  #run: Run | undefined;
  #replace: (reason: Error) => void = () => undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#watch = new WorkerWatchdog({
      times: WATCHDOG_TIMES,
      ...options,
      findPool: (plan: WorkerPoolConfig) => this.#run?.workerPools[options.plans.indexOf(plan)],
      replace: (reason) => this.#replace(reason),
    });
    void this.#watch.keepLooking(this.#stopping.signal);
    this.#running = this.#keepRunning(this.#stopping.signal);
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    this.#replace(new Error('the worker is stopping'));
    const stopped = this.#running.then(() => Promise.all(this.#closing));
    await Promise.race([stopped, sleep(timeoutMs, undefined, { ref: false })]);
  }

  isHealthy(): boolean {
    return !this.#watch.isStuck;
  }

  async #keepRunning(signal: AbortSignal): Promise<void> {
    const { logger } = this.#options;
    while (!signal.aborted) {
      const err = await this.#runUntilItFails(signal).catch((error: unknown) => error);
      if (signal.aborted) return;
      logger.warn({ err }, 'worker session ended; restarting');
      await sleep(RESTART_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #runUntilItFails(signal: AbortSignal): Promise<Error> {
    const run = await startRun(this.#options);
    const replaced = Promise.withResolvers<Error>();
    this.#replace = replaced.resolve;
    this.#run = run;
    if (signal.aborted) replaced.resolve(new Error('the worker is stopping'));
    const reason = await Promise.race([run.failed, replaced.promise]);
    this.#run = undefined;
    const closing = run.close().finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    return reason;
  }
}
