import type { Batch } from './tenant-query.ts';

/** An open result that is read batch by batch. */
export interface RowCursor<T> {
  /** The next batch. Rejects when the query fails; not to be called again after that or after the last batch. */
  next(): Promise<Batch<T>>;
  /** Ends the query, wherever it is, and gives its connection back. Harmless after the end. */
  close(): void;
}

/**
 * A list that has not been read yet. A handler returns it as it is; whoever answers decides between reading it whole
 * and streaming it, so that memory does not grow with the tenant.
 */
export class Rows<T> {
  readonly #open: () => Promise<RowCursor<T>>;

  constructor(open: () => Promise<RowCursor<T>>) {
    this.#open = open;
  }

  open(): Promise<RowCursor<T>> {
    return this.#open();
  }

  /** The same list with each row turned by `turn`, batch by batch as it is read. */
  map<U>(turn: (row: T) => U): Rows<U> {
    return new Rows(async () => {
      const cursor = await this.#open();
      return {
        next: async () => {
          const { rows, last } = await cursor.next();
          return { rows: rows.map(turn), last };
        },
        close: () => cursor.close(),
      };
    });
  }
}
