import type { components } from '../../generated/api-types.ts';
import type { scopes } from '../../generated/operations.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Parameters } from '../db/statement.ts';

export type AccountType = components['schemas']['AccountType'];
export type Scope = (typeof scopes)[number];

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
  /** What the key may do; null for a key that may all. */
  readonly scopes: readonly string[] | null;
  /** When the key expires; null for one that does not. */
  readonly expiresAt: Date | null;
  /** What the caller was let in by, where it is not the key itself. */
  readonly actor?: Actor;
  /** The request that the caller has sent. */
  readonly origin?: Origin;
}

/** Who the audit log names. */
export interface Actor {
  readonly type: 'key' | 'grant' | 'admin' | 'learner' | 'source' | 'webhook_endpoint';
  readonly id: string;
}

/** Where a call comes from. */
export interface Origin {
  readonly requestId: string;
  /** Of the client; null when its connection has gone. */
  readonly address: string | null;
}

/** A row of the database: the company, the modules and the scopes of a key or a token. */
export interface CallerRow {
  key_id: string;
  company_id: string;
  account_type: AccountType;
  modules: string[];
  scopes: string[] | null;
  expires_at: string | null;
}

export function toCaller(row: CallerRow): Caller {
  const { company_id: companyId, account_type: accountType, key_id: keyId, modules, scopes } = row;
  const expiresAt = row.expires_at === null ? null : new Date(row.expires_at);
  return Object.freeze({ companyId, accountType, keyId, modules, scopes, expiresAt });
}

/** The key that a caller acts with; null for a person on the pages, and for a source. */
export function getCallerKeyId({ keyId, actor, source }: Pick<Caller, 'keyId' | 'actor' | 'source'>): string | null {
  return getCallingPerson({ actor }) || source ? null : keyId;
}

/** The learner or admin who calls; undefined for what calls by itself. */
export function getCallingPerson({
  actor,
}: {
  actor?: Actor | undefined;
}): (Actor & { type: 'admin' | 'learner' }) | undefined {
  return actor?.type === 'admin' || actor?.type === 'learner' ? { ...actor, type: actor.type } : undefined;
}

/** A person who followed a link and is not signed in. Operations that need a module or a scope are closed to them. */
export function callerByLink(companyId: string, actor: Actor & { type: 'admin' | 'learner' }, origin: Origin): Caller {
  const access = { accountType: 'tenant', modules: [], scopes: [], expiresAt: null } as const;
  return Object.freeze({ ...access, companyId, keyId: actor.id, actor, origin });
}

/** Whether the key has a scope. */
export function hasScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return scopes === null || scopes.includes(scope);
}

/**
 * Whether a row of `companies` is below the company of the handle, at any depth: that is what an MSP or a distributor
 * reads. Row-level security has the same rule.
 */
export function isManaged(p: Parameters<object>): Sql {
  return sql`managed_by @> array[${p.companyId}::uuid] and account_type in ('tenant', 'prospect')`;
}
