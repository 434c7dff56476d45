// Replica reads: a standby answers lists and reports, but only while it has every change that was acknowledged before.
//
// A client that has changed something must see the change in its next read, whichever process answers. No process knows
// what the others have written, so each read compares positions in the write-ahead log (WAL):
//
// 1. Ask the primary up to which position its WAL is flushed, or inserted if `synchronous_commit` is off. Every
//    acknowledged commit lies below it.
// 2. Ask the standby every 5 ms, for 100 ms at most, up to which position it has replayed.
// 3. If the standby has reached the position, read there; otherwise read from the primary.
//
// Reads that arrive during a comparison share the next one. A comparison thus always begins after its reads arrived.
//
// States:
// - in use: the standby answers.
// - `lagging`: the standby was too slow. The primary answers for one second, then the standby is asked again.
// - `away`: the standby failed, is not a standby, or belongs to another cluster. The primary answers for five seconds.
//   Then the identity of the cluster is compared again.
//
// Guarantees: the service works without the standby. A read that fails there runs again on the primary, unless it would
// fail there too (`rate_limited`, statement timeout) or its client is gone. So `work` can run twice.
//
// A list can move to the primary only until its first batch has arrived. A later failure breaks the response off.
//
// Not for: point queries, everything that a TenantWriter reads, and transactions. All of these use the primary.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ApiError } from '../contract/errors.ts';
import type { Logger } from '../observability/logger.ts';
import type { RowCursor } from './rows.ts';

/** How long a list waits for a standby to catch up: longer than it lags behind in health. */
const MAX_LAG_MS = 100;
const POLL_MS = 5;
/** How long a server may take to tell how far it is. */
const ANSWER_MS = 1000;
/** Until a standby that lags, or is away, is asked again. */
const PAUSE_MS = { lagging: 1000, away: 5000 };

/**
 * Up to where everything is that has been answered with success. A commit is flushed before it is acknowledged, unless
 * synchronous_commit is off.
 */
const WRITTEN = {
  name: 'position_written',
  text: `select (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
                 else pg_current_wal_flush_lsn() end - '0/0')::bigint as position`,
};
/** Up to where queries of the standby see changes; null when the server is none. */
const REPLAYED = {
  name: 'position_replayed',
  text: `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as position`,
};
const IDENTITY = { name: 'identity', text: 'select system_identifier::text as identity from pg_control_system()' };

/** Who answered a read: the standby, or the primary because the standby was behind or did not answer. */
export type ReadOutcome = 'replica' | 'lagging' | 'away';

export interface ReplicaOptions {
  primary: pg.Pool;
  /** Of the standby. */
  pool: pg.Pool;
  logger: Logger;
}

/** A standby beside the primary, and the choice between the two for each read. */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #outcomes = new Map<ReadOutcome, number>();
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<boolean> | undefined;
  #pausedUntil = 0;
  /** Why the primary answers; undefined while the standby does. */
  #reason: keyof typeof PAUSE_MS | undefined;
  #isKnown = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /** How many reads there were so far, by who has answered. */
  get outcomes(): ReadonlyMap<ReadOutcome, number> {
    return this.#outcomes;
  }

  /**
   * Reads from the standby, or from the primary when the standby cannot answer. `work` may run twice.
   * @param signal aborted when nobody waits for the answer any more
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

  /** Whether the standby has all that the primary has now. Those who ask while others are answered share the next answer. */
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
    if (this.#reason) this.#options.logger.info('the replica answers lists again');
    this.#reason = undefined;
    return true;
  }

  #fallBack(reason: keyof typeof PAUSE_MS, err?: unknown): false {
    if (this.#reason !== reason) {
      this.#options.logger.warn({ reason, err }, 'the primary answers lists in place of the replica');
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

/** What another server would fail with, too: it takes too long, or its company calls too often. */
function isOfCaller(error: unknown): boolean {
  return (error instanceof ApiError && error.code === 'rate_limited') || (error as { code?: string }).code === '57014';
}

async function requireSameCluster(primary: pg.Pool, standby: pg.Pool): Promise<void> {
  const [ours, theirs] = await Promise.all([primary, standby].map((pool) => ask<{ identity: string }>(pool, IDENTITY)));
  if (ours!.identity !== theirs!.identity) throw new Error('It is no standby of the primary');
}

async function readWalPosition(pool: pg.Pool, question: { name: string; text: string }): Promise<number> {
  const { position } = await ask<{ position: number | null }>(pool, question);
  if (position === null) throw new Error('It is no standby');
  return position;
}

async function ask<R extends object>(pool: pg.Pool, question: { name: string; text: string }): Promise<R> {
  const late = sleep(ANSWER_MS, undefined, { ref: false }).then(() => Promise.reject(new Error('It does not answer')));
  return (await Promise.race([pool.query<R>(question), late])).rows[0]!;
}

/** The same cursor with its first batch read: what fails later cannot be read elsewhere. */
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

/** From now on readers of the pool read what is no lookup from the replica. */
export function setReplica(pool: pg.Pool, replica: Replica): void {
  replicas.set(pool, replica);
}

export function findReplica(pool: pg.Pool): Replica | undefined {
  return replicas.get(pool);
}
