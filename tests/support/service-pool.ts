import type pg from 'pg';
import { openPool } from '../../src/db/pool.ts';
import { routeOfService } from './routes.ts';

/**
 * Opens a pool for a test as the service does, so that it detects Citus. The test must end it.
 * Its timeouts only end tests that hang: a busy machine can take seconds to connect.
 */
export function openServicePool(poolSize: number, route: Partial<ReturnType<typeof routeOfService>> = {}): pg.Pool {
  return openPool({
    ...routeOfService(),
    ...route,
    poolSize,
    statementTimeoutMs: 15_000,
    connectTimeoutMs: 15_000,
    // The database can be dropped while a connection is still closing.
    onIdleError: () => undefined,
  });
}
