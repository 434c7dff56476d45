import type pg from 'pg';
import { isOnCitus } from './driver/citus-detection.ts';
import { toKeyset } from './keyset.ts';
import { type Page, type Paging, Rows } from './rows.ts';
import {
  pageAfter,
  type Mutation,
  type Compiled,
  toCountStatement,
  toPageStatement,
  type Statement,
} from './statement.ts';
import { tracedStatement } from './traced-statement.ts';
import type { TenantReader, TenantWriter } from './tenant.ts';
import type { AuditRecorder } from './audit-recorder.ts';

/** Minimum length of an array parameter at which the transaction discards its connection's cached plans. */
const LONG_LIST = 500;

/**
 * A writer that runs all statements in one open transaction, without names. A change can have ten thousand ids, and a
 * prepared plan from when the table was empty would compare each row with each id. `plan_cache_mode` would not help:
 * Postgres would then plan its foreign key checks again for each row.
 *
 * Foreign key checks and triggers keep their plans for as long as the connection lives. A plan from when a table had a
 * few rows would read the whole table for each of ten thousand ids. Such a plan stays in use until Postgres analyzes
 * the table, which can be minutes after an import. A statement with a long list therefore first discards the plans of
 * the connection.
 */
export class TransactionTenant implements TenantWriter {
  readonly companyId: string;
  readonly #client: pg.ClientBase;
  readonly #outside: TenantWriter;
  readonly #trail: AuditRecorder | undefined;
  #hasFreshPlans = false;
  #isOver = false;

  /** @param outside reads lists that are opened only after the transaction has ended */
  constructor(client: pg.ClientBase, outside: TenantWriter, recorder: AuditRecorder | undefined) {
    this.#client = client;
    this.#outside = outside;
    this.companyId = outside.companyId;
    this.#trail = recorder;
  }

  /** Marks the transaction as ended. From now on, the connection belongs to another caller. */
  end(): void {
    this.#isOver = true;
  }

  async queryOne<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    return (await this.#execute(statement, params))[0];
  }

  queryAll<P, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return this.#execute(statement, params);
  }

  mutate<P, R>(change: Mutation<P, R>, params: P): Promise<R[]> {
    return this.#execute(change, params);
  }

  async #execute<P, R>(statement: Compiled<P, R>, params: P): Promise<R[]> {
    const { name } = statement;
    if (this.#isOver) throw new Error(`${name} was run after its transaction had ended`);
    const values = statement.values(this.companyId, params);
    const isLong = values.some((value) => Array.isArray(value) && value.length >= LONG_LIST);
    if (isLong) await this.#discardPlans();
    const text = isLong && !this.#isOnCitus ? (statement.textForLongList ?? statement.text) : statement.text;
    return (await tracedStatement(name, () => this.#client.query({ text, values }))).rows as R[];
  }

  async #discardPlans(): Promise<void> {
    if (this.#hasFreshPlans) return;
    this.#hasFreshPlans = true;
    await this.#client.query('discard plans');
  }

  /**
   * Whether the connection leads to Citus, which needs the company's own value to determine which node has the rows.
   */
  get #isOnCitus(): boolean {
    return isOnCitus((this.#client as unknown as { connection: object }).connection);
  }

  stream<P, R>(statement: Statement<P, R>, params: P): Rows<R> {
    const outside = () => this.#outside.stream(statement, params);
    const inside = {
      next: async () => ({ rows: await this.#execute(statement, params), last: true }),
      close: () => undefined,
      isWanted: () => false,
    };
    return new Rows(
      async (signal) => (this.#isOver ? outside().open(signal) : inside),
      async (offset, limit) =>
        this.#isOver ? outside().page(offset, limit) : readPage(this, { statement, params, offset, limit }),
    );
  }

  transaction<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T> {
    return work(this);
  }

  addTargets(field: string, ids: readonly string[]): void {
    this.#trail?.addTargets(field, ids);
  }
}

interface PageRequest<P, R> {
  statement: Statement<P, R>;
  params: P;
  offset: number;
  limit: number;
}

/** Reads a part of a list, and counts the whole list. */
export async function readPage<P, R>(tenant: TenantReader, { statement, params, offset, limit }: PageRequest<P, R>) {
  const items = await tenant.queryAll(toPageStatement(statement), { params, offset, limit });
  const total = (await tenant.queryOne(toCountStatement(statement), params))!.count;
  const page: Page<R> = { items, total };
  return page;
}

/** Creates the keyset paging of a list; undefined if the statement has no order. */
export function createPaging<P, R>(tenant: TenantReader, statement: Statement<P, R>, params: P): Paging<R> | undefined {
  if (!statement.ordered) return undefined;
  const { order } = statement.ordered;
  return {
    order,
    async read(keyset, limit) {
      // One extra row shows whether a next page exists.
      const fetchedRows = await tenant.queryAll(pageAfter(statement, keyset === null), {
        params,
        keyset,
        limit: limit + 1,
      });
      const rows = fetchedRows.slice(0, limit);
      return { rows, next: fetchedRows.length > limit ? toKeyset(order, rows.at(-1)!) : null };
    },
  };
}
