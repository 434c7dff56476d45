import { beginSpan, traced } from '../observability/tracing/tracing.ts';
import type { RowCursor } from './rows.ts';

/**
 * Options of a statement's span. Spans have the name of the statement but never its parameters, which are the company's
 * data.
 */
const STATEMENT = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;

/** Runs a statement in a span, which includes the wait for a connection. */
export function tracedStatement<T>(name: string, run: () => Promise<T>): Promise<T> {
  return traced(name, STATEMENT, run);
}

/** Opens a cursor in a span, which lasts until the cursor is read to the end or closed. */
export async function tracedCursor<R>(name: string, open: () => Promise<RowCursor<R>>): Promise<RowCursor<R>> {
  let end = beginSpan(name, STATEMENT);
  if (!end) return open();
  const over = (error?: unknown): void => {
    end?.(error);
    end = undefined;
  };
  const failed = (error: unknown): never => {
    over(error);
    throw error;
  };
  const cursor = await open().catch(failed);
  return {
    async next() {
      const batch = await cursor.next().catch(failed);
      if (batch.last) over();
      return batch;
    },
    close() {
      cursor.close();
      over();
    },
    isWanted: () => cursor.isWanted(),
  };
}
