import type { Schemas } from '../../contract/contract.ts';
import { requireFound } from '../../contract/errors.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery, query } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import type { SamlProvider } from '../../identity/saml/saml-provider.ts';

export type IdentityProvider = Schemas['IdentityProvider'];

/** An identity provider without its URLs, which are derived from its id. */
export type StoredProvider = Omit<IdentityProvider, 'callbackUrl' | 'consoleUrl' | 'learnUrl'>;

const PROVIDER = sql`
  id, name, protocol, issuer, client_id as "clientId", sealed_client_secret is not null as "hasClientSecret", claims, roles,
  creates_learners as "createsLearners", admins, learners, tested_at as "testedAt", created_at as "createdAt",
  metadata_url as "metadataUrl", certificates_expire_at as "certificatesExpireAt"`;

const all = query<object, StoredProvider>(
  'identity_provider_all',
  (p) => sql`select ${PROVIDER} from identity_providers where company_id = ${p.companyId} order by id`,
);

export function listProviders(tenant: TenantReader): Promise<StoredProvider[]> {
  return tenant.queryAll(all, {});
}

const protocolById = pointQuery<{ identityProviderId: string }, Pick<StoredProvider, 'protocol'>>(
  'identity_provider_protocol',
  (p) => sql`
    select protocol from identity_providers where company_id = ${p.companyId} and id = ${p.identityProviderId}`,
);

/** Returns the protocol of a provider. @throws not_found */
export async function findProtocol(
  tenant: TenantReader,
  identityProviderId: string,
): Promise<IdentityProvider['protocol']> {
  return requireFound(await tenant.queryOne(protocolById, { identityProviderId }), 'identity provider').protocol;
}

const lockPlaces = mutation<object>(
  'identity_provider_lock_places',
  (p) => sql`select from pg_advisory_xact_lock(hashtextextended('identity providers ' || ${p.companyId}::text, 0))`,
);

const count = mutation<object, { providers: number }>(
  'identity_provider_count',
  (p) => sql`select count(*)::integer as providers from identity_providers where company_id = ${p.companyId}`,
);

/** Makes other transactions that create providers, or change the emergency access, wait until this one ends. */
export async function lockProviders(tenant: TenantWriter): Promise<void> {
  await tenant.mutate(lockPlaces, {});
}

/** Returns the number of the company's providers. Until the transaction ends, no other transaction can create one. */
export async function lockProviderCount(tenant: TenantWriter): Promise<number> {
  await lockProviders(tenant);
  return (await tenant.mutate(count, {}))[0]!.providers;
}

/** Fields of a provider that can be set. */
export interface ProviderFields extends Pick<
  StoredProvider,
  | 'id'
  | 'name'
  | 'protocol'
  | 'issuer'
  | 'clientId'
  | 'claims'
  | 'roles'
  | 'createsLearners'
  | 'admins'
  | 'learners'
  | 'testedAt'
  | 'metadataUrl'
  | 'certificatesExpireAt'
> {
  /** Sealed client secret; null if there is none. */
  sealedSecret: Buffer | null;
  /** Metadata of a SAML provider; null for OpenID Connect. */
  saml: SamlProvider | null;
}

/** Fields of a provider that depend on its protocol. */
export type ProtocolFields = Pick<
  ProviderFields,
  'issuer' | 'clientId' | 'sealedSecret' | 'saml' | 'metadataUrl' | 'certificatesExpireAt'
>;

interface ProviderRow extends Omit<ProviderFields, 'claims' | 'roles' | 'saml'> {
  claims: string;
  roles: string;
  saml: string | null;
}

const SAMPLES = { protocol: 'oidc', claims: '{}', roles: '[]', admins: 'off', learners: 'off', saml: null } as const;

const insert = mutation<ProviderRow, StoredProvider>(
  'identity_provider_insert',
  (p) => sql`
    insert into identity_providers
      (company_id, id, name, protocol, issuer, client_id, sealed_client_secret, claims, roles, creates_learners, saml,
       metadata_url, certificates_expire_at)
    values (${p.companyId}, ${p.id}, ${p.name}, ${p.protocol}, ${p.issuer}, ${p.clientId}, ${p.sealedSecret}, ${p.claims}::jsonb,
            ${p.roles}::jsonb, ${p.createsLearners}, ${p.saml}::jsonb, ${p.metadataUrl}, ${p.certificatesExpireAt})
    returning ${PROVIDER}`,
  SAMPLES,
);

export async function insertProvider(tenant: TenantWriter, fields: ProviderFields): Promise<StoredProvider> {
  return (await tenant.mutate(insert, toRow(fields)))[0]!;
}

type LockedProvider = StoredProvider & Pick<ProviderFields, 'sealedSecret' | 'saml'>;

const lock = mutation<{ identityProviderId: string }, LockedProvider>(
  'identity_provider_lock',
  (p) => sql`
    select ${PROVIDER}, sealed_client_secret as "sealedSecret", saml from identity_providers
     where company_id = ${p.companyId} and id = ${p.identityProviderId} for update`,
);

/** Returns a provider, and locks it until the transaction ends. @throws not_found */
export async function lockProvider(tenant: TenantWriter, identityProviderId: string): Promise<LockedProvider> {
  return requireFound((await tenant.mutate(lock, { identityProviderId }))[0], 'identity provider');
}

const update = mutation<ProviderRow, StoredProvider>(
  'identity_provider_update',
  (p) => sql`
    update identity_providers
       set name = ${p.name}, issuer = ${p.issuer}, client_id = ${p.clientId}, sealed_client_secret = ${p.sealedSecret},
           claims = ${p.claims}::jsonb, roles = ${p.roles}::jsonb, creates_learners = ${p.createsLearners},
           admins = ${p.admins}, learners = ${p.learners}, tested_at = ${p.testedAt}, saml = ${p.saml}::jsonb,
           metadata_url = ${p.metadataUrl}, certificates_expire_at = ${p.certificatesExpireAt},
           expiry_notice_days = case when certificates_expire_at = ${p.certificatesExpireAt} then expiry_notice_days end
     where company_id = ${p.companyId} and id = ${p.id}
    returning ${PROVIDER}`,
  SAMPLES,
);

/** Replaces the fields of a locked provider. */
export async function updateProvider(tenant: TenantWriter, fields: ProviderFields): Promise<StoredProvider> {
  return (await tenant.mutate(update, toRow(fields)))[0]!;
}

const remove = mutation<{ identityProviderId: string }>(
  'identity_provider_remove',
  (p) => sql`delete from identity_providers where company_id = ${p.companyId} and id = ${p.identityProviderId}`,
);

/** Deletes a locked provider. */
export async function removeProvider(tenant: TenantWriter, identityProviderId: string): Promise<void> {
  await tenant.mutate(remove, { identityProviderId });
}

function toRow({ claims, roles, saml, ...fields }: ProviderFields): ProviderRow {
  const texts = { claims: JSON.stringify(claims), roles: JSON.stringify(roles) };
  return { ...fields, ...texts, saml: saml && JSON.stringify(saml) };
}
