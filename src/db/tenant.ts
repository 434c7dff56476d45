import type { Rows } from './rows.ts';
import type { Mutation, Statement } from './statement.ts';

/** Reads the rows of one company. Its transactions are read only, so that Postgres refuses changes too. */
export interface TenantReader {
  readonly companyId: string;
  /** Returns the first row, or undefined. */
  queryOne<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>;
  /** Returns all rows at once. For results that stay small in a large company. */
  queryAll<P, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  /**
   * Returns a list that is read while it is answered.
   * @param batchSize rows in a batch; two batches are in memory; to be given when rows are much wider than usual
   */
  stream<P, R>(statement: Statement<P, R>, params: P, batchSize?: number): Rows<R>;
}

/** Reads and writes the rows of the caller's own company. */
export interface TenantWriter extends TenantReader {
  /** Runs a change and returns its rows. */
  mutate<P, R>(change: Mutation<P, R>, params: P): Promise<R[]>;
  /**
   * Runs `work` in one transaction. Only the handle that it gets works inside of it. Commits when `work` resolves,
   * rolls back when it throws. Runs `work` again after a deadlock: so `work` must do nothing but use the handle. Inside
   * a transaction it joins the open one.
   */
  transaction<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T>;
  /** Has the entry of the change name ids that the call has told by another key. For one kind, the last call counts. */
  addTargets(field: string, ids: readonly string[]): void;
}
