import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CronItem,
  Logger as QueueLogger,
  parseCronItems,
  run,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../observability/logger.ts';
import { LostJobs } from './job-batches.ts';

const POLL_MS = 2000;
/**
 * Maximum time in milliseconds to wait until the ends of the last jobs are recorded. A job whose end is not recorded
 * runs again.
 */
const FLUSH_MS = 3000;

/**
 * Settings that make the library record the ends of jobs in batches, without delay. Without batches, the library does
 * not await the recording, and a failure is an unhandled rejection, which ends the process. With batches, the library
 * reports a failure as `pool:fatalError`.
 */
const REPORT_FAILURES = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** Tasks of a worker pool, and how many of their jobs can run at the same time. */
export interface WorkerPoolConfig {
  name: string;
  tasks: TaskList;
  schedule: CronItem[];
  concurrency: number;
}

interface Slot {
  busy: boolean;
  /** Time at which the slot was created, last began or finished a job, or last got the reply that no job is waiting. */
  answeredAt: number;
}

/**
 * Takes the jobs of a plan until it is closed or fails. Relies only on the events of the library's runner. In
 * graphile-worker 0.18, `runner.promise` might never settle: if the ends of two jobs cannot be recorded in one outage,
 * the counter that the shutdown waits for becomes negative.
 */
export class QueueWorkerPool {
  /** Resolves with the reason when this worker pool has stopped, or might hold a job without knowing it. */
  readonly failed: Promise<Error>;
  /** Settles when the worker pool starts to poll for jobs. */
  readonly started: Promise<unknown>;
  /** Time at which the worker pool last took a job, in milliseconds since 1970; 0 before the first job. */
  lastJobAt = 0;
  /** Name under which the worker pool locks jobs; empty until it has started. */
  lockName = '';

  readonly #slots = new Map<object, Slot>();
  readonly #runner: Promise<Runner>;
  readonly #fail: (reason: Error) => void;
  readonly #stopped = Promise.withResolvers<void>();

  constructor(plan: WorkerPoolConfig, pool: pg.Pool, logger: Logger) {
    const failure = Promise.withResolvers<Error>();
    this.failed = failure.promise;
    this.#fail = failure.resolve;
    this.#runner = run({
      pgPool: pool,
      taskList: plan.tasks,
      concurrency: plan.concurrency,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      preset: REPORT_FAILURES,
      parsedCronItems: parseCronItems(plan.schedule),
      logger: queueLogger(logger),
      events: this.#listen(),
    });
    this.started = this.#runner.then(({ promise }) => {
      const ended = () => this.#fail(new Error('the queue runner stopped'));
      void promise.then(ended, this.#fail);
    });
    // Prevents an unhandled rejection; callers that await the promise still see the failure.
    this.started.catch(() => undefined);
  }

  get isFull(): boolean {
    return this.#slots.size > 0 && [...this.#slots.values()].every(({ busy }) => busy);
  }

  /** Reports whether a slot has waited longer than `ms` for the reply to a poll, which should take seconds at most. */
  isSilent(ms: number): boolean {
    return [...this.#slots.values()].some(({ busy, answeredAt }) => !busy && Date.now() - answeredAt > ms);
  }

  /** Stops taking jobs. Resolves when the current jobs have ended. */
  async close(): Promise<void> {
    const runner = await this.#runner.catch(() => undefined);
    if (!runner) return;
    void runner.stop().catch(() => undefined);
    if (this.#slots.size > 0) await this.#stopped.promise;
    await Promise.race([runner.promise.catch(() => undefined), sleep(FLUSH_MS, undefined, { ref: false })]);
  }

  #listen(): WorkerEvents {
    const events: WorkerEvents = new EventEmitter();
    const answered = (slot: object, busy: boolean) => this.#slots.set(slot, { busy, answeredAt: Date.now() });
    events.on('pool:create', ({ workerPool }) => (this.lockName = workerPool.id));
    events.on('worker:create', ({ worker }) => answered(worker, false));
    events.on('worker:getJob:empty', ({ worker }) => answered(worker, false));
    events.on('job:start', ({ worker }) => {
      answered(worker, true);
      this.lastJobAt = Date.now();
    });
    events.on('job:complete', ({ worker }) => answered(worker, false));
    events.on('worker:stop', ({ worker }) => {
      this.#slots.delete(worker);
      if (this.#slots.size === 0) this.#stopped.resolve();
    });
    // If the reply was lost, a job might be locked although no worker runs it. The job is released once the lock name
    // of this worker pool disappears.
    events.on('worker:getJob:error', ({ error }) => this.#fail(error as Error));
    events.on('job:error', ({ error }) => {
      if (error instanceof LostJobs) this.#fail(error);
    });
    events.on('pool:fatalError', ({ error }) => this.#fail(error as Error));
    return events;
  }
}

/** Forwards the library's log messages. Failures of jobs are logged at the level `debug`. */
function queueLogger(logger: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    const isFailureOfJob = message.startsWith('Failed task');
    if ((level === 'error' || level === 'warning') && !isFailureOfJob)
      logger.warn({ reason: message }, 'queue runner warning');
    else logger.debug({ reason: message }, 'queue runner message');
  });
}
