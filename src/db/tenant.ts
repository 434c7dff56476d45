import type { Rows } from './rows.ts';
import type { Change, Statement } from './statement.ts';

/**
 * Reads the rows of one company. What a read repository accepts, and all that it accepts. Postgres refuses a change that
 * gets here in spite of its type.
 */
export interface TenantReader {
  readonly companyId: string;
  /** The first row, or undefined. */
  find<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>;
  /** Every row at once: for what stays small in a large company. */
  all<P, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  /**
   * A list, read when it is answered.
   * @param batchSize how many rows are in memory twice; to be given when a row is much wider than a list item
   */
  rows<P, R>(statement: Statement<P, R>, params: P, batchSize?: number): Rows<R>;
}

/** Reads and writes the rows of the caller's own company. */
export interface TenantWriter extends TenantReader {
  /** Changes or locks rows, and returns those that the statement returns. */
  run<P, R>(change: Change<P, R>, params: P): Promise<R[]>;
  /**
   * Runs `work` in one transaction; it gets the only handle that works inside it. Commits when `work` resolves, rolls
   * back when it throws. Runs `work` again after a deadlock, so it must do nothing but work on the handle. Inside a
   * transaction it joins the one that is open.
   */
  transaction<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T>;
}
