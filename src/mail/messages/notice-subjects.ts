import { fullName } from '../../db/expressions.ts';
import { sql } from '../../db/sql.ts';
import { query } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { formatBrowserName } from '../../identity/browser-names.ts';
import type { AdminNoticeKind } from '../outbox/notice-kinds.ts';

interface NamedKey {
  name: string;
  publicId: string;
  at: string | null;
}

const expiringKeys = query<{ ids: string[] }, NamedKey>(
  'message_expiring_keys',
  (p) => sql`
    select name, public_id as "publicId", expires_at as at from api_keys
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[])
       and revoked_at is null and replaced_by is null and expires_at > now()
     order by expires_at, id`,
);

const leakedKeys = query<{ ids: string[] }, NamedKey & { id: string }>(
  'message_leaked_keys',
  (p) => sql`
    select id, name, public_id as "publicId", revoked_at as at from api_keys
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[]) order by revoked_at, id`,
);

const failingWebhooks = query<{ ids: string[]; isOff: boolean }, { id: string; url: string; at: string | null }>(
  'message_failing_webhooks',
  (p) => sql`
    select id, url, failing_since as at from webhook_endpoints
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[])
       and case when ${p.isOff}::boolean then disabled_because in ('gone', 'failing')
                else disabled_because is null and failing_since is not null end
     order by id`,
);

const companies = query<{ ids: string[] }, { name: string }>(
  'message_companies',
  (p) => sql`select name from companies where id = ${p.companyId} and id = any(${p.ids}::uuid[])`,
);

const createdKeys = query<{ ids: string[] }, NamedKey>(
  'message_created_keys',
  (p) => sql`
    select name, public_id as "publicId", created_at as at from api_keys
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[]) order by id`,
);

// Selects the keys that a key has created, directly or through other keys. Only keys that still work have a label.
const keysMadeBy = query<{ keyId: string }, { id: string; label: string | null }>(
  'message_keys_made_by',
  (p) => sql`
    with recursive made as (
      select id from api_keys where company_id = ${p.companyId} and created_by = ${p.keyId}
      union
      select k.id from api_keys k join made on k.created_by = made.id where k.company_id = ${p.companyId}
    )
    select id, case when revoked_at is null and (expires_at is null or expires_at > now())
                    then name || ' (sk_' || public_id || ')' end as label
      from api_keys where company_id = ${p.companyId} and id in (select id from made) order by id`,
);

const sourcesMadeBy = query<{ ids: string[] }, { label: string }>(
  'message_sources_made_by',
  (p) => sql`
    select name || ' (' || kind || ')' as label from sources
     where company_id = ${p.companyId} and created_by = any(${p.ids}::uuid[]) order by id`,
);

const endpointsMadeBy = query<{ ids: string[] }, { id: string; url: string }>(
  'message_endpoints_made_by',
  (p) => sql`
    select id, url from webhook_endpoints
     where company_id = ${p.companyId} and created_by = any(${p.ids}::uuid[]) and disabled_because is null order by id`,
);

interface NamedAdmin {
  name: string;
  email: string;
}

const admins = query<{ ids: string[] }, NamedAdmin>(
  'message_admins',
  (p) => sql`
    select ${fullName(sql`a`)} as name, a.email from admins a
     where a.company_id = ${p.companyId} and a.id = any(${p.ids}::uuid[]) order by a.id`,
);

const passkeys = query<{ ids: string[] }, NamedAdmin & { passkey: string; at: string }>(
  'message_passkeys',
  (p) => sql`
    select k.name as passkey, ${fullName(sql`a`)} as name, a.email, k.created_at as at
      from passkeys k join admins a on a.company_id = ${p.companyId} and a.id = k.admin_id
     where k.company_id = ${p.companyId} and k.id = any(${p.ids}::uuid[]) order by k.id`,
);

const providers = query<{ ids: string[] }, { id: string; name: string }>(
  'message_identity_providers',
  (p) => sql`select id, name from identity_providers where company_id = ${p.companyId} and id = any(${p.ids}::uuid[])`,
);

const expiringProviders = query<{ ids: string[] }, { name: string; at: string | null }>(
  'message_expiring_providers',
  (p) => sql`
    select name, certificates_expire_at as at from identity_providers
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[]) and (admins <> 'off' or learners <> 'off')
       and certificates_expire_at <= now() + interval '30 days'
     order by id`,
);

