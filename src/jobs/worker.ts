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
/** To listen, for the schedule, and for the worker's name. */
export const CONNECTIONS_OF_WORKER = 3;

export interface Worker {
  /** Takes no further job, and resolves when those at hand are done or `timeoutMs` has passed. */
  stop(timeoutMs: number): Promise<void>;
}

export interface WorkerOptions {
  /** As large as `concurrency` and CONNECTIONS_OF_WORKER together. */
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
  const name = await pool.connect();
  const events: WorkerEvents = new EventEmitter();
  const created = once(events, 'pool:create') as Promise<[{ workerPool: WorkerPool }]>;
  const runner = await run({
    pgPool: pool,
    taskList: tasks,
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    parsedCronItems: parseCronItems(schedule),
    logger: queueLogger(logger),
    events,
  });
  const stop = () => void runner.stop().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  name.once('error', stop);
  const [{ workerPool }] = await created;
  await name.query(`select set_config('application_name', $1, false)`, [workerPool.id]).catch(stop);
  const sweeper = setInterval(() => void releaseJobsOfTheDead(pool, logger), SWEEP_MS);
  void releaseJobsOfTheDead(pool, logger);
  try {
    await runner.promise;
  } finally {
    clearInterval(sweeper);
    signal.removeEventListener('abort', stop);
    name.release(true);
  }
}

// A worker holds a connection under the name by which it locks jobs, so that all see that it lives. The library itself
// takes jobs from the dead only after four hours.
const RELEASE_JOBS_OF_THE_DEAD = `
  select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
   where locked_at < now() - interval '5 seconds'
     and not exists (select from pg_stat_activity where datname = current_database() and application_name = locked_by)
  having count(*) > 0`;

async function releaseJobsOfTheDead(pool: pg.Pool, logger: Logger): Promise<void> {
  await pool.query(RELEASE_JOBS_OF_THE_DEAD).catch((err: unknown) => {
    logger.warn({ err }, 'could not look for jobs of dead workers');
  });
}

/** What the library has to say of itself. Each job's start, end and failure is the job's own to tell. */
function queueLogger(logger: Logger): QueueLogger {
  return new QueueLogger(() => (level, message) => {
    const isFailureOfJob = message.startsWith('Failed task');
    if ((level === 'error' || level === 'warning') && !isFailureOfJob) logger.warn({ reason: message }, 'queue');
    else logger.debug({ reason: message }, 'queue');
  });
}
