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

const POLL_MS = 2000;
/** How long the ends of the last jobs may take to be recorded. A job whose end is not recorded runs again. */
const FLUSH_MS = 3000;

/**
 * Without batches the library does not wait for the end of a job to be recorded, and a failure there is an unhandled
 * rejection, which ends the process. With them, however short, it is reported as `pool:fatalError`.
 */
const REPORT_FAILURES = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

/** The jobs of some tasks, and how many of them may run at once. */
export interface WorkerPoolConfig {
  name: string;
  tasks: TaskList;
  schedule: CronItem[];
  concurrency: number;
}

interface Slot {
  busy: boolean;
  /** When it last finished a job, or was told by the database that there is none. */
  answeredAt: number;
}

/**
 * Takes the jobs of a plan until it is closed or fails. It relies on the events of the library's runner only. In
 * graphile-worker 0.18 `runner.promise` may never settle: when the ends of two jobs cannot be recorded in one outage, the
 * count that its shutdown waits for becomes negative.
 */
export class QueueWorkerPool {
  /** Resolves with the reason when this worker pool has stopped, or may hold a job without knowing it. */
  readonly failed: Promise<Error>;
  /** Settles when it looks for jobs. */
  readonly started: Promise<unknown>;
  /** When it last took a job, in milliseconds as of `Date.now()`. */
  lastJobAt = 0;
  /** The names under which it locks jobs, once it has started. */
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
      const ended = () => this.#fail(new Error('the queue has stopped'));
      void promise.then(ended, this.#fail);
    });
    // A failure is told to whoever awaits this promise, but not to close().
    this.started.catch(() => undefined);
  }

  get isFull(): boolean {
    return this.#slots.size > 0 && [...this.#slots.values()].every(({ busy }) => busy);
  }

  /** Whether a slot has waited this long for the answer to a look for jobs, which should take seconds at most. */
  isSilent(ms: number): boolean {
    return [...this.#slots.values()].some(({ busy, answeredAt }) => !busy && Date.now() - answeredAt > ms);
  }

  /** Takes no further job, and resolves when those at hand are done. */
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
    // When the answer is lost, a job may be locked that nobody works on. It is released when our name disappears.
    events.on('worker:getJob:error', ({ error }) => this.#fail(error as Error));
    events.on('pool:fatalError', ({ error }) => this.#fail(error as Error));
    return events;
  }
}

/** Logs what the library reports about itself. Jobs log their own start, end and failure. */
function queueLogger(logger: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    const isFailureOfJob = message.startsWith('Failed task');
    if ((level === 'error' || level === 'warning') && !isFailureOfJob) logger.warn({ reason: message }, 'queue');
    else logger.debug({ reason: message }, 'queue');
  });
}
