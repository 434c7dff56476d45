import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Verify } from '../auth/bearer-token.ts';
import { toCaller, type CallerRow } from '../auth/caller.ts';
import { isAll, readable } from './scopes.ts';

interface TokenRow extends CallerRow {
  grant_id: string;
  client_id: string;
  token_expires_at: string;
  granted: string | null;
}

const TOKEN_FORMAT = /^[\w-]{43}$/;

/**
 * Finds the caller of an access token for `resource`: the company of the approved API key. Makes one query and caches
 * nothing: a revoked or expired grant, key or token gives undefined at once.
 */
export function createVerifier(pool: pg.Pool, resource: string): Verify {
  return async (token) => {
    if (!TOKEN_FORMAT.test(token)) return undefined;
    const { rows } = await pool.query<TokenRow>({
      name: 'find_token_caller',
      // Excludes tokens that are bound to a key of their client: the token without that key must not be accepted.
      text: `select found.* from find_token_caller($1, $2) as found
              where not exists (select from oauth_tokens where hash = $1 and payload ?| array['jkt', 'x5t#S256'])`,
      values: [hashSecret(token), resource],
    });
    const row = rows[0];
    if (!row) return undefined;
    const { grant_id: id, client_id: clientId } = row;
    // A token without a scope grants no access.
    const granted = row.granted ?? '';
    const scopes = isAll(granted) ? row.scopes : readable(granted, row.scopes);
    const caller = { ...toCaller({ ...row, scopes }), actor: { type: 'grant' as const, id } };
    return { caller, clientId, expiresAt: new Date(row.token_expires_at) };
  };
}

/** Returns the SHA-256 under which a token, a code or an approval in progress is stored. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
