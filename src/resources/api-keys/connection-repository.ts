import type { Schemas } from '../../contract/contract.ts';
import { BY_ID } from '../../db/keyset.ts';
import { literal, sql } from '../../db/sql.ts';
import { mutation, pagedQuery } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { requireFound } from '../../contract/errors.ts';

type Connection = Schemas['Connection'];

/** Scope of an application that can read everything that its API key can. */
const FULL_READ_SCOPE = 'tenant:read';

// A grant belongs to the company of its API key. Expired grants are not listed, although they are deleted only later.
export const listConnections = pagedQuery<object, Connection>(
  'connection_list',
  BY_ID,
  (p) => sql`
    select g.connection_id as id, g.client_name as name, g.redirect_host as "redirectHost", k.id as "apiKeyId",
           array_remove(
             string_to_array(nullif(g.payload -> 'openid' ->> 'scope', ${literal(FULL_READ_SCOPE)}), ' '), ''
           ) as scopes,
           g.created_at as "createdAt", g.expires_at as "expiresAt", g.last_used_at as "lastUsedAt"
      from oauth_grants g join api_keys k on k.id = g.api_key_id
     where k.company_id = ${p.companyId} and g.expires_at > now()
       and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
);

// Foreign keys delete the tokens together with the grant.
const end = mutation<{ connectionId: string }, { id: string }>(
  'connection_end',
  (p) => sql`
    delete from oauth_grants g using api_keys k
     where k.company_id = ${p.companyId} and k.id = g.api_key_id and g.connection_id = ${p.connectionId}
    returning g.connection_id as id`,
);

/** @throws not_found */
export async function endConnection(tenant: TenantWriter, connectionId: string): Promise<void> {
  requireFound((await tenant.mutate(end, { connectionId }))[0], 'connection');
}
