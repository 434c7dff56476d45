import type { Writable } from 'node:stream';
import pg from 'pg';

/**
 * Sets what the rest of a transaction relies on: the company ($1), the statement timeout in milliseconds ($2), and the
 * format of times. The pool also asks for the last three when it connects, but a pooler may drop that, or settings of
 * the role may override it.
 */
const SET_TENANT = {
  name: 'set_tenant',
  text: `select set_config('app.company_id', $1, true), set_config('statement_timeout', $2, true),
                set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true)`,
};
const SET_READER = { name: 'set_reader', text: `${SET_TENANT.text}, set_config('transaction_read_only', 'on', true)` };
// Lists must not reuse a plan that was made when the tables were small: in a large company such a list would not end.
const SET_TENANT_OF_LIST = {
  name: 'set_tenant_of_list',
  text: `${SET_READER.text}, set_config('plan_cache_mode', 'force_custom_plan', true)`,
};

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

/** The methods of `pg.Query` that the subclass calls. */
interface QueryProtocol {
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
  handleError(error: Error, wire: Wire): void;
}
const protocol = pg.Query.prototype as unknown as QueryProtocol;

export interface Batch<R> {
  rows: R[];
  /** True when there are no more rows. */
  last: boolean;
}

export interface TenantQueryOptions<R> {
  companyId: string;
  statement: { name: string; text: string };
  /** Makes Postgres refuse changes and row locks. */
  readOnly: boolean;
  values: unknown[];
  /** The statement timeout; 0 for none. Lists need 0: it would count the time that the client reads. */
  timeoutMs: number;
  /** Rows in a batch; 0 fetches all rows at once. */
  batchSize: number;
  /** Called for each batch, or once with the error that ended the query. */
  settle: (error: Error | null, batch: Batch<R>) => void;
}

/**
 * One statement for one company, in one write to the socket. The tenant setting and the statement share the implicit
 * transaction that ends at Sync: so row-level security costs no round trip.
 *
 * With `batchSize` the portal stays open and returns rows in batches. Sync is sent after the last one.
 */
export class TenantQuery<R> extends pg.Query {
  readonly #options: TenantQueryOptions<R>;
  readonly #setTenant: { name: string; text: string };
  #rows: R[] = [];
  #tenantIsSet = false;
  #synced: boolean;
  #wire: Wire | undefined;

  constructor(options: TenantQueryOptions<R>) {
    const { statement, values, batchSize } = options;
    super({ name: statement.name, text: statement.text, values, rows: batchSize || undefined } as pg.QueryConfig);
    this.#options = options;
    this.#setTenant = !options.readOnly ? SET_TENANT : batchSize > 0 ? SET_TENANT_OF_LIST : SET_READER;
    this.#synced = batchSize === 0;
    this.on('row', (row) => this.#rows.push(row as R));
    this.on('error', (error) => this.#options.settle(error, { rows: [], last: true }));
    // A whole result counts when it is committed, at ReadyForQuery. An open portal only reads.
    if (batchSize === 0) this.on('end', () => this.#options.settle(null, { rows: this.#takeRows(), last: true }));
  }

  /** Requests the next batch of an open portal. */
  fetch(): void {
    this.#wire?.execute({ rows: this.#options.batchSize });
    this.#wire?.flush();
  }

  /** Called by `pg.Query` with the socket corked. */
  prepare(wire: Wire): void {
    this.#wire = wire;
    const messages: Buffer[] = [];
    // One write of one buffer. Six small writes would double the cost of this method.
    const collector = Object.create(wire, { stream: { value: collectInto(messages) } }) as Wire;
    const setTenant = this.#setTenant;
    if (!wire.submittedNamedStatements[setTenant.name]) {
      collector.parse(setTenant);
      wire.submittedNamedStatements[setTenant.name] = setTenant.text;
    }
    const { companyId, timeoutMs } = this.#options;
    collector.bind({ statement: setTenant.name, values: [companyId, String(timeoutMs)] });
    collector.execute({});
    protocol.prepare.call(this, collector);
    wire.stream.write(Buffer.concat(messages));
  }

  handleDataRow(message: unknown): void {
    // The first row is the result of set_config.
    if (this.#tenantIsSet) protocol.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, wire: Wire): void {
    if (!this.#tenantIsSet) {
      this.#tenantIsSet = true;
      return;
    }
    this.#synced = true;
    protocol.handleCommandComplete.call(this, message, wire);
    if (this.#options.batchSize > 0) this.#options.settle(null, { rows: this.#takeRows(), last: true });
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
