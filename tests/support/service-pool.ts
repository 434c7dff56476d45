import type pg from 'pg';
import { openPool } from '../../src/db/pool.ts';

/** A pool of a test's own. Opened as the service opens it, it finds out whether it leads to Citus. */
export function openServicePool(poolSize: number): pg.Pool {
  return openPool({
    connectionString: testService.database.serviceUrl,
    poolSize,
    statementTimeoutMs: 9000,
    connectTimeoutMs: 15_000,
    // The database may be dropped while a connection still ends.
    onIdleError: () => undefined,
  });
}
