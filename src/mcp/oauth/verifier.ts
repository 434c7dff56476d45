import { hash } from 'node:crypto';
import type pg from 'pg';
import type { AccountType, Caller } from '../../auth/caller.ts';

/** Whom an access token speaks for. */
export interface VerifiedToken {
  caller: Caller;
  grantId: string;
  clientId: string;
  expiresAt: Date;
}

export type Verify = (token: string) => Promise<VerifiedToken | undefined>;

interface CallerRow {
  grant_id: string;
  client_id: string;
  expires_at: string;
  key_id: string;
  company_id: string;
  account_type: AccountType;
  modules: string[];
}

const TOKEN_FORMAT = /^[\w-]{43}$/;

/**
 * Finds the caller of an access token for `resource`: the company of the API key that was approved. One query, and no
 * cache: a grant, key or token that is revoked or expired gives undefined from that moment on.
 */
export function createVerifier(pool: pg.Pool, resource: string): Verify {
  return async (token) => {
    if (!TOKEN_FORMAT.test(token)) return undefined;
    const { rows } = await pool.query<CallerRow>({
      name: 'find_oauth_caller',
      text: 'select * from find_oauth_caller($1, $2)',
      values: [hashOf(token), resource],
    });
    const row = rows[0];
    if (!row) return undefined;
    const { company_id: companyId, account_type: accountType, key_id: keyId, modules } = row;
    return {
      caller: Object.freeze({ companyId, accountType, keyId, modules }),
      grantId: row.grant_id,
      clientId: row.client_id,
      expiresAt: new Date(row.expires_at),
    };
  };
}

/** What is stored of a token, a code or an approval under way: its SHA-256. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
