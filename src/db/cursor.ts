import type pg from 'pg';
import type { RowCursor } from './rows.ts';
import type { Statement } from './statement.ts';
import { type Batch, TenantQuery } from './tenant-query.ts';

/** Rows to a batch: a few milliseconds of work between two turns of the event loop. */
const BATCH_SIZE = 1000;

/**
 * Opens a statement as a cursor that reads one batch ahead, so that Postgres works while the last batch is written.
 * A result of one batch costs a plain query; a longer one never holds more than two batches in memory.
 */
export async function openCursor<P, R>(
  pool: pg.Pool,
  companyId: string,
  statement: Statement<P, R>,
  params: P,
): Promise<RowCursor<R>> {
  const client = await pool.connect();
  let incoming = expectBatch<R>();
  let ended = false;

  function end(error?: Error): void {
    if (ended) return;
    ended = true;
    client.release(error);
  }

  const query = new TenantQuery<R>({
    companyId,
    statement,
    values: statement.values(companyId, params),
    batchSize: BATCH_SIZE,
    settle(error, batch) {
      if (error) incoming.reject(error);
      else incoming.resolve(batch);
      if (error || batch.last) end();
    },
  });
  client.query(query);

  return {
    async next() {
      const batch = await incoming.promise;
      if (!batch.last && !ended) {
        incoming = expectBatch<R>();
        query.fetch();
      }
      return batch;
    },
    close() {
      if (ended) return;
      const { processID } = client as unknown as { processID: number };
      // The connection is busy reading ahead: it is thrown away, and Postgres is told to stop what it was doing for it.
      end(new Error('Abandoned by its reader'));
      pool.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined);
    },
  };
}

function expectBatch<R>(): PromiseWithResolvers<Batch<R>> {
  const expected = Promise.withResolvers<Batch<R>>();
  // A failure that nobody waits for yet is reported by the next call.
  expected.promise.catch(() => undefined);
  return expected;
}
