import { setTimeout as sleep } from 'node:timers/promises';
import type { LockOptions } from './lock-retries.ts';
import { withPreparedPool } from './sessions.ts';

/** Any number: held while migrations run. */
const MIGRATION_LOCK = 7_261_121;
const POLL_MS = 500;

/**
 * Waits until no other process migrates the database, and keeps others waiting until the work has ended.
 * NOTE: the lock is of the session and is polled for. A statement that waits for it, or a transaction that holds it, keeps a
 * snapshot, and CREATE INDEX CONCURRENTLY in a migration would wait for that without end.
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
        report('Another process migrates this database: this one waits until it has ended');
        while (!(await take())) await sleep(POLL_MS);
      }
      return await work();
    } finally {
      // Closed, not kept: the lock goes with the session.
      session.release(true);
    }
  });
}
