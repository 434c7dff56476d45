// Tenancy: how the rows of one company stay invisible to every other company.
//
// Code reaches the database only through a tenant handle, which is bound to one company: a TenantReader or a
// TenantWriter. Four independent barriers separate companies. If one of them fails, the others still hold.
//
// 1. Types. A repository takes a handle and has no other access to the database. A reader accepts only read statements,
//    and its transactions are read only. Only `auth/`, `identity/` and two link modules can mint handles;
//    `.dependency-cruiser.js` enforces this list.
// 2. Keys. The primary key of every company's table begins with `company_id`, and foreign keys between these tables are
//    composite. So Postgres rejects a group of one company that holds a learner of another.
// 3. Row-level security. The service connects as a role that owns nothing. Each transaction sets `app.company_id`
//    locally, and the policies show only the rows of that company (driver/statement-plan.ts). A transaction without a
//    company sees no rows. A statement that forgets its company condition still finds no row of another company.
// 4. Responses. A request for the row of another company is rejected with 404, like a row that does not exist. A
//    `companyId` that the key cannot read is rejected with 403, whether or not the company exists.
//
// Reads across companies: an MSP or a distributor gets a TenantReader of a managed child, never a TenantWriter. During
// a parent's call, the only writer minted for a child appends to the audit log of the child. Functions that look across
// companies run with the rights of their owner, check their arguments, and are granted one by one
// (migrations/*_create_tenancy.ts).
//
// Quota: a handle uses the connection shares of the calling company, even if it reads the rows of a child
// (connection-shares.ts).
//
// Not for: commands of the operator, which connect as the owner of the tables (src/commands/), and the job queue, whose
// rows belong to no company.
import type { Rows } from './rows.ts';
import type { Mutation, Statement } from './statement.ts';

/** A handle to read the rows of one company. Its transactions are read only, so Postgres also rejects changes. */
export interface TenantReader {
  readonly companyId: string;
  /** Returns the first row, or undefined. */
  queryOne<P, R>(statement: Statement<P, R>, params: P): Promise<R | undefined>;
  /** Returns all rows at once. Use it only for results that stay small in a large company. */
  queryAll<P, R>(statement: Statement<P, R>, params: P): Promise<R[]>;
  /**
   * Returns a list that is read while the response is sent.
   * @param batchSize rows in a batch, of which up to three are in memory; set it for rows much wider than usual
   */
  stream<P, R>(statement: Statement<P, R>, params: P, batchSize?: number): Rows<R>;
}

/** A handle to read and write the rows of the caller's own company. */
export interface TenantWriter extends TenantReader {
  /** Runs a change and returns its rows. */
  mutate<P, R>(change: Mutation<P, R>, params: P): Promise<R[]>;
  /**
   * Runs `work` in one transaction. Only the handle that `work` receives acts inside the transaction. Commits if `work`
   * resolves, and rolls back if it throws. After a deadlock, runs `work` again, up to three times in all. `work` must
   * therefore do nothing but use the handle. Inside a transaction, joins the open one.
   */
  transaction<T>(work: (tenant: TenantWriter) => Promise<T>): Promise<T>;
  /**
   * Adds ids to the audit entry of the change, for rows that the request names by another key. A second call for the
   * same field replaces its ids.
   */
  addTargets(field: string, ids: readonly string[]): void;
}

/** Mints the handles of jobs, which act for the company that they name. */
export interface JobTenants {
  ofJob(companyId: string): TenantWriter;
}
