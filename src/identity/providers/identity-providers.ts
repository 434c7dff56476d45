// Identity providers: how people sign in with the sign-in service of their company (single sign-on).
//
// A company's owner adds a provider (src/resources/identity-providers/), tests it, and enables it for admins, for
// learners or for both. The pages under /sso (src/pages/sso/) then run the code flow of OpenID Connect, or the web
// browser profile of SAML 2.0 (see below):
//
//   1. `/sso/{company}/{provider}/console` or `/learn` sends the browser to the provider, with a state, a nonce and a
//      code challenge. The matching values are in a cookie (sign-in-attempt.ts), so nobody can complete the sign-in in
//      another browser, and starting a sign-in stores nothing. A visitor who comes from another site first gets a page
//      with a link and the names of the company and the provider. Otherwise, another site could sign visitors in to
//      another company (login CSRF).
//   2. The provider sends the browser back to `/sso/{company}/{provider}/callback`. The path names the provider, so the
//      response of one provider is never sent to another one (mix-up).
//   3. oidc-client.ts exchanges the code for an ID token, checks it, and reads the person's claims.
//   4. provider-sign-in.ts finds the person and begins a session.
//
// With SAML, `state` is the RelayState, and the id of the request comes from the nonce. The provider makes the browser
// send its response as a form from the provider's own site, so the cookie is also sent with requests of other sites.
// src/identity/saml/ verifies the response, saml-client.ts reads the person. The id of the assertion is stored until it
// expires, because the response could be sent again (`used_assertions`). If the provider's metadata has a URL, the
// metadata is read at each sign-in, so that new certificates apply at once.
//
// The people whom a provider signs in:
// - Only people of its company. The lookup is limited to the company in the path.
// - The first time, the person with the reported e-mail address, unless the provider says that it has not verified the
//   address. The provider's id of the person (`sub`, or the NameID) is then stored. Afterwards only this id counts,
//   whichever e-mail address is reported, until the person's address in this service changes: the provider's account
//   might then belong to somebody else. If a person is renamed and somebody else gets their address, the id of the
//   renamed person never opens the account of the new holder.
// - If another id is stored for the person with the address, nobody is signed in. The e-mail address was probably given
//   to a new employee.
//
// People are created by directories (SCIM), if the company has one, and otherwise by callers of the API. A provider
// creates a learner only if its `createsLearners` is set and the company has no directory. It never creates an admin.
// If it has `roles`, they decide the role of each admin who signs in with it.
//
// If a provider is required, mailed links sign nobody in; they only lead to the provider. A passkey that signs in an admin
// with emergency access is reported to all admins. sign-in-rules.ts has the rules.
//
// A provider also confirms sessions of admins: `/sso/{company}/{provider}/confirm` asks it to sign the person in again
// (`prompt=login`, `max_age=0`), and its `auth_time` must confirm this.
//
// A provider can end sessions here by reporting which of its sessions has ended (`sid`) or whose sessions (`sub`). It
// sends us a signed token (back channel, logout-token.ts), or shows our page in a frame (front channel). With SAML, it
// sends a signed request (saml/logout-rules.ts). After a sign-out here, a page links to the sign-out of the provider.
// The audit log has an entry for each sign-out by a provider.
//
// Failures: a provider that is slow, sends too much, redirects, or has a URL that is not allowed, fails the sign-in.
// Each of the four requests takes at most ten seconds. No database connection is held during that time. For 30 seconds
// after a provider did not respond, its configuration is not requested again (provider-reads.ts).
//
// Not for: AI clients, which sign in with this service as their provider (src/oauth/).
import type pg from 'pg';
import { NIL } from 'uuid';
import type { components } from '../../../generated/api-types.ts';
import type { Origin } from '../../auth/caller.ts';
import type { SealedSecrets } from '../../auth/sealed-secrets.ts';
import { isId } from '../../db/ids.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery } from '../../db/statement.ts';
import { createTenantReader, createTenantWriter } from '../../db/tenant-session.ts';
import type { PersonKind } from '../people.ts';
import type { SamlProvider } from '../saml/saml-provider.ts';
import { certificatesExpireAt } from '../saml/signing-certificates.ts';
import { limitUnauthenticatedLookups } from '../unauthenticated-lookups.ts';

type Schemas = components['schemas'];
type Use = 'off' | 'optional' | 'required';

interface ProviderRow {
  id: string;
  name: string;
  protocol: Schemas['IdentityProtocol'];
  companyName: string;
  issuer: string;
  clientId: string;
  sealedSecret: Buffer | null;
  claims: Schemas['IdentityClaims'];
  roles: Schemas['RoleOfGroup'][];
  createsLearners: boolean;
  admins: Use;
  learners: Use;
  /** The metadata of a SAML provider; null with OpenID Connect. */
  saml: SamlProvider | null;
  /** URL from which the metadata is read; null if there is none. */
  metadataUrl: string | null;
}

