import type { components } from '../../generated/api-types.ts';
import type { operations, scopes } from '../../generated/operations.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Parameters } from '../db/statement.ts';

export type AccountType = components['schemas']['AccountType'];
export type Scope = (typeof scopes)[number];

/** The kind of a source. A source can only record facts of its kind. */
export type SourceKind = 'gophish' | 'xapi' | 'reported_messages';

/** The caller of an operation. All fields except `origin` follow from the credentials. */
export interface Caller {
  readonly companyId: string;
  readonly accountType: AccountType;
  /** The id of the key, or of the source or person that calls without a key. */
  readonly keyId: string;
  /** The modules that the company has enabled. */
  readonly modules: readonly string[];
  /** The source that calls; undefined for other callers. */
  readonly source?: { readonly id: string; readonly kind: SourceKind };
  /** The scopes of the key or of the admin's role; null for a caller that can do everything its company can. */
  readonly scopes: readonly string[] | null;
  /** Whether an admin has the role manager, and so reads only their own people. */
  readonly isManager?: boolean;
  /** The expiry of the key; null for a key that does not expire. */
  readonly expiresAt: Date | null;
  /** The actor for the audit log; undefined if the key itself is the actor. */
  readonly actor?: Actor;
  /** Whether a signed-in person has recently confirmed who they are; undefined for callers without a session. */
  readonly hasRecentProof?: boolean;
  /** Managed company that an admin is viewing in the console, read-only; undefined for other callers. */
  readonly childId?: string;
  /** The origin of the caller's request. */
  readonly origin?: Origin;
}

/** An actor of the audit log. */
export interface Actor {
  readonly type: 'key' | 'grant' | 'admin' | 'learner' | 'source' | 'webhook_endpoint' | 'identity_provider';
  readonly id: string;
}

/** Where a call comes from: the client's IP address and user agent. */
export interface Origin {
  readonly requestId: string;
  /** The client's IP address; null if it is unknown. */
  readonly address: string | null;
  /** The `User-Agent` header as the client sent it, of any length; undefined if it sent none. */
  readonly userAgent?: string | undefined;
}

/** Database row with the company, the modules and the scopes of a key or a token. */
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

/** Returns the key that a caller acts with; null for a person on the web pages, a source and an identity provider. */
export function getCallerKeyId({ keyId, actor, source }: Pick<Caller, 'keyId' | 'actor' | 'source'>): string | null {
  return getCallingPerson({ actor }) || source || actor?.type === 'identity_provider' ? null : keyId;
}

/** Returns the learner or admin who calls; undefined for other callers. */
export function getCallingPerson({
  actor,
}: {
  actor?: Actor | undefined;
}): (Actor & { type: 'admin' | 'learner' }) | undefined {
  return actor?.type === 'admin' || actor?.type === 'learner' ? { ...actor, type: actor.type } : undefined;
}

/**
 * Creates the caller for a person who followed a link and is not signed in. They cannot call operations that need a
 * module or a scope.
 */
export function callerByLink(companyId: string, actor: Actor & { type: 'admin' | 'learner' }, origin: Origin): Caller {
  const access = { accountType: 'tenant', modules: [], scopes: [], expiresAt: null } as const;
  return Object.freeze({ ...access, companyId, keyId: actor.id, actor, origin });
}

type Row = (typeof operations)[keyof typeof operations];
/** The part of an operation that decides whether a caller can call it. */
interface Permitted {
  scope: Scope | null;
  managers?: Row['managers'];
}

/** Reports whether a caller can call an operation. A manager has no scopes, only the operations open to managers. */
export function isPermitted(caller: Pick<Caller, 'scopes' | 'isManager'>, operation: Permitted): boolean {
  const { scope, managers = null } = operation;
  return scope === null || hasScope(caller, scope) || (caller.isManager === true && managers !== null);
}

export function hasScope({ scopes }: Pick<Caller, 'scopes'>, scope: Scope): boolean {
  return scopes === null || scopes.includes(scope);
}

/**
 * Builds the condition that a row of `companies` is a tenant or prospect below the company of the handle, at any depth.
 * An MSP or a distributor can read these companies. Row-level security has the same rule.
 */
export function isManaged(p: Parameters<object>): Sql {
  return sql`managed_by @> array[${p.companyId}::uuid] and account_type in ('tenant', 'prospect')`;
}
