// Tries a migration again that waited too long for a lock: while it waits, everybody else queues behind it.
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { Knex } from 'knex';
import { CommandError } from '../command.ts';
import { watchBlockers } from './blockers.ts';

export interface LockOptions {
  /** How long a statement waits for a lock before it gives up. More than Postgres's deadlock_timeout, see DEFAULTS. */
  lockTimeoutMs: number;
  /** How long one migration may wait for locks in all, pauses included, but not its work. */
  timeoutMs: number;
  /** Receives a sentence about each wait. */
  report: (sentence: string) => void;
}

/** Postgres cancels an autovacuum that is in the way, but only after deadlock_timeout, a second. */
export const DEFAULTS: LockOptions = { lockTimeoutMs: 2000, timeoutMs: 300_000, report: () => undefined };

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 15_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/**
 * Does a piece of work that waits for locks, again and again until it has had them.
 * @throws {CommandError} when it has waited `timeoutMs` for locks.
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
    report(
      `${name} did not get a lock within ${lockTimeoutMs} ms, and is tried again in ${(delay / 1000).toFixed(1)} s`,
    );
  });
  const reportBlockers = (blockers: string) => {
    inTheWay = blockers;
    report(`${name} waits for ${blockers}`);
  };
  try {
    return await policy.execute(() => watchBlockers(database, lockTimeoutMs / 2, reportBlockers, work));
  } catch (error) {
    if (!isLockFailure(error)) throw error;
    const holder = inTheWay && `: in the way was ${inTheWay}`;
    throw new CommandError(`${name} got no lock in ${Math.round(waitedMs / 1000)} s and was given up${holder}`);
  }
}

/** After both, Postgres has rolled back what the transaction did. */
function isLockFailure(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED;
}
