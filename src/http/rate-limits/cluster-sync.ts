import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ApiKeyCache } from '../../auth/api-key-cache.ts';
import type { Logger } from '../../observability/logger.ts';
import { PostgresCounts } from './postgres-counts.ts';
import type { CounterStores } from './rate-limits.ts';
import { exchangeCounts } from './shared-counts.ts';

const RECONNECT_MS = 500;

export interface ClusterSyncOptions {
  /** Pool for the one connection that listens for changes to keys and, without Redis, exchanges counts. */
  pool: pg.Pool;
  /** The URL of the Redis that has the sums of the limits; undefined if the sums are in the database. */
  redisUrl: string | undefined;
  logger: Logger;
  signal: AbortSignal;
}

export interface Shared {
  stores: CounterStores;
  keys: ApiKeyCache;
}

/**
 * Exchanges counts with the other processes (rate-limits.ts), and clears the cache of keys when a key changes. Ends
 * when the signal is aborted. While the database is unavailable, cached keys expire by age.
 */
export async function startClusterSync({ stores, keys }: Shared, options: ClusterSyncOptions): Promise<void> {
  const { pool, redisUrl, logger, signal } = options;
  const alone = { logger, signal, lost: 'connection for shared limits lost; counting in this process only' };
  if (redisUrl === undefined) return keepUsing((using) => followDatabase(pool, { stores, keys }, using), alone);
  const deaf = { logger, signal, lost: 'connection for key revocations lost; cached keys expire by age' };
  const nothing: CounterStores = new Map();
  await Promise.all([
    keepUsing((using) => followDatabase(pool, { stores: nothing, keys }, using), deaf),
    keepUsing((using) => countInRedis(redisUrl, stores, using), alone),
  ]);
}

interface Using {
  signal: AbortSignal;
  /** Must be called whenever the connection has worked. */
  onUse: () => void;
}

interface Keeping {
  logger: Logger;
  signal: AbortSignal;
  /** Log message for a lost connection. It is not repeated until a connection has worked again. */
  lost: string;
}

/** Calls `use` again whenever its connection is lost, every half second, until the signal is aborted. */
async function keepUsing(use: (using: Using) => Promise<void>, { logger, signal, lost }: Keeping): Promise<void> {
  let isAway = false;
  const onUse = () => void (isAway = false);
  while (!signal.aborted) {
    const err = await use({ signal, onUse }).catch((error: unknown) => error);
    if (signal.aborted) return;
    if (!isAway) logger.warn({ err }, lost);
    isAway = true;
    await sleep(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Resolves when the connection ends or the signal is aborted; rejects when the connection fails. */
async function followDatabase(pool: pg.Pool, { stores, keys }: Shared, { signal, onUse }: Using): Promise<void> {
  const client = await pool.connect();
  try {
    const ended = new AbortController();
    client.once('end', () => ended.abort()).on('notification', () => keys.forget());
    await client.query('listen api_keys');
    onUse();
    // Notifications sent before LISTEN are lost, so clear the cache.
    keys.forget();
    const over = AbortSignal.any([signal, ended.signal]);
    await exchangeCounts(stores, new PostgresCounts(client), { signal: over, onExchange: onUse });
  } finally {
    client.release(true);
  }
}

/** Resolves when the signal is aborted; rejects when the connection breaks or stops responding. */
async function countInRedis(url: string, stores: CounterStores, { signal, onUse }: Using): Promise<void> {
  // Loads the client only if Redis is configured.
  const { RedisCounts } = await import('./redis-counts.ts');
  const counts = await RedisCounts.connect(url);
  try {
    await exchangeCounts(stores, counts, { signal: AbortSignal.any([signal, counts.broken]), onExchange: onUse });
    counts.broken.throwIfAborted();
  } finally {
    counts.close();
  }
}
