// Cursors and streamed lists: a list of any length reaches the client in constant memory.
//
// A handler returns `Rows`, a list that has not been read yet (rows.ts). The transport opens it here and writes each
// batch while Postgres computes the next one (src/http/response/stream-response.ts). The steps:
//
// 1. Take a slot for lists of the calling company and a connection of the pool.
// 2. Request only the first batch, because most lists have only one. If all earlier lists of the same company and
//    statement fitted into one batch, the request also ends the transaction. The list then costs as much as a plain
//    query.
// 3. If that guess was wrong, read the list again from the beginning. The reader has not received any row yet.
// 4. From the second batch on, keep two batches requested ahead of the reader. At most three are in memory.
// 5. After the last batch, release the slot at once, and the connection as soon as Postgres is ready for the next
//    query.
//
// Guarantees: all batches come from one statement, and so from one snapshot. Each batch has the statement timeout; the
// whole list has no timeout, because a slow client would exceed it. One company cannot take all slots
// (connection-shares.ts).
//
// Failures:
// - If a batch takes too long or the reader leaves, the connection is closed. Postgres notices and stops. A cancel
//   request could hit a statement of another company that uses the connection next.
// - A slow client must not hold a connection. After half a second of waiting in total, the rest of the response goes to
//   a file on disk. If the disk has no room for the file, the response breaks off after ten seconds, or as soon as
//   another company is waiting.
// - After the first byte, a failure breaks the HTTP connection, so that no client mistakes half a list for a whole one.
//
// Not for: results that stay small (`queryAll`), and lists inside a transaction, which are read at once.
import type pg from 'pg';
import type { Release } from '../limits/bulkhead.ts';
import { connectionShares } from './connection-shares.ts';
import { ResultSizeHints } from './driver/result-size-hints.ts';
import type { RowCursor } from './rows.ts';
import type { Statement } from './statement.ts';
import { getStatementTimeout } from './driver/statement-timeout.ts';
import { type Batch, TenantQuery, type TenantQueryOptions } from './driver/tenant-query.ts';

interface CursorOptions {
  companyId: string;
  /** The calling company, whose share of the pool the cursor uses even if another company owns the rows. */
  quotaCompanyId: string;
  /** Number of rows in a batch. */
  batchSize: number;
  /** Signal that ends the wait for a slot. */
  signal: AbortSignal | undefined;
}

/**
 * Opens a cursor that reads ahead.
 * @throws the errors of `Bulkhead.acquire` and of connecting
 */
export async function openCursor<P, R>(
  pool: pg.Pool,
  { companyId, quotaCompanyId: quotaCompanyId, batchSize, signal }: CursorOptions,
  statement: Statement<P, R>,
  params: P,
): Promise<RowCursor<R>> {
  const { lists } = connectionShares(pool);
  const releaseSlot = await lists.acquire(quotaCompanyId, signal);
  const client = await pool.connect().catch((error: unknown) => {
    releaseSlot();
    throw error;
  });
  const hasWaiters = () => lists.isWantedByOthers(quotaCompanyId);
  const hold = { client, releaseSlot, isWanted: hasWaiters, batchTimeoutMs: getStatementTimeout(pool) };
  try {
    const values = statement.values(companyId, params);
    return new ListCursor(hold, { companyId, statement, values, batchSize, readOnly: true, timeoutMs: 0 });
  } catch (error) {
    // A value could not be converted, so nothing was sent and the connection is intact.
    client.release();
    releaseSlot();
    throw error;
  }
}

/** The connection of a list, with its slot. */
interface LeasedConnection {
  client: pg.PoolClient;
  releaseSlot: Release;
  isWanted: () => boolean;
  /** Timeout of a batch in milliseconds; 0 for none. */
  batchTimeoutMs: number;
}

type StreamOptions<R> = Omit<TenantQueryOptions<R>, 'atOnce' | 'settle' | 'onReady'>;

// Created once, because its stack is of no use, and capturing a stack for each list takes a thirtieth of the time of a
// small list.
const ALL_READ = new Error('All rows were read');

/** Number of batches to keep ahead of the reader, requested or received. */
const PREFETCH = 2;

