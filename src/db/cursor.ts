import type pg from 'pg';
import { connectionShares } from './connection-shares.ts';
import type { RowCursor } from './rows.ts';
import type { Statement } from './statement.ts';
import { type Batch, TenantQuery } from './tenant-query.ts';

interface CursorOptions {
  companyId: string;
  /** The company whose share of the pool the list takes, whoever's rows it reads. */
  payer: string;
  /** Rows to a batch. */
  batchSize: number;
  /** Ends the wait for a place among the lists. */
  signal: AbortSignal | undefined;
}

/**
 * Opens a statement as a cursor that reads one batch ahead, so that Postgres works while the last batch is written.
 * A result of one batch costs a plain query; a longer one never holds more than two batches in memory.
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
   * Ends the list while Postgres works for it, by its connection: Postgres sees that it is closed and stops. A request to
   * cancel could come when another company's statement has the connection.
   */
  function giveUp(reason: Error): void {
    clearTimeout(tooLate);
    end(reason, reason);
    incoming.reject(reason);
  }

  /** Why no further batch comes; undefined as long as one may. */
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
      // The connection may have broken between two batches, when the one at hand was already here.
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

/** What Postgres says of a statement that it has cancelled. */
function tookTooLong(): Error {
  return Object.assign(new Error('The list took too long'), { code: '57014' });
}

function expectBatch<R>(): PromiseWithResolvers<Batch<R>> {
  const expected = Promise.withResolvers<Batch<R>>();
  // A failure that nobody waits for yet is reported by the next call.
  expected.promise.catch(() => undefined);
  return expected;
}
