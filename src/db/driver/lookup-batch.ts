import pg from 'pg';
import { serialize } from 'pg-protocol';
import { isOnCitus } from './citus-detection.ts';
import { type Column, RowDecoder, getRowDecoders } from './row-decoder.ts';
import { isReadingSession } from './session-settings.ts';
import { planAroundLookups } from './statement-plan.ts';
import { binding, executing, send, type ProtocolConnection } from './protocol-messages.ts';

/** A point query, with its values as node-postgres sends them. */
export interface Lookup {
  statement: { name: string; text: string };
  values: unknown[];
  /** Called exactly once, with the rows or an error. */
  settle: (error: Error | null, rows: object[]) => void;
}

interface BatchOptions {
  companyId: string;
  /** Timeout of each lookup in milliseconds. */
  timeoutMs: number;
  /** Called if the transaction fails after its last lookup. The rows of all lookups are valid even then. */
  onFailure: (error: Error) => void;
}

/**
 * Lookups of one company that share one write to the socket and one transaction. Row-level security is set up once for
 * all of them. If a lookup fails, the lookups after it fail too.
 *
 * Extends `pg.Query` because node-postgres accepts no other query class on a pipelined connection. Of the inherited
 * methods, only `submit` is used, which calls `prepare`.
 */
export class LookupBatch extends pg.Query {
  readonly #options: BatchOptions;
  readonly #lookups: readonly Lookup[];
  #connection: ProtocolConnection | undefined;
  /** Number of statements sent before the lookups that Postgres has not completed yet. */
  #stepsBefore = 0;
  /** Index of the lookup that Postgres is running. */
  #at = 0;
  #decoder: RowDecoder | undefined;
  #rows: object[] = [];
  /** The first decoding error of the current lookup. */
  #fault: Error | null = null;

  constructor(options: BatchOptions, lookups: readonly Lookup[]) {
    super('');
    this.#options = options;
    this.#lookups = lookups;
  }

  requiresPreparation(): true {
    return true;
  }

  /** Sends the batch. Called by node-postgres when the batch leaves its queue. */
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

  /** Settles a lookup at once: a lookup only reads, so its rows are valid even if a later lookup fails. */
  handleCommandComplete(): void {
    if (this.#stepsBefore > 0) {
      this.#stepsBefore -= 1;
      return;
    }
    const lookup = this.#lookups[this.#at];
    // The completed statement is the commit of the transaction.
    if (!lookup) return;
    const [fault, rows] = [this.#fault, this.#rows];
    this.#at += 1;
    this.#rows = [];
    this.#decoder = undefined;
    this.#fault = null;
    lookup.settle(fault, rows);
  }

  handleReadyForQuery(): void {
    if (this.#at < this.#lookups.length) this.handleError(new Error('Postgres skipped a statement'));
  }

  handleError(error: Error): void {
    const unanswered = this.#lookups.slice(this.#at);
    this.#at = this.#lookups.length;
    if (unanswered.length === 0) this.#options.onFailure(error);
    for (const { settle } of unanswered) settle(error, []);
  }
}