/** Remembers whether the lists that this process has read fitted into one batch. */
const lengths = new ResultSizeHints();

class ListCursor<R> implements RowCursor<R> {
  readonly #hold: LeasedConnection;
  readonly #options: StreamOptions<R>;
  #query: TenantQuery<R>;
  readonly #arrived: Batch<R>[] = [];
  /** Number of batches requested but not yet received. */
  #owed = 1;
  /** The reader's wait for a batch. */
  #reader: PromiseWithResolvers<Batch<R>> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the first batch has arrived. */
  #hasStarted = false;
  /** Reason why no more batches follow; undefined while more might. */
  #ended: Error | undefined;
  #isReleased = false;

  constructor(hold: LeasedConnection, request: StreamOptions<R>) {
    this.#hold = hold;
    this.#options = request;
    this.#query = this.#start({ atOnce: lengths.fitsOneBatch(request.companyId, request.statement.name) });
  }

  #start({ atOnce }: { atOnce: boolean }): TenantQuery<R> {
    const query: TenantQuery<R> = new TenantQuery<R>({
      ...this.#options,
      atOnce,
      settle: (error, batch) => this.#settle(error, batch),
      onReady: () => this.#restart(),
    });
    this.#startTimer();
    this.#hold.client.query(query);
    return query;
  }

  /**
   * Releases the connection. If the guess that the list fits into one batch was wrong, reads the list again from the
   * beginning instead, with a fresh timeout for its first batch.
   */
  #restart(): void {
    if (this.#ended || !this.#query.isCutOff) return this.#release();
    this.#query = this.#start({ atOnce: false });
  }

  async next(): Promise<Batch<R>> {
    const batch = this.#arrived.shift() ?? (await this.#arrival());
    if (!batch.last) this.#readAhead();
    return batch;
  }

  #arrival(): Promise<Batch<R>> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#reader = Promise.withResolvers<Batch<R>>();
    return this.#reader.promise;
  }

  #readAhead(): void {
    const missing = PREFETCH - this.#owed - this.#arrived.length;
    if (this.#ended || missing <= 0) return;
    if (this.#owed === 0) this.#startTimer();
    this.#owed += missing;
    this.#query.fetch(missing);
  }

  close(): void {
    if (!this.#ended) this.#abandon(new Error('The reader abandoned the list'));
  }

  isWanted(): boolean {
    return !this.#ended && this.#hold.isWanted();
  }

  #settle(error: Error | null, batch: Batch<R>): void {
    if (error && this.#ended) return this.#release(error);
    if (this.#ended) return;
    clearTimeout(this.#timer);
    if (error) return this.#end(error, error);
    if (!this.#hasStarted) lengths.record(this.#options.companyId, this.#options.statement.name, batch.last);
    this.#hasStarted = true;
    this.#owed -= 1;
    if (batch.last) this.#end(ALL_READ);
    else if (this.#owed > 0) this.#startTimer();
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) reader.resolve(batch);
    else this.#arrived.push(batch);
  }

  #startTimer(): void {
    const { batchTimeoutMs } = this.#hold;
    clearTimeout(this.#timer);
    if (batchTimeoutMs > 0) this.#timer = setTimeout(() => this.#abandon(tookTooLong()), batchTimeoutMs);
  }

  /** Ends the list by closing the connection while Postgres works on it. See the header of this file for the reason. */
  #abandon(reason: Error): void {
    clearTimeout(this.#timer);
    this.#end(reason, reason);
  }

  /** @param broken error with which the reader's wait rejects; the connection is then destroyed */
  #end(reason: Error, broken?: Error): void {
    if (this.#ended) return;
    this.#ended = reason;
    if (broken) {
      this.#reader?.reject(broken);
      this.#release(broken);
    }
    this.#hold.releaseSlot();
  }

  /**
   * Releases the connection. Unless the connection is broken, must be called only once Postgres is ready for the next
   * query. Otherwise the next list would wait on this connection while other connections of the pool are idle.
   */
  #release(broken?: Error): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#hold.client.release(broken);
  }
}

/** Creates an error with the SQLSTATE of a cancelled statement. */
function tookTooLong(): Error {
  return Object.assign(new Error('The list took too long to read'), { code: '57014' });
}
