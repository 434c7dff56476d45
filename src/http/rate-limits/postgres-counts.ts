import type pg from 'pg';
import type { CounterDelta } from './counter-store.ts';
import type { SharedCounts } from './shared-counts.ts';

const SWEEP_MS = 60_000;

/** Sums in an unlogged table. After a crash or a fail-over of Postgres they begin at zero. */
export class PostgresCounts implements SharedCounts {
  readonly #client: pg.PoolClient;
  #sweepAt = 0;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async add(limiter: string, deltas: readonly CounterDelta[]): Promise<CounterDelta[]> {
    await this.#sweep();
    const columns = [
      deltas.map((one) => one.counted),
      deltas.map((one) => one.hits),
      deltas.map((one) => one.resetsInMs),
    ];
    const { rows } = await this.#client.query<CounterDelta>({
      name: 'exchange_counts',
      text: EXCHANGE,
      values: [limiter, ...columns],
    });
    return rows;
  }

  async #sweep(): Promise<void> {
    if (Date.now() < this.#sweepAt) return;
    this.#sweepAt = Date.now() + SWEEP_MS;
    await this.#client.query(`delete from call_counts where resets_at < now() - interval '1 minute'`);
  }
}

// Locks rows in the order of `counted`, so that two processes never deadlock.
const EXCHANGE = `
  insert into call_counts as known (limiter, counted, count, resets_at)
  select $1, delta.counted, delta.hits, now() + delta.ms * interval '1 millisecond'
    from unnest($2::text[], $3::integer[], $4::double precision[]) as delta (counted, hits, ms)
   order by delta.counted
      on conflict (limiter, counted) do update set
         count = excluded.count + case when known.resets_at > now() then known.count else 0 end,
         resets_at = case when known.resets_at > now() then known.resets_at else excluded.resets_at end
  returning counted, count as hits, (extract(epoch from resets_at - now()) * 1000)::double precision as "resetsInMs"`;
