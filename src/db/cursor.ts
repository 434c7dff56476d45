import type pg from 'pg';
import { connectionShares } from './connection-shares.ts';
import type { RowCursor } from './rows.ts';
import type { Statement } from './statement.ts';
import { type Batch, TenantQuery } from './tenant-query.ts';

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
  let incoming = expectBatch<R>();
  const { statement_timeout: longestBatchMs } = pool.options;
  let tooLate = giveUpAfter(longestBatchMs);

  function giveUpAfter(ms: number | false | undefined): NodeJS.Timeout | undefined {
    return ms ? setTimeout(() => giveUp(tookTooLong()), ms) : undefined;
  }

  /**
   * Ends the list while Postgres works on it, by closing the connection: Postgres notices and stops. A cancel request
   * might arrive when another company's statement uses the connection.
   */
  function giveUp(reason: Error): void {
    clearTimeout(tooLate);
    end(reason, reason);
    incoming.reject(reason);
  }

  /** Why there are no more batches. Undefined while there may be. */
  let ended: Error | undefined;

  function end(reason: Error, release?: Error): void {
    if (ended) return;
    ended = reason;
    client.release(release);
    releaseSlot();
  }

  const query = new TenantQuery<R>({
    companyId,
    statement,
    readOnly: true,
    values: statement.values(companyId, params),
    timeoutMs: 0,
    batchSize,
    settle(error, batch) {
      clearTimeout(tooLate);
      if (error) incoming.reject(error);
      else incoming.resolve(batch);
      if (error) end(error, error);
      else if (batch.last) end(new Error('The rows are all read'));
    },
  });
  client.query(query);

  return {
    async next() {
      const batch = await incoming.promise;
      if (batch.last) return batch;
      incoming = expectBatch<R>();
      // The connection may have broken after this batch arrived.
      if (ended) incoming.reject(ended);
      else {
        tooLate = giveUpAfter(longestBatchMs);
        query.fetch();
      }
      return batch;
    },
    close() {
      if (!ended) giveUp(new Error('Abandoned by its reader'));
    },
    isWanted: () => !ended && lists.isWantedByOthers(payer),
  };
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
