import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../logger.ts';
import { Lane, type LanePlan } from './lane.ts';
import { sweepUnderNames } from './sweep.ts';

const START_MS = 30_000;

export interface RunOptions {
  /** Opens a pool that returns times as `Date`: for listening, for the names, for taking jobs and recording their ends. */
  openPool: () => pg.Pool;
  plans: readonly LanePlan[];
  logger: Logger;
}

/** The lanes of a worker on a pool of their own, so that one run can be replaced whole while its last jobs end. */
export interface Run {
  lanes: readonly Lane[];
  /** Resolves with the reason when the run must be replaced. */
  failed: Promise<Error>;
  /** Takes no further job; resolves when those at hand are done, and gives up its names then. */
  close(): Promise<void>;
}

/** Starts to take jobs. Rejects when that takes too long, for example when the database is silent. */
export async function startRun({ openPool, plans, logger }: RunOptions): Promise<Run> {
  const pool = openPool();
  const lanes = plans.map((plan) => new Lane(plan, pool, logger));
  const closed = new AbortController();
  const close = async () => {
    await Promise.all(lanes.map((lane) => lane.close()));
    closed.abort();
    // Not awaited: a connection that hangs may take minutes to end.
    void pool.end().catch(() => undefined);
  };
  const late = sleep(START_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('the queue is silent')));
  try {
    await Promise.race([Promise.all(lanes.map(({ started }) => started)), late]);
  } catch (error) {
    void close();
    throw error;
  } finally {
    // One lane may have taken jobs already when another fails to start.
    const names = lanes.map(({ lockName }) => lockName).filter(Boolean);
    if (names.length > 0) void sweepUnderNames(names, { pool, logger, signal: closed.signal });
  }
  return { lanes, failed: Promise.race(lanes.map(({ failed }) => failed)), close };
}
