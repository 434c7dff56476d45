import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../observability/logger.ts';
import { QueueWorkerPool, type WorkerPoolConfig } from './queue-worker-pool.ts';
import { releaseJobs, reapUnderNames } from './reap-dead-workers.ts';

const START_MS = 30_000;
const GIVE_BACK_TRIES = 10;
const GIVE_BACK_MS = 200;

export interface RunOptions {
  /** Opens the pool of the queue, which returns times as `Date`. */
  openPool: () => pg.Pool;
  plans: readonly WorkerPoolConfig[];
  logger: Logger;
}

/**
 * The worker pools of a worker, on a connection pool of their own, so that a run can be replaced while its last jobs
 * end.
 */
export interface Run {
  workerPools: readonly QueueWorkerPool[];
  /** Resolves with the reason when the run must be replaced. */
  failed: Promise<Error>;
  /** Stops taking jobs. Resolves when the current jobs have ended, and then gives up the lock names. */
  close(): Promise<void>;
}

/**
 * Unlocks the jobs that a run still holds when it ends: jobs that it took without knowing, because the reply was lost,
 * and jobs whose end could not be recorded. If the database is unavailable, other workers release these jobs later,
 * like the jobs of a dead worker.
 */
async function giveBack(workerPools: readonly QueueWorkerPool[], pool: pg.Pool): Promise<void> {
  const names = workerPools.map(({ lockName }) => lockName).filter(Boolean);
  for (let tries = 1; tries <= GIVE_BACK_TRIES; tries++) {
    const isDone = await releaseJobs(names, pool).then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await sleep(GIVE_BACK_MS, undefined, { ref: false });
  }
}

/** Connection errors after which the library silently repeats a statement. */
const SENT_AGAIN = new Set(['ETIMEDOUT', 'EHOSTUNREACH']);

/**
 * Resolves when the library might have repeated a query for a job. The first query might have locked a job, which would
 * stay locked as long as the worker lives.
 */
function sentAgain(pool: pg.Pool): Promise<Error> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => SENT_AGAIN.has(error.code ?? '') && resolve(error);
    pool.on('connect', (client) => client.on('error', onError));
  });
}

type WhenConnected = Parameters<pg.Pool['connect']>[0];

/**
 * Allows a connection to be released twice. graphile-worker 0.18 releases the listening connection again if a worker
 * pool stops before the reply to LISTEN and the connection breaks after that; pg-pool would throw, and nothing catches
 * that error. An ended pool calls back with an error and without a release function.
 */
export function tolerateSecondRelease(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool);
  const once =
    (callback: WhenConnected): WhenConnected =>
    (error, client, release?: (reason?: Error | boolean) => void) => {
      let isReleased = false;
      callback(error, client, (reason?: Error | boolean) => {
        if (!isReleased) release?.(reason);
        isReleased = true;
      });
    };
  pool.connect = ((callback?: WhenConnected) => (callback ? connect(once(callback)) : connect())) as pg.Pool['connect'];
}

/** Starts to take jobs. Rejects if that takes too long, for example because the database does not respond. */
export async function startRun({ openPool, plans, logger }: RunOptions): Promise<Run> {
  const pool = openPool();
  tolerateSecondRelease(pool);
  const repeated = sentAgain(pool);
  const workerPools = plans.map((plan) => new QueueWorkerPool(plan, pool, logger));
  const closed = new AbortController();
  const close = async () => {
    await Promise.all(workerPools.map((workerPool) => workerPool.close()));
    closed.abort();
    await giveBack(workerPools, pool);
    // Not awaited, because a hanging connection can take minutes to close.
    void pool.end().catch(() => undefined);
  };
  const late = sleep(START_MS, undefined, { ref: false }).then(() =>
    Promise.reject(new Error('the queue runner did not start in time')),
  );
  try {
    await Promise.race([Promise.all(workerPools.map(({ started }) => started)), late]);
  } catch (error) {
    void close();
    throw error;
  } finally {
    // One worker pool might already have taken jobs when another fails to start.
    const names = workerPools.map(({ lockName }) => lockName).filter(Boolean);
    if (names.length > 0) void reapUnderNames(names, { pool, logger, signal: closed.signal });
  }
  return { workerPools, failed: Promise.race([repeated, ...workerPools.map(({ failed }) => failed)]), close };
}
