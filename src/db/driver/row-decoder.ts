import type pg from 'pg';
import { columnTypes } from './column-types.ts';

/** What Postgres says of a column. */
export interface Column {
  name: string;
  dataTypeID: number;
}

type Parser = (text: string) => unknown;

/** Makes objects of the texts in which Postgres sends rows. */
export class RowDecoder {
  readonly #names: readonly string[];
  readonly #parsers: readonly Parser[];

  constructor(columns: readonly Column[]) {
    // V8 finds a property sooner by a name that it has as a key already.
    this.#names = columns.map(({ name }) => Object.keys({ [name]: true })[0]!);
    this.#parsers = columns.map(({ dataTypeID }) => columnTypes.getTypeParser(dataTypeID, 'text') as unknown as Parser);
  }

  /** @throws when the row has other columns, and when a text is none of its type */
  decode(texts: readonly (string | null)[]): Record<string, unknown> {
    const names = this.#names;
    if (texts.length !== names.length) throw new Error('The columns of a statement have changed');
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) {
      const text = texts[index]!;
      row[names[index]!] = text === null ? null : this.#parsers[index]!(text);
    }
    return row;
  }
}

/** By connection: the driver's object that speaks the protocol. */
const decoders = new WeakMap<object, Map<string, RowDecoder>>();

/**
 * Has the shapes of a connection's prepared statements kept, so that Postgres is asked once for each. Only where it leads
 * straight to Postgres, which refuses a prepared statement whose columns have changed: a pooler may prepare it anew elsewhere.
 */
export function enableDecoderCache(client: pg.ClientBase): void {
  decoders.set((client as unknown as { connection: object }).connection, new Map());
}

/** The kept shapes, by the names of the statements; undefined where none are kept. */
export function getRowDecoders(connection: object): Map<string, RowDecoder> | undefined {
  return decoders.get(connection);
}
