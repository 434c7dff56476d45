import type pg from 'pg';
import type { Release } from '../limits/bulkhead.ts';
import { connectionShares } from './connection-shares.ts';
import type { RowCursor } from './rows.ts';
import type { Statement } from './statement.ts';
import { statementTimeoutOf } from './statement-timeout.ts';
import { type Batch, TenantQuery, type TenantQueryOptions } from './tenant-query.ts';

interface CursorOptions {
  companyId: string;
  /** The company that pays: its share of the pool is used, whoever owns the rows. */
  payer: string;
  /** Rows in a batch. */
  batchSize: number;
  /** Ends the wait for a slot. */
  signal: AbortSignal | undefined;
}

/**
 * Opens a cursor that reads one batch ahead: Postgres works while the previous batch is written. A result of one batch
 * costs as much as a plain query. A longer one holds at most two batches in memory.
 * @throws what `Bulkhead.acquire` and connecting throw
 */
export async function openCursor<P, R>(
  pool: pg.Pool,
  { companyId, payer, batchSize, signal }: CursorOptions,
  statement: Statement<P, R>,
  params: P,
): Promise<RowCursor<R>> {
  const { lists } = connectionShares(pool);
  const releaseSlot = await lists.acquire(payer, signal);
  const client = await pool.connect().catch((error: unknown) => {
    releaseSlot();
    throw error;
  });
  const values = statement.values(companyId, params);
  const query = { companyId, statement, values, batchSize, readOnly: true, timeoutMs: 0 };
  const isWanted = () => lists.isWantedByOthers(payer);
  return new ListCursor({ client, releaseSlot, isWanted, batchTimeoutMs: statementTimeoutOf(pool) }, query);
}

/** The connection of a list, and what it is bound to. */
interface Hold {
  client: pg.PoolClient;
  releaseSlot: Release;
  isWanted: () => boolean;
  /** How long Postgres may take for a batch; 0 for no limit. */
  batchTimeoutMs: number;
}

// Made once: its stack would say nothing, and taking one for each list is a thirtieth of a small one.
const ALL_READ = new Error('The rows are all read');

class ListCursor<R> implements RowCursor<R> {
  readonly #hold: Hold;
  readonly #query: TenantQuery<R>;
  #incoming = expectBatch<R>();
  #timer: NodeJS.Timeout | undefined;
  /** Why there are no more batches. Undefined while there may be. */
  #ended: Error | undefined;

  constructor(hold: Hold, query: Omit<TenantQueryOptions<R>, 'settle'>) {
    this.#hold = hold;
    this.#query = new TenantQuery<R>({ ...query, settle: (error, batch) => this.#settle(error, batch) });
    this.#startTimer();
    hold.client.query(this.#query);
  }

  async next(): Promise<Batch<R>> {
    const batch = await this.#incoming.promise;
    if (batch.last) return batch;
    this.#incoming = expectBatch<R>();
    // The connection may have broken after this batch arrived.
    if (this.#ended) this.#incoming.reject(this.#ended);
    else {
      this.#startTimer();
      this.#query.fetch();
    }
    return batch;
  }

  close(): void {
    if (!this.#ended) this.#giveUp(new Error('Abandoned by its reader'));
  }

  isWanted(): boolean {
    return !this.#ended && this.#hold.isWanted();
  }

  #settle(error: Error | null, batch: Batch<R>): void {
    clearTimeout(this.#timer);
    if (error) {
      this.#incoming.reject(error);
      this.#end(error, error);
    } else {
      this.#incoming.resolve(batch);
      if (batch.last) this.#end(ALL_READ);
    }
  }

  #startTimer(): void {
    const { batchTimeoutMs } = this.#hold;
    if (batchTimeoutMs > 0) this.#timer = setTimeout(() => this.#giveUp(tookTooLong()), batchTimeoutMs);
  }

  /**
   * Ends the list while Postgres works on it, by closing the connection: Postgres notices and stops. A cancel request
   * might arrive when another company's statement uses the connection.
   */
  #giveUp(reason: Error): void {
    clearTimeout(this.#timer);
    this.#end(reason, reason);
    this.#incoming.reject(reason);
  }

  /** @param broken destroys the connection */
  #end(reason: Error, broken?: Error): void {
    if (this.#ended) return;
    this.#ended = reason;
    this.#hold.client.release(broken);
    this.#hold.releaseSlot();
  }
}

/** The error of Postgres for a cancelled statement. */
function tookTooLong(): Error {
  return Object.assign(new Error('The list took too long'), { code: '57014' });
}

function expectBatch<R>(): PromiseWithResolvers<Batch<R>> {
  const expected = Promise.withResolvers<Batch<R>>();
  // Nobody may be waiting yet when it fails. The next call then reports the failure.
  expected.promise.catch(() => undefined);
  return expected;
}
