import { sql } from '../db/sql.ts';
import { statement } from '../db/statement.ts';
import type { TenantReader } from '../db/tenant.ts';
import type { AdminNoticeKind } from './outbox.ts';

interface NamedKey {
  name: string;
  publicId: string;
  at: string | null;
}

const expiringKeys = statement<{ ids: string[] }, NamedKey>(
  'message_expiring_keys',
  (p) => sql`
    select name, public_id as "publicId", expires_at as at from api_keys
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[])
       and revoked_at is null and replaced_by is null and expires_at > now()
     order by expires_at, id`,
);

const leakedKeys = statement<{ ids: string[] }, NamedKey>(
  'message_leaked_keys',
  (p) => sql`
    select name, public_id as "publicId", revoked_at as at from api_keys
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[]) order by revoked_at, id`,
);

const failingWebhooks = statement<{ ids: string[]; isOff: boolean }, { id: string; url: string; at: string | null }>(
  'message_failing_webhooks',
  (p) => sql`
    select id, url, failing_since as at from webhook_endpoints
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[])
       and case when ${p.isOff}::boolean then disabled_because in ('gone', 'failing')
                else disabled_because is null and failing_since is not null end
     order by id`,
);

/** What a notice names, of what is still so. It is read apart: on Citus keys are on another node than messages. */
export async function findNoticeSubjects(
  tenant: TenantReader,
  kind: AdminNoticeKind,
  ids: string[],
): Promise<string[]> {
  if (kind === 'webhook_failing' || kind === 'webhook_disabled') {
    const endpoints = await tenant.all(failingWebhooks, { ids, isOff: kind === 'webhook_disabled' });
    // The rest of an address may be a secret.
    return endpoints.map(({ id, url, at }) => `${new URL(url).host} (${id})${timeOf(at)}`);
  }
  const keys = await tenant.all(kind === 'api_key_leaked' ? leakedKeys : expiringKeys, { ids });
  return keys.map(({ name, publicId, at }) => `${name} (sk_${publicId})${timeOf(at)}`);
}

function timeOf(at: string | null): string {
  return at === null ? '' : `, ${at.slice(0, 16).replace('T', ' ')} UTC`;
}
