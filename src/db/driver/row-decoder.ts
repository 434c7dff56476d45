import type pg from 'pg';
import { columnTypes } from './column-types.ts';

/** A column as Postgres describes it. */
export interface Column {
  name: string;
  dataTypeID: number;
}

type Parser = (text: string) => unknown;

/** Converts rows from the strings that Postgres sends to objects. */
export class RowDecoder {
  readonly #names: readonly string[];
  readonly #parsers: readonly Parser[];

  constructor(columns: readonly Column[]) {
    // V8 assigns a property faster by a string that is already a property key.
    this.#names = columns.map(({ name }) => Object.keys({ [name]: true })[0]!);
    this.#parsers = columns.map(({ dataTypeID }) => columnTypes.getTypeParser(dataTypeID, 'text') as unknown as Parser);
  }

  /** @throws if the row has a different number of columns, or if a value is invalid for its type */
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

/** Decoders by connection (node-postgres' protocol object) and statement name. */
const decoders = new WeakMap<object, Map<string, RowDecoder>>();

/**
 * Caches the decoders of a connection's prepared statements, so that Postgres describes each statement only once.
 *
 * Use it only for a connection straight to Postgres, which rejects a prepared statement whose columns have changed. A
 * pooler might prepare the statement again on another connection, with other columns.
 */
export function enableDecoderCache(client: pg.ClientBase): void {
  decoders.set((client as unknown as { connection: object }).connection, new Map());
}

/** Returns the cached decoders by statement name; undefined if the connection has no cache. */
export function getRowDecoders(connection: object): Map<string, RowDecoder> | undefined {
  return decoders.get(connection);
}
