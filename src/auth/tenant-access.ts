import type pg from 'pg';
import type { operations } from '../../generated/operations.ts';
import { sql } from '../db/sql.ts';
import { pointQuery } from '../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../db/tenant-session.ts';
import type { TenantReader, TenantWriter } from '../db/tenant.ts';
import type { AuditRecorder } from '../db/audit-recorder.ts';
import { ApiError, requireModules } from '../contract/errors.ts';
import { type AuditEntry, insertEntry, toAuditRow } from '../audit/audit-entry.ts';
import { type Caller, isManaged } from './caller.ts';

const managedCompany = pointQuery<{ target: string }, { modules: string[] }>(
  'company_managed',
  (p) => sql`
    select enabled_modules(smlearn, smphish, smpolicy, smbreachproenabled) as modules
      from companies where id = ${p.target} and ${isManaged(p)}`,
);

/** Module that an operation needs; null for an operation that every company can use. */
export type Module = (typeof operations)[keyof typeof operations]['module'];

/** Mints tenant handles for callers and jobs. */
export class TenantAccess {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Mints a writer of the caller's own company. A recorder, if given, writes the audit entry of the change.
   * @throws {ApiError} `module_not_enabled`
   */
  writer(caller: Caller, modules: readonly Module[], recorder: AuditRecorder | undefined): TenantWriter {
    requireModules(modules, caller.modules);
    return createTenantWriter(this.#pool, caller.companyId, recorder ? { recorder } : {});
  }

  /** Writes the audit entry of a call that changed nothing. Uses the connection shares of the actor's company. */
  async recordEntry(companyId: string, entry: AuditEntry): Promise<void> {
    const writer = createTenantWriter(this.#pool, companyId, { quotaCompanyId: entry.actorCompanyId });
    await writer.mutate(insertEntry, toAuditRow(entry, true));
  }

  /** Mints a writer of the caller's own company for the service's own records, which leave no audit entry. */
  ofReader(caller: Caller): TenantWriter {
    return createTenantWriter(this.#pool, caller.companyId);
  }

  /** Mints a writer for the company of a job. Only the service can queue jobs. */
  ofJob(companyId: string): TenantWriter {
    return createTenantWriter(this.#pool, companyId);
  }

  /**
   * Mints a reader of the caller's own company, or of the managed child that `companyId` names.
   * @throws {ApiError} `forbidden` for any other company, whether or not it exists; `module_not_enabled`
   */
  async reader(caller: Caller, companyId: string | undefined, modules: readonly Module[]): Promise<TenantReader> {
    const own = createTenantReader(this.#pool, caller.companyId, caller.companyId);
    if (companyId === undefined || companyId === caller.companyId) {
      requireModules(modules, caller.modules);
      return own;
    }
    const manages = caller.accountType === 'msp' || caller.accountType === 'distributor';
    const child = manages ? await own.queryOne(managedCompany, { target: companyId }) : undefined;
    if (!child) throw new ApiError('forbidden', 'This key cannot read that company; use a company that yours manages.');
    requireModules(modules, child.modules);
    return createTenantReader(this.#pool, companyId, caller.companyId);
  }
}
