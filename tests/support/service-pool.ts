import type pg from 'pg';
import { openPool } from '../../src/db/pool.ts';

/** Opens a pool for a test as the service does, so that it detects Citus. The test must end it. */
export function openServicePool(poolSize: number): pg.Pool {
  return openPool({
    connectionString: testService.database.serviceUrl,
    poolSize,
    statementTimeoutMs: 9000,
    connectTimeoutMs: 15_000,
    // The database can be dropped while a connection is still closing.
    onIdleError: () => undefined,
  });
}
