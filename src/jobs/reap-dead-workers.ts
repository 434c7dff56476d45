import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../observability/logger.ts';

const SWEEP_MS = 5000;
const RECONNECT_MS = 500;
/** Number of lock names in an `application_name`: it holds 63 characters, and a lock name has 23. */
export const NAMES_PER_CONNECTION = 2;

export interface ReaperOptions {
  pool: pg.Pool;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * Holds connections named after the lock names of a worker, so that other workers see that it is alive. Releases the
 * jobs of dead workers, which the library itself does only after four hours. Reopens a broken connection at once.
 */
export async function reapUnderNames(names: readonly string[], options: ReaperOptions): Promise<void> {
  const reaping: Promise<void>[] = [];
  for (let at = 0; at < names.length; at += NAMES_PER_CONNECTION)
    reaping.push(keepConnection(names.slice(at, at + NAMES_PER_CONNECTION), options));
  await Promise.all(reaping);
}

async function keepConnection(names: readonly string[], { pool, logger, signal }: ReaperOptions): Promise<void> {
  while (!signal.aborted) {
    const client = await pool.connect().catch(() => undefined);
    if (!client) {
      await sleep(RECONNECT_MS);
      continue;
    }
    const reason = await holdNames(names, client, signal).catch((err: unknown) => err);
    client.release(true);
    if (!signal.aborted) logger.warn({ err: reason }, 'worker lock connection lost; reconnecting');
  }
}

/** Holds the names until the connection ends or the signal is aborted. */
async function holdNames(names: readonly string[], client: pg.PoolClient, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  client.once('end', () => ended.abort());
  const over = AbortSignal.any([signal, ended.signal]);
  await client.query(`select set_config('application_name', $1, false)`, [names.join(' ')]);
  for (let missing: string[] = []; !over.aborted;) {
    await sleep(SWEEP_MS, undefined, { signal: over }).catch(() => undefined);
    if (!over.aborted) missing = await reapDeadWorkers(client, missing);
  }
}

/**
 * Releases the jobs of dead workers. A name can be missing briefly while its worker reconnects, as all workers do after
 * a database restart. A worker therefore counts as dead only if two checks in a row miss its name.
 * @returns the names that are missing now
 */
async function reapDeadWorkers(client: pg.ClientBase, missingBefore: string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(MISSING_NAMES);
  const missing = rows.map(({ name }) => name);
  const dead = missing.filter((name) => missingBefore.includes(name));
  if (dead.length > 0) await releaseJobs(dead, client);
  return missing;
}

/** Unlocks the jobs that are locked under the given lock names. */
export async function releaseJobs(names: readonly string[], db: pg.ClientBase | pg.Pool): Promise<void> {
  await db.query('select graphile_worker.force_unlock_workers($1)', [names]);
}

const MISSING_NAMES = `
  select distinct locked_by as name from graphile_worker.jobs
   where locked_by is not null
     and not exists (select from pg_stat_activity
                      where datname = current_database() and locked_by = any (string_to_array(application_name, ' ')))`;
