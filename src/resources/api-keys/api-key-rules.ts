import type { Caller, Scope } from '../../auth/caller.ts';
import { requireAllScopes, requireRequestedScopes } from '../../auth/roles.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';

/** Maximum number of active keys per company. Limited because each key has a separate rate limit. */
export const MAX_KEYS = 100;

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

export type Maker = Pick<Caller, 'scopes' | 'expiresAt'>;

/**
 * Returns the scopes of a new key: the requested ones, or by default the scopes of its maker.
 * @throws insufficient_scope for a scope that the maker lacks
 */
export function judgeScopes(requestedScopes: readonly Scope[] | undefined, maker: Maker): string[] | null {
  if (requestedScopes === undefined) return maker.scopes && [...maker.scopes];
  requireRequestedScopes(maker, requestedScopes);
  return [...requestedScopes];
}

/**
 * Returns when a new key expires: by default in a year, but never later than its maker.
 * @throws invalid_request if the requested time is in the past, or after the maker's expiry
 */
export function judgeExpiry(requestedExpiry: string | null | undefined, maker: Maker, now: Date): Date | null {
  if (requestedExpiry === undefined) return withinMaker(new Date(now.getTime() + YEAR_MS), maker);
  const expiry = requestedExpiry === null ? null : new Date(requestedExpiry);
  if (expiry && expiry <= now) throw invalidField('body/expiresAt', 'must be in the future');
  if (withinMaker(expiry, maker) !== expiry)
    throw invalidField('body/expiresAt', 'must not be later than the expiry of the calling key');
  return expiry;
}

export interface RotatedKey {
  scopes: string[] | null;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  replacedBy: string | null;
}

/** @throws api_key_rotated, api_key_not_active; insufficient_scope or forbidden if the caller has fewer permissions */
export function judgeRotation(key: RotatedKey, caller: Maker, now: Date): void {
  if (key.replacedBy !== null)
    throw new ApiError('api_key_rotated', 'The key has already been rotated; use the new one.');
  if (key.revokedAt !== null || (key.expiresAt !== null && new Date(key.expiresAt) <= now))
    throw new ApiError('api_key_not_active', 'The key is revoked or has expired; create a new one.');
  requireAllScopes(caller, key.scopes);
}

/**
 * Returns the expiry of a replacement key; null if it never expires. The new key has the same lifetime as the replaced
 * key, but never outlives the key that creates it.
 */
export function renewedExpiry({ createdAt, expiresAt }: RotatedKey, maker: Maker, now: Date): Date | null {
  const lasts = expiresAt === null ? Infinity : Date.parse(expiresAt) - Date.parse(createdAt);
  return withinMaker(lasts === Infinity ? null : new Date(now.getTime() + lasts), maker);
}

/** Limits an expiry to the maker's. Otherwise, an expiring key could renew itself forever. */
function withinMaker(expiry: Date | null, { expiresAt: end }: Maker): Date | null {
  return end !== null && (expiry === null || expiry > end) ? end : expiry;
}
