import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { KeyDirectory } from '../auth/key-directory.ts';
import type { Logger } from '../logger.ts';
import { PostgresCounts } from './postgres-counts.ts';
import type { CountStores } from './rate-limits.ts';
import { exchangeCounts } from './shared-counts.ts';

const RECONNECT_MS = 500;

export interface InStepOptions {
  /** A connection of its own. */
  pool: pg.Pool;
  logger: Logger;
  signal: AbortSignal;
}

export interface Shared {
  stores: CountStores;
  keys: KeyDirectory;
}

/**
 * Keeps a process in step with all others on the same database until the signal is aborted: it tells them what it has
 * counted and learns their sums, and it forgets its keys when one of them changes. While the database is away each process
 * counts alone, and keys are forgotten by their time.
 */
export async function keepInStep(shared: Shared, { pool, logger, signal }: InStepOptions): Promise<void> {
  const useDatabase = (onUse: () => void) => followDatabase(pool, shared, { signal, onUse });
  await keepUsing(useDatabase, { logger, signal, lost: 'this process is alone: its limits are its own' });
}

/** What uses a connection until it ends, and calls back each time that it was of use. */
type Use = (onUse: () => void) => Promise<void>;

/** Begins again whenever it ends, and logs that it did, once until it is of use again. */
async function keepUsing(
  use: Use,
  { logger, signal, lost }: { logger: Logger; signal: AbortSignal; lost: string },
): Promise<void> {
  let isAway = false;
  while (!signal.aborted) {
    const err = await use(() => (isAway = false)).catch((error: unknown) => error);
    if (signal.aborted) return;
    if (!isAway) logger.warn({ err }, lost);
    isAway = true;
    await sleep(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

interface Using {
  signal: AbortSignal;
  onUse: () => void;
}

/** Resolves when the connection ends or the signal is aborted; rejects when the connection fails. */
async function followDatabase(pool: pg.Pool, { stores, keys }: Shared, { signal, onUse }: Using): Promise<void> {
  const client = await pool.connect();
  try {
    const ended = new AbortController();
    client.once('end', () => ended.abort()).on('notification', () => keys.forget());
    await client.query('listen api_keys');
    onUse();
    // Of what happened meanwhile nobody tells.
    keys.forget();
    const over = AbortSignal.any([signal, ended.signal]);
    await exchangeCounts(stores, new PostgresCounts(client), { signal: over, onExchange: onUse });
  } finally {
    client.release(true);
  }
}