/** An identity provider, with the data that a sign-in needs. */
export interface ProviderAccess extends Omit<ProviderRow, 'sealedSecret'> {
  companyId: string;
  clientSecret: string | null;
}

const byId = pointQuery<{ id: string }, ProviderRow>(
  'identity_provider_access',
  (p) => sql`
    select i.id, i.name, i.protocol, c.name as "companyName", i.issuer, i.client_id as "clientId",
           i.sealed_client_secret as "sealedSecret", i.claims, i.roles, i.creates_learners as "createsLearners", i.admins,
           i.learners, i.saml, i.metadata_url as "metadataUrl"
      from identity_providers i join companies c on c.id = ${p.companyId}
     where i.company_id = ${p.companyId} and i.id = ${p.id}`,
);

const storeMetadata = mutation<{ id: string; metadataUrl: string; issuer: string; saml: string; expireAt: string }>(
  'identity_provider_store_metadata',
  (p) => sql`
    update identity_providers
       set saml = ${p.saml}::jsonb, certificates_expire_at = ${p.expireAt},
           expiry_notice_days = case when certificates_expire_at = ${p.expireAt} then expiry_notice_days end
     where company_id = ${p.companyId} and id = ${p.id} and metadata_url = ${p.metadataUrl}
       and issuer = ${p.issuer}`,
  { saml: '{}' },
);

/** A provider that a sign-in page offers. */
export interface OfferedProvider {
  companyName: string;
  name: string;
  /** The path at which the sign-in begins. */
  path: string;
}

const FIND_BY_DOMAIN = {
  name: 'find_identity_providers',
  text: 'select * from find_identity_providers($1)',
};

/** The pages that people sign in to, as named in a provider's URLs. */
export const PLACES = { admin: 'console', learner: 'learn' } as const satisfies Record<PersonKind, string>;

/** Builds the path at which a sign-in with a provider begins. */
export function buildStartPath(companyId: string, providerId: string, kind: PersonKind): string {
  return `/sso/${companyId}/${providerId}/${PLACES[kind]}`;
}

/** Builds the path at which an admin confirms a session with a provider. */
export function buildConfirmPath(companyId: string, providerId: string): string {
  return `/sso/${companyId}/${providerId}/confirm`;
}

/** Builds the path of the page after a sign-out, which leads to the sign-out of the provider. */
export function buildSignedOutPath(companyId: string, providerId: string, kind: PersonKind): string {
  return `/sso/${companyId}/${providerId}/signed-out/${PLACES[kind]}`;
}

/** Returns whether people of a kind can or must use a provider. */
export function getUse({ admins, learners }: Pick<ProviderRow, 'admins' | 'learners'>, kind: PersonKind): Use {
  return kind === 'admin' ? admins : learners;
}

export class IdentityProviders {
  readonly #pool: pg.Pool;
  readonly #secrets: SealedSecrets;

  constructor(pool: pg.Pool, secrets: SealedSecrets) {
    this.#pool = pool;
    this.#secrets = secrets;
  }

  /**
   * Finds a provider by the ids in a path; undefined for unknown or malformed ids.
   * @throws {ApiError} `secrets_key_missing` if no key opens the client secret
   */
  async find(companyId: string, id: string, from: Origin): Promise<ProviderAccess | undefined> {
    if (!isId(companyId) || !isId(id)) return undefined;
    const reader = createTenantReader(this.#pool, companyId, NIL);
    const row = await limitUnauthenticatedLookups(from, () => reader.queryOne(byId, { id }));
    if (!row) return undefined;
    const { sealedSecret, ...provider } = row;
    return { ...provider, companyId, clientSecret: sealedSecret && this.#secrets.open(sealedSecret, id) };
  }

  /** Stores metadata that was read from a provider's URL, unless the URL has changed since. */
  async storeMetadata({ companyId, id, metadataUrl }: ProviderAccess, metadata: SamlProvider): Promise<void> {
    const changed = {
      ...{ id, metadataUrl: metadataUrl!, issuer: metadata.entityId, saml: JSON.stringify(metadata) },
      expireAt: certificatesExpireAt(metadata),
    };
    await createTenantWriter(this.#pool, companyId).mutate(storeMetadata, changed);
  }
}

/** Lists the providers that people of a kind can use, in the companies that have the domain of an e-mail address. */
export async function listProvidersByEmail(pool: pg.Pool, kind: PersonKind, email: string): Promise<OfferedProvider[]> {
  const { rows } = await pool.query<{
    company_id: string;
    company_name: string;
    id: string;
    name: string;
    admins: Use;
    learners: Use;
  }>({ ...FIND_BY_DOMAIN, values: [email.slice(email.lastIndexOf('@') + 1)] });
  return rows.flatMap((row) => {
    if (getUse(row, kind) === 'off') return [];
    const path = buildStartPath(row.company_id, row.id, kind);
    return [{ companyName: row.company_name, name: row.name, path }];
  });
}
