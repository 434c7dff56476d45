import type pg from 'pg';
import { type Page, Rows } from './rows.ts';
import { type Change, type Compiled, countOf, pageOf, type Statement } from './statement.ts';
import { tracedStatement } from './traced-statement.ts';
import type { TenantReader, TenantWriter } from './tenant.ts';

/**
 * Runs all statements in one open transaction, unnamed. A change may have ten thousand ids: a prepared plan, perhaps
 * made when the table was empty, would compare each row with each id. (`plan_cache_mode` is no way out: Postgres would
 * then plan its foreign key checks again for each row.)
 */
export class TransactionTenant implements TenantWriter {
  readonly companyId: string;
  readonly #client: pg.ClientBase;

  constructor(client: pg.ClientBase, companyId: string) {
    this.#client = client;
    this.companyId = companyId;
  }

  async find<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined> {
    return (await this.#execute(statement, params))[0];
  }

  all<P, R>(statement: Statement<P, R>, params: P): Promise<R[]> {
    return this.#execute(statement, params);
  }

  run<P, R>(change: Change<P, R>, params: P): Promise<R[]> {
    return this.#execute(change, params);
  }

  async #execute<P, R>(statement: Compiled<P, R>, params: P): Promise<R[]> {
    const { name, text } = statement;
    const values = statement.values(this.companyId, params);
    return (await tracedStatement(name, () => this.#client.query({ text, values }))).rows as R[];
  }

  rows<P, R>(statement: Statement<P, R>, params: P): Rows<R> {
    return new Rows(
      async () => ({
        next: async () => ({ rows: await this.#execute(statement, params), last: true }),
        close: () => undefined,
        isWanted: () => false,
      }),
      (offset, limit) => readPage(this, { statement, params, offset, limit }),
    );
  }

  transaction<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T> {
    return work(this);
  }
}

interface AskedPage<P, R> {
  statement: Statement<P, R>;
  params: P;
  offset: number;
  limit: number;
}

/** Reads a part of a list, and counts all of it. */
export async function readPage<P, R>(tenant: TenantReader, { statement, params, offset, limit }: AskedPage<P, R>) {
  const items = await tenant.all(pageOf(statement), { params, offset, limit });
  const total = (await tenant.find(countOf(statement), params))!.count;
  const page: Page<R> = { items, total };
  return page;
}
