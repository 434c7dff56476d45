import type { components } from '../../generated/api-types.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Parameters } from '../db/statement.ts';

export type AccountType = components['schemas']['AccountType'];

/** Who calls: the company that owns the key, and nothing that the client said of itself. */
export interface Caller {
  readonly companyId: string;
  readonly accountType: AccountType;
  readonly keyId: string;
  /** What the company has enabled. */
  readonly modules: readonly string[];
}

/** As the database finds the company and the modules behind a key or a token. */
export interface CallerRow {
  key_id: string;
  company_id: string;
  account_type: AccountType;
  modules: string[];
}

export function callerOf(row: CallerRow): Caller {
  const { company_id: companyId, account_type: accountType, key_id: keyId, modules } = row;
  return Object.freeze({ companyId, accountType, keyId, modules });
}

/**
 * Whether a row of `companies` is what the company of the handle, an MSP or a distributor, reads below it, at whatever
 * depth. Row-level security says the same.
 */
export function isManaged(p: Parameters<object>): Sql {
  return sql`managed_by @> array[${p.companyId}::uuid] and account_type in ('tenant', 'prospect')`;
}
