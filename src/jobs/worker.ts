import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CronItem,
  Logger as QueueLogger,
  parseCronItems,
  run,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../logger.ts';

const POLL_MS = 2000;
const RESTART_MS = 1000;
const SWEEP_MS = 5000;
/** In which a living worker has made its connection anew. */
const GRACE_MS = 10_000;
/** To listen, for the schedule, for the worker's name, and two to take jobs and record their ends. */
export const CONNECTIONS_OF_WORKER = 5;

/** Recording a job's end is only tried again, and its failure only reported, where ends are collected, for however short. */
const RETRYING = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } };

export interface Worker {
  /** Takes no further job, and resolves when those at hand are done or `timeoutMs` has passed. */
  stop(timeoutMs: number): Promise<void>;
}

export interface WorkerOptions {
  /** Of CONNECTIONS_OF_WORKER connections, with times as dates; the tasks have another. */
  pool: pg.Pool;
  tasks: TaskList;
  schedule: CronItem[];
  concurrency: number;
  logger: Logger;
}

/**
 * Works on the jobs of the queue until it is stopped. The queue's library gives up when the database is away for long;
 * it is started anew then, as often as needed.
 */
export function startWorker(options: WorkerOptions): Worker {
  const stopping = new AbortController();
  const stopped = keepRunning(options, stopping.signal);
  return {
    async stop(timeoutMs) {
      stopping.abort();
      await Promise.race([stopped, sleep(timeoutMs, undefined, { ref: false })]);
    },
  };
}

async function keepRunning(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { logger } = options;
  while (!signal.aborted) {
    try {
      await runUntilItEnds(options, signal);
    } catch (err) {
      logger.warn({ err }, 'the worker ended');
    }
    if (!signal.aborted) await sleep(RESTART_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function runUntilItEnds(options: WorkerOptions, signal: AbortSignal): Promise<void> {
  const { pool, tasks, schedule, concurrency, logger } = options;
  const events: WorkerEvents = new EventEmitter();
  const created = once(events, 'pool:create') as Promise<[{ workerPool: WorkerPool }]>;
  const runner = await run({
    pgPool: pool,
    taskList: tasks,
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    preset: RETRYING,
    parsedCronItems: parseCronItems(schedule),
    logger: queueLogger(logger),
    events,
  });
  const ended = new AbortController();
  const stop = () => void runner.stop().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const [{ workerPool }] = await created;
  const sweeping = sweepUnderName(workerPool.id, options, ended.signal);
  try {
    await runner.promise;
  } finally {
    signal.removeEventListener('abort', stop);
    ended.abort();
    await sweeping;
  }
}

/**
 * Holds a connection under the name by which the worker locks jobs, so that all see that it lives, and releases the jobs
 * of those who do not: the library itself does that only after four hours. When the connection breaks it is made anew,
 * and the others are given time to do the same, as after a restart of the database.
 */
async function sweepUnderName(name: string, { pool, logger }: WorkerOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = await pool.connect().catch(() => undefined);
    try {
      await client?.query(`select set_config('application_name', $1, false)`, [name]);
      await sleep(GRACE_MS, undefined, { signal });
      for (; client && !signal.aborted; await sleep(SWEEP_MS, undefined, { signal })) {
        await client.query(RELEASE_JOBS_OF_THE_DEAD);
      }
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, 'the connection that names the worker broke');
    } finally {
      client?.release(true);
    }
  }
}

const RELEASE_JOBS_OF_THE_DEAD = `
  select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
   where locked_at < now() - interval '10 seconds'
     and not exists (select from pg_stat_activity where datname = current_database() and application_name = locked_by)
  having count(*) > 0`;

/** What the library has to say of itself. Each job's start, end and failure is the job's own to tell. */
function queueLogger(logger: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    const isFailureOfJob = message.startsWith('Failed task');
    if ((level === 'error' || level === 'warning') && !isFailureOfJob) logger.warn({ reason: message }, 'queue');
    else logger.debug({ reason: message }, 'queue');
  });
}
