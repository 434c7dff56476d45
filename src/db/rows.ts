import type { Batch } from './tenant-query.ts';

/** An open result, read in batches. */
export interface RowCursor<T> {
  /** Reads the next batch. Rejects when the query fails. Must not be called after that, or after the last batch. */
  next(): Promise<Batch<T>>;
  /** Ends the query at any point and releases its connection. Harmless after the end. */
  close(): void;
  /** Whether another company waits for its connection. */
  isWanted(): boolean;
}

declare const value: unique symbol;
/** The JSON text of a `T`. */
export type JsonText<T> = string & { readonly [value]: T };

/** A part of a list, and the length of the whole list. */
export interface Page<T> {
  items: T[];
  total: number;
}

/** Opens a list. The signal ends the wait for a slot; its reason is then thrown. */
type Open<T> = (signal?: AbortSignal) => Promise<RowCursor<T>>;
type ReadPage<T> = (offset: number, limit: number) => Promise<Page<T>>;

const COMPUTED_BATCH = 1000;

/**
 * A list that is not read yet. Handlers return it. The door decides whether to read it as a whole or to stream it: so
 * memory does not grow with the tenant.
 */
export class Rows<T> {
  readonly #open: Open<T>;
  readonly #readPage: ReadPage<unknown>;
  readonly #json: (rows: T[]) => string;

  constructor(open: Open<T>, readPage: ReadPage<unknown>, json: (rows: T[]) => string = jsonOfItems) {
    this.#open = open;
    this.#readPage = readPage;
    this.#json = json;
  }

  /** A list that is computed item by item. */
  static of<T>(items: () => Iterator<T, void>): Rows<T> {
    return new Rows(
      async () => openComputed(items()),
      async (offset, limit) => {
        const all = Array.from({ [Symbol.iterator]: items } as Iterable<T>);
        return { items: all.slice(offset, offset + limit), total: all.length };
      },
    );
  }

  open(signal?: AbortSignal): Promise<RowCursor<T>> {
    return this.#open(signal);
  }

  /** Reads a part of the list. Items are values, also when Postgres makes the JSON of the list. */
  page(offset: number, limit: number): Promise<Page<unknown>> {
    return this.#readPage(offset, limit);
  }

  /** The JSON of a batch, without brackets around it. */
  json(rows: T[]): string {
    return this.#json(rows);
  }

  /** The same list with fields that stand beside it in the answer. */
  with<B extends object>(beside: B): RowsWith<T, B> {
    return new RowsWith(beside, this.#open, this.#readPage, this.#json);
  }

  /** The same list with `turn` applied to each row, batch by batch. */
  map<U>(turn: (row: T) => U): Rows<U> {
    return new Rows((signal) => this.#openTurned(turn, signal), this.#turnPages(turn));
  }

  /** The same list for rows that hold JSON made by Postgres. The text is sent unchanged. */
  mapToJson<U>(text: (row: T) => string): Rows<JsonText<U>> {
    return new Rows(
      (signal) => this.#openTurned((row) => text(row) as JsonText<U>, signal),
      this.#turnPages((row) => JSON.parse(text(row)) as unknown),
      (texts) => texts.join(','),
    );
  }

  #turnPages(turn: (row: T) => unknown): ReadPage<unknown> {
    return async (offset, limit) => {
      const { items, total } = await this.#readPage(offset, limit);
      return { items: (items as T[]).map(turn), total };
    };
  }

  async #openTurned<U>(turn: (row: T) => U, signal?: AbortSignal): Promise<RowCursor<U>> {
    const cursor = await this.#open(signal);
    return {
      next: async () => {
        const { rows, last } = await cursor.next();
        return { rows: rows.map(turn), last };
      },
      close: () => cursor.close(),
      isWanted: () => cursor.isWanted(),
    };
  }
}

/** A list, and what an answer says beside it. */
export class RowsWith<T, B extends object> extends Rows<T> {
  readonly beside: B;

  constructor(beside: B, ...list: ConstructorParameters<typeof Rows<T>>) {
    super(...list);
    this.beside = beside;
  }
}

function openComputed<T>(iterator: Iterator<T, void>): RowCursor<T> {
  return {
    next: async () => {
      const rows: T[] = [];
      while (rows.length < COMPUTED_BATCH) {
        const { value: item, done } = iterator.next();
        if (done) return { rows, last: true };
        rows.push(item);
      }
      // Yields to the event loop, as reading a batch from the database does.
      await new Promise((resolve) => setImmediate(resolve));
      return { rows, last: false };
    },
    close: () => undefined,
    isWanted: () => false,
  };
}

function jsonOfItems(rows: unknown[]): string {
  return JSON.stringify(rows).slice(1, -1);
}