const signIns = query<{ ids: string[] }, { address: string | null; userAgent: string | null; at: string }>(
  'message_sign_ins',
  (p) => sql`
    select address, user_agent as "userAgent", occurred_at as at from sign_ins
     where company_id = ${p.companyId} and id = any(${p.ids}::uuid[])
     order by occurred_at, id`,
);

interface Notice {
  kind: AdminNoticeKind;
  subjectIds: string[];
  /**
   * Whether the notice goes to the previous address. The notice then omits the current address, because a wrong
   * previous address could belong to a stranger.
   */
  isToFormerAddress: boolean;
}

/**
 * Returns the names of a notice's subjects that still apply. Separate statements, because on Citus keys and messages
 * are on different nodes.
 */
export async function findNoticeSubjects(tenant: TenantReader, notice: Notice): Promise<string[]> {
  const { kind, subjectIds: ids, isToFormerAddress } = notice;
  switch (kind) {
    case 'webhook_failing':
    case 'webhook_disabled': {
      const endpoints = await tenant.queryAll(failingWebhooks, { ids, isOff: kind === 'webhook_disabled' });
      return endpoints.map((endpoint) => `${formatEndpointName(endpoint)}${formatTime(endpoint.at)}`);
    }
    case 'sign_in_settings_changed': {
      const names = new Map((await tenant.queryAll(providers, { ids })).map(({ id, name }) => [id, name]));
      return ids.map((id) => names.get(id) ?? id);
    }
    case 'certificate_expiring': {
      const expiring = await tenant.queryAll(expiringProviders, { ids });
      return expiring.map(({ name, at }) => `${name}${formatTime(at)}`);
    }
    case 'admin_passkeys_changed':
    case 'admin_provisioning_changed':
      return (await tenant.queryAll(companies, { ids })).map(({ name }) => name);
    case 'emergency_sign_in':
    case 'last_owner_kept':
    case 'admin_added':
    case 'admin_role_changed':
    case 'admin_address_changed': {
      const changed = await tenant.queryAll(admins, { ids });
      return changed.map((admin) => (isToFormerAddress ? admin.name : formatAdminName(admin)));
    }
    case 'passkey_added': {
      const added = await tenant.queryAll(passkeys, { ids });
      return added.map(({ passkey, at, ...admin }) => `${passkey}, ${formatAdminName(admin)}${formatTime(at)}`);
    }
    case 'admin_new_network': {
      const found = await tenant.queryAll(signIns, { ids });
      // Names only known browsers, because the client chooses the user agent and could use it to advertise a URL.
      return found.map(({ address, userAgent, at }) => {
        const facts = [address, userAgent && formatBrowserName(userAgent)];
        return `${facts.filter(Boolean).join(', ')}${formatTime(at)}`;
      });
    }
    case 'api_key_leaked':
      return findLeakedKeys(tenant, ids);
    case 'api_key_created':
      return (await tenant.queryAll(createdKeys, { ids })).map(formatKeyName);
    case 'api_key_expiring':
      return (await tenant.queryAll(expiringKeys, { ids })).map(formatKeyName);
  }
}

async function findLeakedKeys(tenant: TenantReader, ids: string[]): Promise<string[]> {
  const names: string[] = [];
  for (const { id, ...key } of await tenant.queryAll(leakedKeys, { ids })) {
    const made = await findMadeBy(tenant, id);
    names.push([formatKeyName(key), ...(made.length > 0 ? [made.join(', ')] : [])].join(' → '));
  }
  return names;
}

async function findMadeBy(tenant: TenantReader, keyId: string): Promise<string[]> {
  const keys = await tenant.queryAll(keysMadeBy, { keyId });
  const makers = { ids: [keyId, ...keys.map(({ id }) => id)] };
  return [
    ...keys.flatMap(({ label }) => label ?? []),
    ...(await tenant.queryAll(sourcesMadeBy, makers)).map(({ label }) => label),
    ...(await tenant.queryAll(endpointsMadeBy, makers)).map(formatEndpointName),
  ];
}

const formatKeyName = ({ name, publicId, at }: NamedKey) => `${name} (sk_${publicId})${formatTime(at)}`;
const formatAdminName = ({ name, email }: NamedAdmin) => `${name} (${email})`;
// Omits the path and query of the URL, which might be secret.
const formatEndpointName = ({ id, url }: { id: string; url: string }) => `${new URL(url).host} (${id})`;

function formatTime(at: string | null): string {
  return at === null ? '' : `, ${at.slice(0, 16).replace('T', ' ')} UTC`;
}
