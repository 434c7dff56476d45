// Lookup pipelining: point queries of all companies share two connections and do not wait for each other's replies.
//
// A lookup on the pool costs a connection, a transaction and a round trip. On a pipelined connection, one write to the
// socket carries many lookups. The pipeline runs several times as many lookups as the pool, for a third of the
// processor time.
//
// 1. `queryOne` of a point query takes a slot of its company (`lookups` in ../connection-shares.ts).
// 2. The lookup goes to the connection with the fewest lookups in flight. The connection collects the lookups of one
//    iteration of the event loop, by company.
// 3. At the end of the iteration the connection sends them in one write. Up to four lookups of one company share a
//    transaction, so row-level security is set up once for all four (lookup-batch.ts).
// 4. Postgres runs the statements in order. The replies of one transaction arrive together.
//
// The pipeline is never the only way. If no connection is open, or if a lookup fails for any reason, the caller runs
// the same statement on the pool. The pool has the longer timeout, and its errors are the errors that clients see.
//
// Failures: any error breaks the connection and fails everything in flight on it, because a statement might be badly
// prepared. A statement has at most one second; a slower one would hold up those behind it. A connection without a
// reply for more than nine ticks of 500 ms counts as dead. The pipeline replaces a broken connection after five
// seconds.
//
// Guarantees: a lookup only reads, so running it again on the pool is safe. A pipelined lookup always reads the
// primary.
//
// Not for: statements that read many rows (tests/db/lookups.test.ts proves each), changes, lists, or statements inside
// a transaction.
import type pg from 'pg';
import { PipelinedConnection, type Unit } from './pipelined-connection.ts';
import { readingSessionSettings } from './session-settings.ts';
import { getStatementTimeout } from './statement-timeout.ts';

/**
 * Number of connections of a pipeline. Postgres works on one while the driver works on the other; a third would not
 * help.
 */
const CONNECTIONS = 2;
/** Maximum timeout of a lookup. A slower lookup waits for a lock or a disk, and would hold up the lookups behind it. */
const MAX_LOOKUP_MS = 1000;
/** Delay before the next connection attempt after a failure. */
const PAUSE_MS = 5000;

/** The pipelined connections of a pool. */
export class ReadPipeline {
  readonly #pool: pg.Pool;
  readonly #open: PipelinedConnection[] = [];
  readonly #opening = new Set<Promise<void>>();
  #openAgainAt = 0;
  #isEnded = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Reports whether a connection is open. Starts to open another if fewer than two exist. */
  get isOpen(): boolean {
    if (this.#open.length + this.#opening.size < CONNECTIONS) this.#openOne();
    return this.#open.length > 0;
  }

  /**
   * Runs a lookup.
   * @throws if the lookup fails, if another lookup on the same connection fails, or if no connection is open
   */
  run<R>(unit: Unit): Promise<R[]> {
    return this.#leastBusy().run(unit);
  }

  /** Waits for the lookups in flight, then disconnects. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all(this.#opening);
    await Promise.all(this.#open.splice(0).map((connection) => connection.end()));
  }

  #leastBusy(): PipelinedConnection {
    let least = this.#open[0];
    for (const other of this.#open) if (other.inFlight < least!.inFlight) least = other;
    if (!least) throw new Error('No connection is open');
    return least;
  }

  #openOne(): void {
    if (this.#isEnded || performance.now() < this.#openAgainAt) return;
    const opening = this.#connect().catch(() => this.#pause());
    this.#opening.add(opening);
    void opening.then(() => this.#opening.delete(opening));
  }

  async #connect(): Promise<void> {
    const { options } = this.#pool;
    const timeoutMs = Math.min(getStatementTimeout(this.#pool) || MAX_LOOKUP_MS, MAX_LOOKUP_MS);
    // Behind a pooler, the pool has no `options`, because the service cannot request session settings.
    const config = { ...options, ...(options.options && readingSessionSettings(timeoutMs)) };
    const onBreak = (error: Error) => {
      this.#open.splice(this.#open.indexOf(connection), 1);
      this.#pause();
      this.#pool.emit('error', error);
    };
    const connection = await PipelinedConnection.open({ config, timeoutMs, onBreak });
    this.#open.push(connection);
  }

  #pause(): void {
    this.#openAgainAt = performance.now() + PAUSE_MS;
  }
}

const pipelines = new WeakMap<pg.Pool, ReadPipeline>();

/** Returns the pipeline of a pool. Creates it on the first call. */
export function readPipeline(pool: pg.Pool): ReadPipeline {
  const existing = pipelines.get(pool);
  if (existing) return existing;
  const made = new ReadPipeline(pool);
  pipelines.set(pool, made);
  return made;
}
