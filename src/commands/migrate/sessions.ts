// Sessions of a migration, which give up waiting for a lock soon, and have no other timeouts.
import type { Knex } from 'knex';
import pg from 'pg';

/** Name of a migration's sessions in pg_stat_activity. */
export const APPLICATION_NAME = 'awareness-migrate';

/** Selects the names from the server, because `transaction_timeout` exists only since Postgres 17. */
const PREPARE = `
  select set_config(name, case name when 'lock_timeout' then $1 else '0' end, false) from pg_settings
   where name in ('lock_timeout', 'statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout',
                  'idle_session_timeout')`;

async function prepare(client: pg.ClientBase, lockTimeoutMs: number): Promise<void> {
  await client.query(PREPARE, [String(lockTimeoutMs)]);
}

/** Builds the configuration of Knex's pool. */
export function preparedPool(lockTimeoutMs: number): Knex.PoolConfig {
  return {
    afterCreate(client: pg.ClientBase, done: (error: Error | null, client: pg.ClientBase) => void) {
      prepare(client, lockTimeoutMs).then(
        () => done(null, client),
        (error: Error) => done(error, client),
      );
    },
  };
}

/** Runs the work with a pool of one prepared session, then closes the pool. */
export async function withPreparedPool<T>(
  url: string,
  lockTimeoutMs: number,
  work: (pool: pg.Pool) => Promise<T>,
): Promise<T> {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: 10_000,
    max: 1,
  });
  // The query on a broken connection fails anyway. Without listeners, the same error would also end the process.
  pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
  try {
    const client = await pool.connect();
    await prepare(client, lockTimeoutMs).finally(() => client.release());
    return await work(pool);
  } finally {
    await pool.end();
  }
}
