// Replica reads: a standby serves lists and reports, but only if it has every change that was acknowledged before the
// read.
//
// A client that has changed something must see the change in its next read, whichever process serves it. No process
// knows what the others have written, so each read compares positions in the write-ahead log (WAL):
//
// 1. Query the primary for the position up to which its WAL is flushed, or inserted if `synchronous_commit` is off.
//    Every acknowledged commit lies below it.
// 2. Query the standby every 5 ms, for at most 100 ms, for the position up to which it has replayed.
// 3. If the standby has reached the position, read there; otherwise read from the primary.
//
// Reads that arrive during a comparison share the next one. A comparison therefore always begins after the reads that
// it decides have arrived.
//
// States:
// - in use: the standby serves reads.
// - `lagging`: the standby was too slow. The primary serves reads for one second; then the next read compares again.
// - `away`: the standby failed, is not a standby, or belongs to another cluster. The primary serves reads for five
//   seconds. Then the next read also compares the identity of the cluster again.
//
// Guarantees: the service works without the standby. A read that fails on the standby runs again on the primary, unless
// it would fail on the primary too (`rate_limited`, statement timeout) or its client has disconnected. `work` can
// therefore run twice.
//
// A list can move to the primary only until its first batch has arrived. A later failure breaks off the response.
//
// Not for: point queries, everything that a TenantWriter reads, and transactions. All of these use the primary.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ApiError } from '../contract/errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { RowCursor } from './rows.ts';

/** Maximum wait for the standby to catch up: longer than a healthy standby lags. */
const MAX_LAG_MS = 100;
const POLL_MS = 5;
/** Timeout of a query for a position or an identity. */
const REPLY_TIMEOUT_MS = 1000;
/** Pause before the next comparison, by the reason why the primary serves reads. */
const PAUSE_MS = { lagging: 1000, away: 5000 };

/**
 * The WAL position below which every acknowledged commit lies. A commit is flushed before it is acknowledged, unless
 * `synchronous_commit` is off.
 */
const WRITTEN = {
  name: 'position_written',
  text: `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
                 else pg_current_wal_flush_lsn() end - '0/0')::bigint as position`,
};
/** The WAL position up to which queries of the standby see changes; null if the server is not a standby. */
const REPLAYED = {
  name: 'position_replayed',
  text: `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as position`,
};
const IDENTITY = { name: 'identity', text: 'select system_identifier::text as identity from pg_control_system()' };

/** Outcome of a read: it used the standby, or the primary because the standby was behind or unavailable. */
export type ReadOutcome = 'replica' | 'lagging' | 'away';

export interface ReplicaOptions {
  primary: pg.Pool;
  /** The pool of the standby. */
  pool: pg.Pool;
  logger: Logger;
}

/** A standby of the primary, and the choice between the two for each read. */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #outcomes = new Map<ReadOutcome, number>();
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<boolean> | undefined;
  #pausedUntil = 0;
  /** Reason why the primary serves reads; undefined while the standby serves them. */
  #reason: keyof typeof PAUSE_MS | undefined;
  #isKnown = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** The number of reads so far, by outcome. */
  get outcomes(): ReadonlyMap<ReadOutcome, number> {
    return this.#outcomes;
  }

  /**
   * Reads from the standby, or from the primary if the standby cannot serve the read. `work` can run twice.
   * @param signal aborted when the client has disconnected
   * @throws whatever `work` throws
   */
  async read<T>(work: (pool: pg.Pool) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { pool, primary } = this.#options;
    if (await this.#isCaughtUp()) {
      try {
        const read = await work(pool);
        this.#count('replica');
        return read;
      } catch (error) {
        if (signal?.aborted || isOfCaller(error)) throw error;
        this.#fallBack('away', error);
      }
    }
    this.#count(this.#reason ?? 'away');
    return work(primary);
  }

  /** Reports whether the standby has every acknowledged change. Calls during a comparison share the next one. */
  #isCaughtUp(): Promise<boolean> {
    return (this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const answer = this.#compare();
      this.#running = answer;
      return answer;
    }));
  }

  async #compare(): Promise<boolean> {
    if (performance.now() < this.#pausedUntil) return false;
    const { pool, primary } = this.#options;
    try {
      if (!this.#isKnown) await requireSameCluster(primary, pool);
      this.#isKnown = true;
      const written = await readWalPosition(primary, WRITTEN);
      for (const deadline = performance.now() + MAX_LAG_MS; ;) {
        if ((await readWalPosition(pool, REPLAYED)) >= written) break;
        if (performance.now() > deadline) return this.#fallBack('lagging');
        await sleep(POLL_MS);
      }
    } catch (error) {
      return this.#fallBack('away', error);
    }
    if (this.#reason) this.#options.logger.info('replica recovered; reading lists from it again');
    this.#reason = undefined;
    return true;
  }

  #fallBack(reason: keyof typeof PAUSE_MS, err?: unknown): false {
    if (this.#reason !== reason) {
      this.#options.logger.warn({ reason, err }, 'replica lagging or unavailable; reading lists from the primary');
    }
    this.#reason = reason;
    this.#isKnown &&= reason === 'lagging';
    this.#pausedUntil = performance.now() + PAUSE_MS[reason];
    return false;
  }

  #count(outcome: ReadOutcome): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
  }
}

/** Reports whether the primary would fail with the same error: a rate limit or the statement timeout. */
function isOfCaller(error: unknown): boolean {
  return (error instanceof ApiError && error.code === 'rate_limited') || (error as { code?: string }).code === '57014';
}

async function requireSameCluster(primary: pg.Pool, standby: pg.Pool): Promise<void> {
  const [ours, theirs] = await Promise.all([primary, standby].map((pool) => ask<{ identity: string }>(pool, IDENTITY)));
  if (ours!.identity !== theirs!.identity) throw new Error('The replica is not a standby of the primary');
}

async function readWalPosition(pool: pg.Pool, question: { name: string; text: string }): Promise<number> {
  const { position } = await ask<{ position: number | null }>(pool, question);
  if (position === null) throw new Error('The replica is not a standby');
  return position;
}

async function ask<R extends object>(pool: pg.Pool, question: { name: string; text: string }): Promise<R> {
  const late = sleep(REPLY_TIMEOUT_MS, undefined, { ref: false }).then(() =>
    Promise.reject(new Error('The replica is not responding')),
  );
  return (await Promise.race([pool.query<R>(question), late])).rows[0]!;
}

/** Reads the first batch of a cursor ahead, so that a failure of that batch can still move the list to the primary. */
export async function readAhead<R>(cursor: RowCursor<R>): Promise<RowCursor<R>> {
  const first = await cursor.next();
  let isFirst = true;
  return {
    next: () => {
      if (!isFirst) return cursor.next();
      isFirst = false;
      return Promise.resolve(first);
    },
    close: () => cursor.close(),
    isWanted: () => cursor.isWanted(),
  };
}

const replicas = new WeakMap<pg.Pool, Replica>();

/** Makes readers of the pool read from the replica, except for point queries. */
export function setReplica(pool: pg.Pool, replica: Replica): void {
  replicas.set(pool, replica);
}

export function findReplica(pool: pg.Pool): Replica | undefined {
  return replicas.get(pool);
}
