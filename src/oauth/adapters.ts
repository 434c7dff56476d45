import type { Request, Response } from 'express';
import Provider, { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import type pg from 'pg';
import type { Origin } from '../auth/caller.ts';
import { PATHS } from '../http/addresses.ts';
import { getRequestOrigin } from '../http/request-context.ts';
import { hashSecret } from './verifier.ts';

/**
 * Seconds for which a refresh token still works after its first use, so that a client's parallel refreshes succeed. A
 * use after this time indicates theft and ends the grant.
 */
const REFRESH_GRACE_SECONDS = 60;
const FOREIGN_KEY_VIOLATION = '23503';

/** Stores the library's objects in the tables of `create_oauth`, each under an id that only its holder knows. */
export function adaptersOn(pool: pg.Pool, issuer: string): AdapterFactory {
  return (model) => {
    switch (model) {
      case 'AccessToken':
      case 'RefreshToken':
      case 'AuthorizationCode':
        return tokens(pool, model);
      case 'Grant':
        return grants(pool);
      case 'Client':
        return clients(pool);
      case 'Interaction':
        return interactions(pool, issuer);
      default:
        return FORGETFUL;
    }
  };
}

const nothing = async () => undefined;
/** Adapter for login sessions, which the library requires. Sessions are not stored, so none is ever used again. */
const FORGETFUL: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

interface StoredRow {
  payload: AdapterPayload;
  /** Seconds since the epoch, as the library counts. */
  exp: number;
  consumed?: number | null;
}

function tokens(pool: pg.Pool, kind: string): Adapter {
  const graceSeconds = kind === 'RefreshToken' ? REFRESH_GRACE_SECONDS : 0;
  return {
    ...FORGETFUL,
    async upsert(id, { jti: _, ...payload }) {
      await pool
        .query(
          `insert into oauth_tokens (hash, kind, grant_id, payload, expires_at)
           values ($1, $2, $3, $4, to_timestamp($5))`,
          [hashSecret(id), kind, payload.grantId, payload, payload.exp],
        )
        .catch(refuseWithoutGrant);
    },
    async find(id) {
      const { rows } = await pool.query<StoredRow>(
        `select payload, floor(extract(epoch from expires_at))::integer as exp,
                case when $3 = 0 or consumed_at <= now() - $3 * interval '1 second'
                  then extract(epoch from consumed_at)::integer end as consumed
           from oauth_tokens where hash = $1 and kind = $2`,
        [hashSecret(id), kind, graceSeconds],
      );
      return withId(id, rows[0]);
    },
    // For parallel calls, the condition accepts a code only once, and a refresh token repeatedly within its grace
    // period.
    async consume(id) {
      const { rows } = await pool.query<{ grant_id: string; consumed: boolean }>(
        `with consumed as (
           update oauth_tokens set consumed_at = least(consumed_at, now())
            where hash = $1
              and (consumed_at is null or ($2 > 0 and consumed_at > now() - $2 * interval '1 second'))
           returning 1
         ) select grant_id, exists (select from consumed) as consumed from oauth_tokens where hash = $1`,
        [hashSecret(id), graceSeconds],
      );
      const token = rows[0];
      if (token?.consumed) return;
      if (token) await endGrant(pool, token.grant_id);
      throw new errors.InvalidGrant('the token was used concurrently');
    },
    async destroy(id) {
      await pool.query('delete from oauth_tokens where hash = $1', [hashSecret(id)]);
    },
    async revokeByGrantId(grantId) {
      await pool.query('delete from oauth_tokens where grant_id = $1 and kind = $2', [grantId, kind]);
    },
  };
}

function grants(pool: pg.Pool): Adapter {
  return {
    ...FORGETFUL,
    async upsert(id, { jti: _, ...payload }) {
      await pool
        .query(
          `insert into oauth_grants (id, api_key_id, client_id, payload, expires_at)
           values ($1, $2, $3, $4, to_timestamp($5))`,
          [id, payload.accountId, payload.clientId, payload, payload.exp],
        )
        .catch(refuseWithoutGrant);
    },
    async find(id) {
      const { rows } = await pool.query<StoredRow>(
        'select payload, floor(extract(epoch from expires_at))::integer as exp from find_oauth_grant($1)',
        [id],
      );
      return withId(id, rows[0]);
    },
    destroy: (id) => endGrant(pool, id),
  };
}

function clients(pool: pg.Pool): Adapter {
  return {
    ...FORGETFUL,
    async upsert(id, metadata) {
      await pool.query('insert into oauth_clients (id, metadata) values ($1, $2)', [id, metadata]);
    },
    async find(id) {
      // Postgres cannot store a null character.
      if (id.includes('\0')) return undefined;
      const { rows } = await pool.query<{ metadata: AdapterPayload }>(
        'select metadata from oauth_clients where id = $1',
        [id],
      );
      return rows[0]?.metadata;
    },
  };
}

function interactions(pool: pg.Pool, issuer: string): Adapter {
  return {
    ...FORGETFUL,
    // `returnTo` contains the id; only its hash is stored.
    async upsert(id, { jti: _, returnTo: __, ...payload }) {
      await pool.query(
        `insert into oauth_interactions (hash, payload, expires_at) values ($1, $2, to_timestamp($3))
         on conflict (hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`,
        [hashSecret(id), payload, payload.exp],
      );
    },
    async find(id) {
      const { rows } = await pool.query<StoredRow>(
        'select payload, floor(extract(epoch from expires_at))::integer as exp from oauth_interactions where hash = $1',
        [hashSecret(id)],
      );
      const payload = withId(id, rows[0]);
      return payload && { ...payload, returnTo: `${issuer}${PATHS.authorize}/${id}` };
    },
    async destroy(id) {
      await pool.query('delete from oauth_interactions where hash = $1', [hashSecret(id)]);
    },
  };
}

function withId(id: string, row: StoredRow | undefined): AdapterPayload | undefined {
  if (!row) return undefined;
  return { ...row.payload, jti: id, exp: row.exp, ...(row.consumed ? { consumed: row.consumed } : {}) };
}

/** Ends a grant and its tokens, and records it in the audit log. */
async function endGrant(pool: pg.Pool, id: string): Promise<void> {
  const { requestId, address } = getAdapterOrigin();
  await pool.query('select end_grant($1, $2, $3)', [id, requestId, address]);
}

/** Returns the origin of the request that the library is processing. */
function getAdapterOrigin(): Origin {
  const { req, res } = Provider.ctx!;
  return getRequestOrigin(req as Request, res as Response);
}

/** Rejects a token whose grant, or its API key, was deleted while the token was being issued. */
function refuseWithoutGrant(error: unknown): never {
  if ((error as { code?: unknown }).code !== FOREIGN_KEY_VIOLATION) throw error;
  throw new errors.InvalidGrant('the grant no longer exists');
}
