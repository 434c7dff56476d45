import type pg from 'pg';
import { createTenantReader, createTenantWriter } from '../db/tenant-session.ts';
import { statement } from '../db/statement.ts';
import type { TenantReader, TenantWriter } from '../db/tenant.ts';
import { ApiError } from '../errors.ts';
import { type Caller, MANAGED_ACCOUNT_TYPES } from './caller.ts';

const managedCompany = statement<{ target: string }, { id: string }>('company_managed', (sql, param) =>
  sql('companies')
    .select('id')
    .where('id', param('target'))
    .whereRaw('managed_by @> array[?::uuid]', [param('companyId')])
    .whereIn('account_type', [...MANAGED_ACCOUNT_TYPES]),
);

/** Mints the tenant handles: the one place where a caller becomes access to rows. */
export class TenantAccess {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** The caller's own company, to read and write. */
  writer(caller: Caller): TenantWriter {
    return createTenantWriter(this.#pool, caller.companyId);
  }

  /** The company that a job of the queue is for. Only the service puts jobs there. */
  ofJob(companyId: string): TenantWriter {
    return createTenantWriter(this.#pool, companyId);
  }

  /**
   * The company to read: the caller's own, or the managed child that `companyId` names.
   * @throws {ApiError} `forbidden` for any other company, whether it exists or not.
   */
  async reader(caller: Caller, companyId: string | undefined): Promise<TenantReader> {
    const own = createTenantReader(this.#pool, caller.companyId, caller.companyId);
    if (companyId === undefined || companyId === caller.companyId) return own;
    const manages = caller.accountType === 'msp' || caller.accountType === 'distributor';
    if (!manages || !(await own.find(managedCompany, { target: companyId }))) {
      throw new ApiError('forbidden', 'This key may not read that company.');
    }
    return createTenantReader(this.#pool, companyId, caller.companyId);
  }
}
