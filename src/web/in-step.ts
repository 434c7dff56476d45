import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { KeyDirectory } from '../auth/key-directory.ts';
import type { Logger } from '../logger.ts';
import type { Told } from './count-store.ts';
import type { CountStores } from './rate-limits.ts';

const EXCHANGE_MS = 500;
const RECONNECT_MS = 500;
const SWEEP_MS = 60_000;

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
 * Keeps a process in step with all others on the same database until the signal is aborted: twice a second it tells them
 * what it has counted and learns their sums, and it forgets its keys when one of them changes. So a limit may be passed by
 * what the other processes let through in half a second. While the database is away each process counts alone, and keys
 * are forgotten by their time.
 */
export async function keepInStep(shared: Shared, { pool, logger, signal }: InStepOptions): Promise<void> {
  let isAway = false;
  while (!signal.aborted) {
    const client = await pool.connect().catch(() => undefined);
    const reason = client && (await useConnection(client, shared, signal).catch((error: unknown) => error));
    client?.release(true);
    if (signal.aborted) return;
    if (client || !isAway) logger.warn({ err: reason }, 'this process is alone: its limits are its own');
    isAway = !client;
    await sleep(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Resolves when the connection ends or the signal is aborted; rejects when the connection fails. */
async function useConnection(client: pg.PoolClient, { stores, keys }: Shared, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  client.once('end', () => ended.abort()).on('notification', () => keys.forget());
  const over = AbortSignal.any([signal, ended.signal]);
  await client.query('listen api_keys');
  // Of what happened meanwhile nobody tells.
  keys.forget();
  for (let sweepAt = 0; !over.aborted;) {
    await exchange(client, stores);
    if (Date.now() > sweepAt) {
      sweepAt = Date.now() + SWEEP_MS;
      await client.query(`delete from call_counts where resets_at < now() - interval '1 minute'`);
    }
    await sleep(EXCHANGE_MS, undefined, { signal: over, ref: false }).catch(() => undefined);
  }
}

async function exchange(client: pg.PoolClient, stores: Shared['stores']): Promise<void> {
  for (const [limiter, store] of stores) {
    const told = store.takeUntold();
    if (told.length === 0) continue;
    try {
      const columns = [told.map((one) => one.counted), told.map((one) => one.hits), told.map((one) => one.resetsInMs)];
      const { rows } = await client.query<Told>({
        name: 'exchange_counts',
        text: EXCHANGE,
        values: [limiter, ...columns],
      });
      for (const row of rows) store.learn(row);
    } catch (error) {
      store.putBack(told);
      throw error;
    }
  }
}

// In order, so that two processes never wait for each other.
const EXCHANGE = `
  insert into call_counts as known (limiter, counted, count, resets_at)
  select $1, told.counted, told.hits, now() + told.ms * interval '1 millisecond'
    from unnest($2::text[], $3::integer[], $4::double precision[]) as told (counted, hits, ms)
   order by told.counted
      on conflict (limiter, counted) do update set
         count = excluded.count + case when known.resets_at > now() then known.count else 0 end,
         resets_at = case when known.resets_at > now() then known.resets_at else excluded.resets_at end
  returning counted, count as hits, (extract(epoch from resets_at - now()) * 1000)::double precision as "resetsInMs"`;
