import { setTimeout as sleep } from 'node:timers/promises';
import type { LockOptions } from './lock-retries.ts';
import { withPreparedPool } from './sessions.ts';

/** Arbitrary number of the advisory lock that is held while migrations run. */
const MIGRATION_LOCK = 7_261_121;
const POLL_MS = 500;

/**
 * Waits until no other process migrates the database, and makes others wait until the work has ended.
 *
 * NOTE: the session holds the lock, and waiting processes poll for it. A statement that waited for the lock, or a
 * transaction that held it, would keep a snapshot. CREATE INDEX CONCURRENTLY in a migration would wait for this
 * snapshot forever.
 */
export function oneAtATime<T>(
  url: string,
  { lockTimeoutMs, report }: Pick<LockOptions, 'lockTimeoutMs' | 'report'>,
  work: () => Promise<T>,
): Promise<T> {
  return withPreparedPool(url, lockTimeoutMs, async (pool) => {
    const session = await pool.connect();
    const take = async () => {
      const { rows } = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        MIGRATION_LOCK,
      ]);
      return rows[0]!.taken;
    };
    try {
      if (!(await take())) {
        report('Another process is migrating this database; waiting for it to finish');
        while (!(await take())) await sleep(POLL_MS);
      }
      return await work();
    } finally {
      // Closes the session, which releases the lock.
      session.release(true);
    }
  });
}
