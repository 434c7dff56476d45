import type { Writable } from 'node:stream';
import pg from 'pg';
import { isOnCitus } from './engine.ts';
import { type AskedSteps, type Step, stepsOn } from './tenant-steps.ts';

/** The part of node-postgres' wire protocol that a query class uses. Its typings leave it out. */
interface Wire {
  stream: Pick<Writable, 'writable' | 'write'>;
  submittedNamedStatements: Record<string, string>;
  parsedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: unknown[] }): void;
  execute(message: { rows?: number }): void;
  flush(): void;
  sync(): void;
}

function collectInto(messages: Buffer[]): Pick<Writable, 'writable' | 'write'> {
  return { writable: true, write: (message: Buffer) => messages.push(message) > 0 };
}

function send(wire: Wire, { name, text, values }: Step): void {
  if (!name || !(wire.submittedNamedStatements[name] ?? wire.parsedStatements[name])) {
    wire.parse({ name, text });
    if (name) wire.submittedNamedStatements[name] = text;
  }
  wire.bind({ statement: name, values });
  wire.execute({});
}

interface CommandComplete {
  /** Such as `INSERT 0 1`. */
  text: string;
}

/** The methods of `pg.Query` that the subclass calls. */
interface QueryProtocol {
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: CommandComplete, wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}
const protocol = pg.Query.prototype as unknown as QueryProtocol;

export interface Batch<R> {
  rows: R[];
  /** True when there are no more rows. */
  last: boolean;
}

export interface TenantQueryOptions<R> extends AskedSteps {
  /** Called for each batch, or once with the error that ended the query. */
  settle: (error: Error | null, batch: Batch<R>) => void;
}

/**
 * One statement for one company, in one write to the socket, in a transaction that is the company's: so row-level
 * security costs no round trip.
 *
 * With `batchSize` the portal stays open and returns rows in batches. Sync is sent after the last one.
 */
export class TenantQuery<R> extends pg.Query {
  readonly #options: TenantQueryOptions<R>;
  #rows: R[] = [];
  /** Statements before ours that Postgres has not completed. */
  #stepsBefore = 0;
  #isComplete = false;
  #after: Step[] = [];
  #hasEntry = false;
  #synced: boolean;
  #wire: Wire | undefined;

  constructor(options: TenantQueryOptions<R>) {
    const { statement, values, batchSize } = options;
    super({ name: statement.name, text: statement.text, values, rows: batchSize || undefined } as pg.QueryConfig);
    this.#options = options;
    this.#synced = batchSize === 0;
    this.on('row', (row) => this.#rows.push(row as R));
    this.on('error', (error) => this.#options.settle(error, { rows: [], last: true }));
    // A whole result counts when it is committed, at ReadyForQuery. An open portal only reads.
    if (batchSize === 0) this.on('end', () => this.#options.settle(null, { rows: this.#takeRows(), last: true }));
  }

  /** Whether the entry behind the statement was written. Counts when the query has settled without an error. */
  get hasEntry(): boolean {
    return this.#hasEntry;
  }

  /** Requests the next batch of an open portal. */
  fetch(): void {
    this.#wire?.execute({ rows: this.#options.batchSize });
    this.#wire?.flush();
  }

  /** Called by `pg.Query` with the socket corked. */
  prepare(wire: Wire): void {
    this.#wire = wire;
    const steps = stepsOn(isOnCitus(wire), this.#options);
    this.#stepsBefore = steps.before.length;
    this.#after = steps.after;
    Object.assign(this, steps.main);
    const messages: Buffer[] = [];
    // One write of one buffer. Six small writes would double the cost of this method.
    const collector = Object.create(wire, { stream: { value: collectInto(messages) } }) as Wire;
    for (const step of steps.before) send(collector, step);
    protocol.prepare.call(this, this.#closing(collector));
    wire.stream.write(Buffer.concat(messages));
  }

  handleDataRow(message: unknown): void {
    if (this.#stepsBefore === 0) protocol.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: CommandComplete, wire: Wire): void {
    if (this.#stepsBefore > 0) {
      this.#stepsBefore -= 1;
      return;
    }
    if (this.#isComplete) {
      this.#hasEntry ||= message.text === 'INSERT 0 1';
      return;
    }
    this.#isComplete = true;
    this.#synced = true;
    protocol.handleCommandComplete.call(this, message, this.#closing(wire));
    if (this.#options.batchSize > 0) this.#options.settle(null, { rows: this.#takeRows(), last: true });
  }

  /** The same wire, whose Sync comes after what ends the transaction. */
  #closing(wire: Wire): Wire {
    if (this.#after.length === 0) return wire;
    const sync = () => {
      for (const step of this.#after) send(wire, step);
      wire.sync();
    };
    return Object.create(wire, { sync: { value: sync } }) as Wire;
  }

  handlePortalSuspended(): void {
    this.#options.settle(null, { rows: this.#takeRows(), last: false });
  }

  handleError(error: Error, wire: Wire): void {
    // After an error Postgres ignores everything up to Sync. An open portal has not sent it yet.
    if (!this.#synced) {
      this.#synced = true;
      wire.sync();
    }
    protocol.handleError.call(this, error, wire);
  }

  #takeRows(): R[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}
