import type pg from 'pg';
import type { operations } from '../../generated/operations.ts';
import { sql } from '../db/sql.ts';
import { pointQuery } from '../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../db/tenant-session.ts';
import type { TenantReader, TenantWriter } from '../db/tenant.ts';
import type { AuditRecorder } from '../db/audit-recorder.ts';
import { ApiError } from '../contract/errors.ts';
import { type AuditEntry, insertEntry, toAuditRow } from '../audit/audit-entry.ts';
import { type Caller, isManaged } from './caller.ts';

const managedCompany = pointQuery<{ target: string }, { modules: string[] }>(
  'company_managed',
  (p) => sql`
    select enabled_modules(smlearn, smphish, smpolicy, smbreachproenabled) as modules
      from companies where id = ${p.target} and ${isManaged(p)}`,
);

/** A module of the service that a company has enabled or not; null for what every company has. */
export type Module = (typeof operations)[keyof typeof operations]['module'];

/** Mints the tenant handles: the one place where a caller becomes access to rows. */
export class TenantAccess {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * The caller's own company, to read and write with modules. Its change leaves the entry of the recorder, if there is one.
   * @throws {ApiError} `module_not_enabled`
   */
  writer(caller: Caller, modules: readonly Module[], recorder: AuditRecorder | undefined): TenantWriter {
    requireModules(modules, caller.modules);
    return createTenantWriter(this.#pool, caller.companyId, recorder ? { recorder } : {});
  }

  /** Writes an entry of what changes nothing into the audit log of a company, at the expense of the actor's. */
  async recordEntry(companyId: string, entry: AuditEntry): Promise<void> {
    const writer = createTenantWriter(this.#pool, companyId, { quotaCompanyId: entry.actorCompanyId });
    await writer.mutate(insertEntry, toAuditRow(entry, true));
  }

  /** The caller's own company, where the service notes that it reads: no change of the caller's, and so no entry. */
  ofReader(caller: Caller): TenantWriter {
    return createTenantWriter(this.#pool, caller.companyId);
  }

  /** The company that a job of the queue is for. Only the service puts jobs there. */
  ofJob(companyId: string): TenantWriter {
    return createTenantWriter(this.#pool, companyId);
  }

  /**
   * The company to read with modules: the caller's own, or the managed child that `companyId` names.
   * @throws {ApiError} `forbidden` for any other company, whether it exists or not; `module_not_enabled`
   */
  async reader(caller: Caller, companyId: string | undefined, modules: readonly Module[]): Promise<TenantReader> {
    const own = createTenantReader(this.#pool, caller.companyId, caller.companyId);
    if (companyId === undefined || companyId === caller.companyId) {
      requireModules(modules, caller.modules);
      return own;
    }
    const manages = caller.accountType === 'msp' || caller.accountType === 'distributor';
    const child = manages ? await own.queryOne(managedCompany, { target: companyId }) : undefined;
    if (!child) throw new ApiError('forbidden', 'This key may not read that company.');
    requireModules(modules, child.modules);
    return createTenantReader(this.#pool, companyId, caller.companyId);
  }
}

/** @throws {ApiError} `module_not_enabled` */
export function requireModules(needed: readonly Module[], enabled: readonly string[]): void {
  const module = needed.find((name) => name !== null && !enabled.includes(name));
  if (module === undefined) return;
  throw new ApiError('module_not_enabled', `The company does not have the module ${module}.`);
}
