// Retries a migration that waited too long for a lock, because other statements queue behind a waiting migration.
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { Knex } from 'knex';
import { CommandError } from '../command.ts';
import { watchBlockers } from './blockers.ts';

export interface LockOptions {
  /** Time for which a statement waits for a lock. It must exceed Postgres's deadlock_timeout, see DEFAULTS. */
  lockTimeoutMs: number;
  /** Time that one migration can wait for locks in total, including pauses, but not its work. */
  timeoutMs: number;
  /** Receives a sentence about each wait. */
  report: (sentence: string) => void;
}

/** Default options. Postgres cancels an autovacuum that blocks a lock, but only after deadlock_timeout, one second. */
export const DEFAULTS: LockOptions = { lockTimeoutMs: 2000, timeoutMs: 300_000, report: () => undefined };

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/**
 * Runs work that waits for locks, and repeats the work until it gets them.
 * @throws {CommandError} after it has waited `timeoutMs` for locks
 */
export async function withLockRetries<T>(
  database: Knex,
  name: string,
  { lockTimeoutMs, timeoutMs, report }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  let waitedMs = 0;
  let inTheWay = '';
  const policy = retry(
    handleWhen((error) => isLockFailure(error) && (waitedMs += lockTimeoutMs) < timeoutMs),
    {
      maxAttempts: Infinity,
      backoff: new ExponentialBackoff({ initialDelay: FIRST_PAUSE_MS, maxDelay: MAX_PAUSE_MS }),
    },
  );
  policy.onRetry(({ delay }) => {
    waitedMs += delay;
    report(`${name} got no lock within ${lockTimeoutMs} ms; retrying in ${(delay / 1000).toFixed(1)} s`);
  });
  const reportBlockers = (blockers: string) => {
    inTheWay = blockers;
    report(`${name} is waiting for ${blockers}`);
  };
  try {
    return await policy.execute(() => watchBlockers(database, lockTimeoutMs / 2, reportBlockers, work));
  } catch (error) {
    if (!isLockFailure(error)) throw error;
    const holder = inTheWay && `; blocked by ${inTheWay}`;
    throw new CommandError(`${name} gave up without a lock after ${Math.round(waitedMs / 1000)} s${holder}`);
  }
}

/** Reports whether an error is about a lock. In both cases, Postgres has rolled back the transaction. */
function isLockFailure(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED;
}
