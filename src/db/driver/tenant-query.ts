import pg from 'pg';
import utils from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import { isOnCitus } from './citus-detection.ts';
import { type Column, RowDecoder, getRowDecoders } from './row-decoder.ts';
import { type StatementRequest, type ProtocolStatement, planStatement } from './statement-plan.ts';
import { binding, executing, send, type ProtocolConnection } from './protocol-messages.ts';

export interface Batch<R> {
  rows: R[];
  /** True when there are no more rows. */
  last: boolean;
}

export interface TenantQueryOptions<R> extends StatementRequest {
  /** With batches: ends the transaction with the first one. Of a longer result nothing is settled. */
  atOnce?: boolean;
  /** Called for each batch, or once with the error that ended the query. */
  settle: (error: Error | null, batch: Batch<R>) => void;
  /** With batches: called when the connection may be used again. */
  onReady?: () => void;
}

/**
 * One statement for one company, in one write to the socket, in a transaction that is the company's: so row-level
 * security costs no round trip.
 *
 * With `batchSize` the portal stays open and returns rows in batches. Sync is sent after the last one, which costs another
 * write, and both sides a turn: a fifth of what a list of a hundred costs the process. `atOnce` saves that.
 *
 * Of node-postgres' class nothing is left but its place: only an instance of it may share a connection.
 */
export class TenantQuery<R> extends pg.Query {
  declare name: string;
  readonly #options: TenantQueryOptions<R>;
  #rows: R[] = [];
  #decoder: RowDecoder | undefined;
  /** What was wrong with a row. */
  #fault: Error | undefined;
  /** Statements before ours that Postgres has not completed. */
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
    // node-postgres notes by them what is prepared.
    Object.assign(this, { name: statement.name, text: statement.text });
    this.#options = { ...options, values: values.map(utils.prepareValue) };
    this.#synced = atOnce;
  }

  /** Whether the entry behind the statement was written. Counts when the query has settled without an error. */
  get hasEntry(): boolean {
    return this.#hasEntry;
  }

  /** Whether the first batch was full, so that there may be more than `atOnce` reads. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /**
   * Requests the next batches of an open portal. Past the last one Postgres completes the statement again, which does not
   * matter.
   */
  fetch(batches: number): void {
    const execute = serialize.execute({ rows: this.#options.batchSize });
    if (this.#connection) send(this.#connection, [...Array<Buffer>(batches).fill(execute), serialize.flush()]);
  }

  /** A query without values, too, is more than its text: it is for a company. */
  requiresPreparation(): true {
    return true;
  }

  /** Called by node-postgres when it is the query's turn. */
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

  /** What follows the statement: the steps after it, and the end of the transaction. */
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

  /** @param text such as `SELECT 1`, which is that of an entry (src/audit/audit-entry.ts) */
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
    // What is read in batches changes nothing.
    this.#settle(true);
  }

  handlePortalSuspended(): void {
    if (this.#synced) this.#isCutOff = true;
    else this.#settle(false);
  }

  /** A whole result counts when it is committed. */
  handleReadyForQuery(): void {
    if (this.#options.batchSize === 0) this.#settle(true);
    else this.#options.onReady?.();
  }

  handleError(error: Error, connection: ProtocolConnection): void {
    // After an error Postgres ignores everything up to Sync. An open portal has not sent it yet.
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
