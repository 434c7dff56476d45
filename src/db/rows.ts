import type { Order, Keyset } from './keyset.ts';
import type { Batch } from './driver/tenant-query.ts';

/** An open result, read in batches. */
export interface RowCursor<T> {
  /** Reads the next batch. Rejects if the query fails. Must not be called after a failure or after the last batch. */
  next(): Promise<Batch<T>>;
  /** Ends the query at any point and releases its connection. Does nothing after the query has ended. */
  close(): void;
  /** Reports whether another company is waiting for a connection. */
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

/** Opens a list. If the signal is aborted during the wait for a slot, rejects with the signal's reason. */
type Open<T> = (signal?: AbortSignal) => Promise<RowCursor<T>>;
type ReadPart<T> = (offset: number, limit: number) => Promise<Page<T>>;

/** Reader of a list's keyset pages. */
export interface Paging<T> {
  readonly order: Order;
  /**
   * Reads at most `limit` rows: the first ones, or the rows after a keyset. Also returns the keyset of the last row if
   * more rows follow.
   */
  read(keyset: Keyset | null, limit: number): Promise<{ rows: T[]; next: Keyset | null }>;
}

interface Form<T> {
  json?: (rows: T[]) => string;
  /** Keyset pages of the list; undefined if it has none. */
  paging?: Paging<T> | undefined;
}

const COMPUTED_BATCH = 1000;

/**
 * A list that has not been read yet. Handlers return it, and the transport decides whether to read it whole or to
 * stream it. Memory therefore does not grow with the company.
 */
export class Rows<T> {
  readonly #open: Open<T>;
  readonly #readPart: ReadPart<unknown>;
  readonly #json: (rows: T[]) => string;
  readonly #paging: Paging<T> | undefined;
  #state: string | undefined;

  constructor(open: Open<T>, readPart: ReadPart<unknown>, { json = serializeItems, paging }: Form<T> = {}) {
    this.#open = open;
    this.#readPart = readPart;
    this.#json = json;
    this.#paging = paging;
  }

  /** Creates a list that is computed item by item. */
  static of<T>(items: () => Iterator<T, void>, json?: (rows: T[]) => string): Rows<T> {
    return new Rows(
      async () => openComputed(items()),
      async (offset, limit) => {
        const all = Array.from({ [Symbol.iterator]: items } as Iterable<T>);
        return { items: all.slice(offset, offset + limit), total: all.length };
      },
      json && { json },
    );
  }

  /**
   * Attaches a short string that differs whenever the rows differ, and returns this list. The ETag of a response covers
   * this string in place of the rows (src/operations/entity-tag.ts).
   */
  inState(state: string): this {
    this.#state = state;
    return this;
  }

  get state(): string | undefined {
    return this.#state;
  }

  open(signal?: AbortSignal): Promise<RowCursor<T>> {
    return this.#open(signal);
  }

  /** Reads a part of the list. Items are values, even if Postgres creates the JSON of the list. */
  page(offset: number, limit: number): Promise<Page<unknown>> {
    return this.#readPart(offset, limit);
  }

  /** The order of the list; undefined for a list without keyset pages. */
  get order(): Order | undefined {
    return this.#paging?.order;
  }

  /**
   * Reads a keyset page, which is a list itself. The list must have an order.
   * @param keyset the position after which the page begins; null for the first page
   * @returns the page, and the keyset of its last row, or null for the last page
   */
  async behind(keyset: Keyset | null, limit: number): Promise<{ page: Rows<T>; next: Keyset | null }> {
    const { rows, next } = await this.#paging!.read(keyset, limit);
    return { page: Rows.of(() => rows.values(), this.#json), next };
  }

  /** Serializes a batch to JSON, without brackets around it. */
  json(rows: T[]): string {
    return this.#json(rows);
  }

  /** Returns this list with the fields that appear next to it in the response. */
  withMeta<B extends object>(meta: B): RowsWithMeta<T, B> {
    return new RowsWithMeta(meta, this.#open, this.#readPart, { json: this.#json, paging: this.#paging });
  }

  /** Returns this list with `turn` applied to each row, batch by batch. */
  map<U>(turn: (row: T) => U): Rows<U> {
    return new Rows((signal) => this.#openTurned(turn, signal), this.#turnParts(turn), {
      paging: this.#turnPaging(turn),
    });
  }

  /** Returns this list with each row replaced by JSON that Postgres has created. The text is sent unchanged. */
  mapToJson<U>(text: (row: T) => string): Rows<JsonText<U>> {
    const turn = (row: T) => text(row) as JsonText<U>;
    return new Rows(
      (signal) => this.#openTurned(turn, signal),
      this.#turnParts((row) => JSON.parse(text(row)) as unknown),
      { json: (texts) => texts.join(','), paging: this.#turnPaging(turn) },
    );
  }

  #turnParts(turn: (row: T) => unknown): ReadPart<unknown> {
    return async (offset, limit) => {
      const { items, total } = await this.#readPart(offset, limit);
      return { items: (items as T[]).map(turn), total };
    };
  }

  /** Maps the rows of pages. Keysets come from the rows as they were read. */
  #turnPaging<U>(turn: (row: T) => U): Paging<U> | undefined {
    const paging = this.#paging;
    if (!paging) return undefined;
    return {
      order: paging.order,
      read: async (keyset, limit) => {
        const { rows, next } = await paging.read(keyset, limit);
        return { rows: rows.map(turn), next };
      },
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

/** A list, and the fields next to it in the response. */
export class RowsWithMeta<T, B extends object> extends Rows<T> {
  readonly meta: B;

  constructor(meta: B, ...list: ConstructorParameters<typeof Rows<T>>) {
    super(...list);
    this.meta = meta;
  }
}

/** The result of an operation, and the fields next to it in the response. A field of either can be an unread list. */
export class ResultWithMeta<D extends object, B extends object> {
  readonly data: D;
  readonly meta: B;

  constructor(data: D, meta: B) {
    this.data = data;
    this.meta = meta;
  }
}

/** Reports whether a value is a list, or holds a list in a field, at most `depth` fields deep. */
export function holdsRows(value: unknown, depth: number): value is object {
  if (value instanceof Rows) return true;
  if (depth === 0 || typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((field) => holdsRows(field, depth - 1));
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

function serializeItems(rows: unknown[]): string {
  return JSON.stringify(rows).slice(1, -1);
}
