import { v7 as uuidv7 } from 'uuid';
import { createApiKey } from '../../auth/api-key.ts';
import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { mutation, pagedQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { ApiError, requireFound } from '../../contract/errors.ts';
import { queueAdminNotices } from '../../mail/outbox/outbox.ts';
import { MAX_KEYS } from './api-key-rules.ts';

export type ApiKey = Schemas['ApiKey'];

const IS_ACTIVE = sql`revoked_at is null and (expires_at is null or expires_at > now())`;

const API_KEY: Sql = sql`
  id, public_id as "publicId", name, scopes,
  case when revoked_at is not null then 'revoked' when expires_at <= now() then 'expired' else 'active' end as status,
  created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt",
  replaced_by as "replacedBy", created_by as "createdBy"`;

/**
 * Columns that the service can read. Citus rejects `now()` in RETURNING, so a SELECT computes the status from these
 * columns.
 */
const READABLE = sql`id, public_id, name, scopes, created_at, expires_at, last_used_at, revoked_at, replaced_by, created_by`;

export const listApiKeys = pagedQuery<object, ApiKey>(
  'api_key_list',
  BY_ID,
  (p) => sql`select ${API_KEY} from api_keys where company_id = ${p.companyId}`,
);

const lock = mutation<{ apiKeyId: string }, ApiKey>(
  'api_key_lock',
  (p) => sql`
    select ${API_KEY} from api_keys where company_id = ${p.companyId} and id = ${p.apiKeyId} for no key update`,
);

/** Returns the key, and locks it until the transaction ends. @throws not_found */
export async function lockApiKey(tenant: TenantWriter, apiKeyId: string): Promise<ApiKey> {
  return requireFound((await tenant.mutate(lock, { apiKeyId }))[0], 'API key');
}

/** Locks the company's first key on behalf of all keys, so that two calls cannot both take the last free place. */
export const lockPlaces = mutation<object>(
  'api_key_lock_places',
  (p) => sql`select id from api_keys where company_id = ${p.companyId} order by id limit 1 for no key update`,
);

const countActive = query<object, { active: number }>(
  'api_key_count',
  (p) => sql`select count(*)::integer as active from api_keys where company_id = ${p.companyId} and ${IS_ACTIVE}`,
);

interface NewKey {
  name: string;
  scopes: string[] | null;
  expiresAt: Date | null;
  /** Id of the key that creates this key; null if an admin creates it. */
  createdBy: string | null;
}

const insert = mutation<NewKey & { id: string; publicId: string; keyHash: Buffer }, ApiKey>(
  'api_key_insert',
  (p) => sql`
    with changed as (
      insert into api_keys (company_id, id, public_id, key_hash, name, scopes, expires_at, created_by)
      select ${p.companyId}::uuid, ${p.id}::uuid, ${p.publicId}, ${p.keyHash}::bytea, ${p.name}, ${p.scopes}::text[],
             ${p.expiresAt}::timestamptz, ${p.createdBy}::uuid
       where not exists (select from api_keys
                          where company_id = ${p.companyId} and id = ${p.createdBy}::uuid and revoked_at is not null)
      returning ${READABLE}
    ) select ${API_KEY} from changed`,
);

/**
 * Creates a key. Its secret is returned only here and is never stored.
 * @throws api_key_limit_reached; unauthorized if the creating key has been revoked, which caches might not know yet
 */
export async function insertApiKey(tenant: TenantWriter, key: NewKey): Promise<{ secret: string; apiKey: ApiKey }> {
  await tenant.mutate(lockPlaces, {});
  const { active } = (await tenant.queryOne(countActive, {}))!;
  if (active >= MAX_KEYS)
    throw new ApiError(
      'api_key_limit_reached',
      `The company already has the maximum of ${MAX_KEYS} active keys; revoke one first.`,
    );
  const { key: secret, publicId, keyHash } = createApiKey();
  const [apiKey] = await tenant.mutate(insert, { ...key, id: uuidv7(), publicId, keyHash });
  if (!apiKey) throw new ApiError('unauthorized', 'The API key was revoked; use another one.');
  await queueAdminNotices(tenant, 'api_key_created', [apiKey.id]);
  return { secret, apiKey };
}

const replace = mutation<{ apiKeyId: string; replacedBy: string; overlapHours: number }, ApiKey>(
  'api_key_replace',
  (p) => sql`
    with changed as (
      update api_keys
         set replaced_by = ${p.replacedBy},
             -- Rounded down, so that an overlap of 0 ends the key at once.
             expires_at = least(expires_at, date_trunc('milliseconds', now()) + ${p.overlapHours}::integer * interval '1 hour')
       where company_id = ${p.companyId} and id = ${p.apiKeyId}
      returning ${READABLE}
    ) select ${API_KEY} from changed`,
);

/** Makes the key expire after the overlap, and records its replacement. */
export async function replaceApiKey(
  tenant: TenantWriter,
  replacement: { apiKeyId: string; replacedBy: string; overlapHours: number },
): Promise<ApiKey> {
  return requireFound((await tenant.mutate(replace, replacement))[0], 'API key');
}

const revoke = mutation<{ apiKeyId: string }, ApiKey>(
  'api_key_revoke',
  (p) => sql`
    with changed as (
      update api_keys set revoked_at = least(revoked_at, now())
       where company_id = ${p.companyId} and id = ${p.apiKeyId}
      returning ${READABLE}
    ) select ${API_KEY} from changed`,
);

// Also follows keys that no longer work, because keys that they created might still work.
const madeByKey = query<{ apiKeyId: string }, { id: string }>(
  'api_key_made_by',
  (p) => sql`
    with recursive made as (
      select id from api_keys where company_id = ${p.companyId} and created_by = ${p.apiKeyId}
      union
      select k.id from api_keys k join made on k.created_by = made.id where k.company_id = ${p.companyId}
    ) select id from made where id <> ${p.apiKeyId} order by id`,
);

/** Returns the ids of all keys that a key created, directly or through other keys, working or not, ordered by id. */
export async function findKeysMadeBy(tenant: TenantReader, apiKeyId: string): Promise<string[]> {
  return (await tenant.queryAll(madeByKey, { apiKeyId })).map(({ id }) => id);
}

export const activeOfKeys = query<{ apiKeyIds: string[] }, ApiKey>(
  'api_key_active_of',
  (p) => sql`
    select ${API_KEY} from api_keys
     where company_id = ${p.companyId} and id = any(${p.apiKeyIds}::uuid[]) and ${IS_ACTIVE} order by id`,
);

export const revokeKeys = mutation<{ apiKeyIds: string[] }, ApiKey>(
  'api_key_revoke_all_of',
  (p) => sql`
    with changed as (
      update api_keys set revoked_at = now()
       where company_id = ${p.companyId} and id = any(${p.apiKeyIds}::uuid[]) and ${IS_ACTIVE}
      returning ${READABLE}
    ) select ${API_KEY} from changed order by id`,
);

/** Revokes a key. No other key can be created until the transaction ends. @throws not_found */
export async function revokeApiKey(tenant: TenantWriter, apiKeyId: string): Promise<ApiKey> {
  await tenant.mutate(lockPlaces, {});
  return requireFound((await tenant.mutate(revoke, { apiKeyId }))[0], 'API key');
}
