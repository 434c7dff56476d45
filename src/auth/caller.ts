import type { components } from '../../generated/api-types.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Parameters } from '../db/statement.ts';

export type AccountType = components['schemas']['AccountType'];

/** What a source is for: it records its kind of fact and does nothing else. */
export type SourceKind = 'gophish' | 'xapi' | 'reported_messages';

/** The caller: the company that owns the key. Nothing here comes from the request but the key. */
export interface Caller {
  readonly companyId: string;
  readonly accountType: AccountType;
  /** Of the key, or of the source that calls instead of one. */
  readonly keyId: string;
  /** What the company has enabled. */
  readonly modules: readonly string[];
  /** The source that calls; undefined for a key. */
  readonly source?: { readonly id: string; readonly kind: SourceKind };
}

/** A row of the database: the company and the modules of a key or a token. */
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
 * Whether a row of `companies` is below the company of the handle, at any depth: that is what an MSP or a distributor
 * reads. Row-level security has the same rule.
 */
export function isManaged(p: Parameters<object>): Sql {
  return sql`managed_by @> array[${p.companyId}::uuid] and account_type in ('tenant', 'prospect')`;
}
