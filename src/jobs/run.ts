import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../observability/logger.ts';
import { QueueWorkerPool, type WorkerPoolConfig } from './queue-worker-pool.ts';
import { releaseJobs, reapUnderNames } from './reap-dead-workers.ts';

const START_MS = 30_000;
const GIVE_BACK_TRIES = 10;
const GIVE_BACK_MS = 200;

export interface RunOptions {
  /** Opens a pool that returns times as `Date`: for listening, for the names, for taking jobs and recording their ends. */
  openPool: () => pg.Pool;
  plans: readonly WorkerPoolConfig[];
  logger: Logger;
}

/** The worker pools of a worker on a pool of their own, so that one run can be replaced whole while its last jobs end. */
export interface Run {
  workerPools: readonly QueueWorkerPool[];
  /** Resolves with the reason when the run must be replaced. */
  failed: Promise<Error>;
  /** Takes no further job; resolves when those at hand are done, and gives up its names then. */
  close(): Promise<void>;
}

/**
 * Lets others take what a run has locked to its end: jobs that it took without knowing, since the answer was lost, or whose
 * end could not be recorded. While the database is away it is left to the other workers, which release the jobs of dead ones.
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

/** The failures of a connection after which the library sends a statement again, and tells nobody. */
const SENT_AGAIN = new Set(['ETIMEDOUT', 'EHOSTUNREACH']);

/**
 * Resolves when a look for a job may have been sent again. The first one may have locked a job, which would stay so for as
 * long as the worker lives.
 */
function sentAgain(pool: pg.Pool): Promise<Error> {
  return new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException) => SENT_AGAIN.has(error.code ?? '') && resolve(error);
    pool.on('connect', (client) => client.on('error', onError));
  });
}

type WhenConnected = Parameters<pg.Pool['connect']>[0];

/**
 * Lets a connection be released twice. graphile-worker 0.18 releases the listening connection again if a worker pool stops
 * before LISTEN was answered and the connection breaks afterwards; pg-pool would throw, and nobody catches it. An ended pool
 * calls back with an error and without a release function.
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

/** Starts to take jobs. Rejects when that takes too long, for example when the database is silent. */
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
    // Not awaited: a connection that hangs may take minutes to end.
    void pool.end().catch(() => undefined);
  };
  const late = sleep(START_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('the queue is silent')));
  try {
    await Promise.race([Promise.all(workerPools.map(({ started }) => started)), late]);
  } catch (error) {
    void close();
    throw error;
  } finally {
    // One worker pool may have taken jobs already when another fails to start.
    const names = workerPools.map(({ lockName }) => lockName).filter(Boolean);
    if (names.length > 0) void reapUnderNames(names, { pool, logger, signal: closed.signal });
  }
  return { workerPools, failed: Promise.race([repeated, ...workerPools.map(({ failed }) => failed)]), close };
}
