import pg from 'pg';
import utils from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { isOnCitus } from './citus-detection.ts';
import { type Column, RowDecoder, getRowDecoders } from './row-decoder.ts';
import { type StatementRequest, type ProtocolStatement, planStatement } from './statement-plan.ts';
import { binding, executing, send, type ProtocolConnection } from './protocol-messages.ts';

export interface Batch<R> {
  rows: R[];
  /** Whether this is the last batch. */
  last: boolean;
}

export interface TenantQueryOptions<R> extends StatementRequest {
  /**
   * Whether a query with batches ends its transaction with the first batch. A longer result settles nothing; see
   * `isCutOff`.
   */
  atOnce?: boolean;
  /** Called for each batch, or once with the error that ended the query. */
  settle: (error: Error | null, batch: Batch<R>) => void;
  /** Called when the connection can be used again; only for queries with batches. */
  onReady?: () => void;
}

/**
 * A statement of one company, sent in one write to the socket with the settings of its transaction. Row-level security
 * therefore costs no round trip.
 *
 * With `batchSize` the portal stays open and returns rows in batches. Sync follows the last batch and costs another
 * write and another round trip: a fifth of the process's time for a list of 100 rows. `atOnce` saves both.
 *
 * Extends `pg.Query` only for `submit`, which calls `prepare`.
 */
export class TenantQuery<R> extends pg.Query {
  declare name: string;
  readonly #options: TenantQueryOptions<R>;
  #rows: R[] = [];
  #decoder: RowDecoder | undefined;
  /** The first decoding error of a row. */
  #fault: Error | undefined;
  /** Number of statements sent before the main statement that Postgres has not completed yet. */
  #stepsBefore = 0;
  #isComplete = false;
  #isCutOff = false;
  #after: readonly ProtocolStatement[] = [];
  #hasEntry = false;
  #synced: boolean;
  #connection: ProtocolConnection | undefined;

  constructor(options: TenantQueryOptions<R>) {
    const { statement, values, batchSize, atOnce = batchSize === 0 } = options;
    super('');
    // node-postgres records prepared statements by these fields.
    Object.assign(this, { name: statement.name, text: statement.text });
    this.#options = { ...options, values: values.map(utils.prepareValue) };
    this.#synced = atOnce;
  }

  /** Whether the audit entry after the statement was written. Valid once the query has settled without an error. */
  get hasEntry(): boolean {
    return this.#hasEntry;
  }

  /** Whether the first batch was full, so that the result might have more rows than `atOnce` reads. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /**
   * Requests the next batches of an open portal. Requests past the last batch are harmless: Postgres completes the
   * statement again.
   */
  fetch(batches: number): void {
    const execute = serialize.execute({ rows: this.#options.batchSize });
    if (this.#connection) send(this.#connection, [...Array<Buffer>(batches).fill(execute), serialize.flush()]);
  }

  /** Returns true, so that node-postgres calls `prepare` even for a query without values. */
  requiresPreparation(): true {
    return true;
  }

  /** Sends the query. Called by node-postgres when the query leaves its queue. */
  prepare(connection: ProtocolConnection): void {
    this.#connection = connection;
    const { batchSize } = this.#options;
    const { before, main, after } = planStatement(isOnCitus(connection), this.#options);
    Object.assign(this, { name: main.name, text: main.text });
    this.#stepsBefore = before.length;
    this.#after = after;
    const messages = before.flatMap((step) => executing(connection, step));
    this.#decoder = getRowDecoders(connection)?.get(main.name);
    messages.push(...binding(connection, main));
    if (!this.#decoder) messages.push(serialize.describe({ type: 'P' }));
    messages.push(serialize.execute({ rows: batchSize }));
    if (this.#synced) messages.push(...this.#ending(connection));
    else messages.push(serialize.flush());
    send(connection, messages);
  }

  /** Builds the messages after the main statement: the statements that follow it, and Sync. */
  #ending(connection: ProtocolConnection): Buffer[] {
    return [...this.#after.flatMap((step) => executing(connection, step)), serialize.sync()];
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.#decoder = new RowDecoder(fields);
    if (this.name) getRowDecoders(this.#connection!)?.set(this.name, this.#decoder);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#stepsBefore > 0 || this.#isComplete) return;
    try {
      this.#rows.push(this.#decoder!.decode(fields) as R);
    } catch (error) {
      this.#fault ??= error as Error;
    }
  }

  /** @param text the command tag; after the main statement, `SELECT 1` is an audit entry (src/audit/audit-entry.ts) */
  handleCommandComplete({ text }: { text: string }, connection: ProtocolConnection): void {
    if (this.#stepsBefore > 0) {
      this.#stepsBefore -= 1;
      return;
    }
    if (this.#isComplete || this.#isCutOff) {
      this.#hasEntry ||= text === 'SELECT 1';
      return;
    }
    this.#isComplete = true;
    if (this.#options.batchSize === 0) return;
    if (!this.#synced) send(connection, this.#ending(connection));
    this.#synced = true;
    // Statements with batches only read, so their rows are valid before the commit.
    this.#settle(true);
  }

  handlePortalSuspended(): void {
    if (this.#synced) this.#isCutOff = true;
    else this.#settle(false);
  }

  /** Settles a whole result only now, because its transaction has just committed. */
  handleReadyForQuery(): void {
    if (this.#options.batchSize === 0) this.#settle(true);
    else this.#options.onReady?.();
  }

  handleError(error: Error, connection: ProtocolConnection): void {
    // After an error, Postgres ignores all messages up to Sync, which a query with an open portal has not sent yet.
    if (!this.#synced) {
      this.#synced = true;
      send(connection, [serialize.sync()]);
    }
    this.#options.settle(error, { rows: [], last: true });
  }

  #settle(last: boolean): void {
    if (this.#fault) return this.#options.settle(this.#fault, { rows: [], last: true });
    const rows = this.#rows;
    this.#rows = [];
    this.#options.settle(null, { rows, last });
  }
}
