import pg from 'pg';
import { serialize } from 'pg-protocol';
import { isOnCitus } from './citus-detection.ts';
import { type Column, RowDecoder, getRowDecoders } from './row-decoder.ts';
import { isReadingSession } from './session-settings.ts';
import { planAroundLookups } from './statement-plan.ts';
import { binding, executing, send, type ProtocolConnection } from './protocol-messages.ts';

/** A statement that finds rows, with values in the driver's form. */
export interface Lookup {
  statement: { name: string; text: string };
  values: unknown[];
  /** Called once. */
  settle: (error: Error | null, rows: object[]) => void;
}

interface BatchOptions {
  companyId: string;
  /** Milliseconds that Postgres may take for each lookup. */
  timeoutMs: number;
  /** Called when the transaction fails after its last lookup, whose answers are right all the same. */
  onFailure: (error: Error) => void;
}

/**
 * Lookups of one company, in one write to the socket, in a transaction that is the company's: so row-level security and the
 * transaction are paid for once. When one fails, so do those behind it.
 *
 * Of node-postgres' class nothing is left but its place: only an instance of it may share a connection.
 */
export class LookupBatch extends pg.Query {
  readonly #options: BatchOptions;
  readonly #lookups: readonly Lookup[];
  #connection: ProtocolConnection | undefined;
  /** Statements before the lookups that Postgres has not completed. */
  #stepsBefore = 0;
  /** The lookup that Postgres is at. */
  #at = 0;
  #decoder: RowDecoder | undefined;
  #rows: object[] = [];
  /** What was wrong with a row. */
  #fault: Error | null = null;

  constructor(options: BatchOptions, lookups: readonly Lookup[]) {
    super('');
    this.#options = options;
    this.#lookups = lookups;
  }

  requiresPreparation(): true {
    return true;
  }

  /** Called by node-postgres when it is the batch's turn. */
  prepare(connection: ProtocolConnection): void {
    this.#connection = connection;
    const session = { isCitus: isOnCitus(connection), isReading: isReadingSession(connection) };
    const { before, after } = planAroundLookups(session, this.#options);
    this.#stepsBefore = before.length;
    send(connection, [
      ...before.flatMap((step) => executing(connection, step)),
      ...this.#lookups.flatMap((lookup) => this.#messages(connection, lookup)),
      ...after.flatMap((step) => executing(connection, step)),
      serialize.sync(),
    ]);
  }

  #messages(connection: ProtocolConnection, { statement, values }: Lookup): Buffer[] {
    const messages = binding(connection, { ...statement, values });
    if (!getRowDecoders(connection)?.has(statement.name)) messages.push(serialize.describe({ type: 'P' }));
    return [...messages, serialize.execute()];
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.#decoder = new RowDecoder(fields);
    getRowDecoders(this.#connection!)?.set(this.#lookups[this.#at]!.statement.name, this.#decoder);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#stepsBefore > 0) return;
    try {
      this.#decoder ??= getRowDecoders(this.#connection!)!.get(this.#lookups[this.#at]!.statement.name)!;
      this.#rows.push(this.#decoder.decode(fields));
    } catch (error) {
      this.#fault ??= error as Error;
    }
  }

  /** A lookup only reads: its answer is right whatever becomes of those behind it. */
  handleCommandComplete(): void {
    if (this.#stepsBefore > 0) {
      this.#stepsBefore -= 1;
      return;
    }
    const lookup = this.#lookups[this.#at];
    // It was the end of the transaction.
    if (!lookup) return;
    const [fault, rows] = [this.#fault, this.#rows];
    this.#at += 1;
    this.#rows = [];
    this.#decoder = undefined;
    this.#fault = null;
    lookup.settle(fault, rows);
  }

  handleReadyForQuery(): void {
    if (this.#at < this.#lookups.length) this.handleError(new Error('Postgres has left out a statement'));
  }

  handleError(error: Error): void {
    const unanswered = this.#lookups.slice(this.#at);
    this.#at = this.#lookups.length;
    if (unanswered.length === 0) this.#options.onFailure(error);
    for (const { settle } of unanswered) settle(error, []);
  }
}
