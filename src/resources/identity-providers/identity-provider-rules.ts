import type { Schemas } from '../../contract/contract.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import type { IdentityProvider, ProtocolFields, StoredProvider } from './identity-provider-repository.ts';

const MAX_PROVIDERS = 5;

/** Requires that the company can create another provider. @throws invalid_request */
export function requirePlace(providers: number): void {
  if (providers < MAX_PROVIDERS) return;
  throw invalidField('body', `would exceed the company's maximum of ${MAX_PROVIDERS} identity providers`);
}

const WS_CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

/** Claims of new providers. For SAML, these are the names that Entra ID and AD FS use. */
export const DEFAULT_CLAIMS = {
  oidc: { email: 'email', firstName: 'given_name', lastName: 'family_name', groups: 'groups' },
  saml: {
    email: `${WS_CLAIMS}/emailaddress`,
    firstName: `${WS_CLAIMS}/givenname`,
    lastName: `${WS_CLAIMS}/surname`,
    groups: 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  },
} as const satisfies Record<string, Schemas['IdentityClaims']>;

/** Protocol fields before any is set. A new provider always gets its issuer. */
export const NO_PROTOCOL_FIELDS: Omit<ProtocolFields, 'clientId'> = {
  ...{ issuer: '', sealedSecret: null, saml: null, metadataUrl: null, certificatesExpireAt: null },
};

/** Returns the claims after a change. */
export function changeClaims(
  before: Schemas['IdentityClaims'],
  sent: Schemas['IdentityClaimsInput'] = {},
): Schemas['IdentityClaims'] {
  const {
    email = before.email,
    firstName = before.firstName,
    lastName = before.lastName,
    groups = before.groups,
  } = sent;
  return { email, firstName, lastName, groups };
}

/** Returns a provider after changes to the fields that all protocols share, except for `roles`. */
export function applyChanges<Provider extends StoredProvider>(
  before: Provider,
  body: Schemas['UpdateIdentityProviderInput'],
): Provider {
  const {
    name = before.name,
    createsLearners = before.createsLearners,
    admins = before.admins,
    learners = before.learners,
  } = body;
  return { ...before, name, createsLearners, admins, learners, claims: changeClaims(before.claims, body.claims) };
}

type Sent = Schemas['RoleOfGroupInput'];

/**
 * Returns the roles that groups give, in the form in which they are stored.
 * @throws invalid_request for an entry without exactly one role
 */
export function readRolesOfGroups(sent: readonly Sent[]): Schemas['RoleOfGroup'][] {
  return sent.map(({ group, role, roleId }, index) => {
    const field = `body/roles/${index}`;
    if (role !== undefined && roleId !== undefined)
      throw invalidField(`${field}/roleId`, 'cannot be combined with `role`');
    if (role === undefined && roleId === undefined) throw invalidField(`${field}/role`, 'is required');
    return { group, role: role ?? 'custom', roleId: roleId ?? null };
  });
}

const isOn = ({ admins, learners }: Pick<StoredProvider, 'admins' | 'learners'>) =>
  admins !== 'off' || learners !== 'off';

/**
 * Returns the time of the last test sign-in that still counts after a change; null if there is none. A change to
 * `issuer` or `clientId` makes earlier tests obsolete.
 * @throws identity_provider_in_use, identity_provider_untested
 */
export function judgeTest(before: StoredProvider, after: Omit<StoredProvider, 'testedAt'>): string | null {
  const isOther = after.issuer !== before.issuer || after.clientId !== before.clientId;
  if (isOther && isOn(before)) {
    throw new ApiError(
      'identity_provider_in_use',
      'The identity provider is switched on; switch it off before you change `issuer` or `clientId`.',
    );
  }
  const testedAt = isOther ? null : before.testedAt;
  if (testedAt !== null || !isOn(after)) return testedAt;
  throw new ApiError(
    'identity_provider_untested',
    'Nobody has completed a test sign-in with this identity provider; complete one in the console first.',
  );
}

/** Builds the entity ID of this service at a SAML provider, which is also the URL of the service's metadata. */
export function buildEntityId(publicUrl: string, companyId: string, id: string): string {
  return `${publicUrl}/sso/${companyId}/${id}/metadata`;
}

/** Adds the URLs of a provider. @param publicUrl public URL of the service, without a trailing slash */
export function withAddresses(provider: StoredProvider, companyId: string, publicUrl: string): IdentityProvider {
  const base = `${publicUrl}/sso/${companyId}/${provider.id}`;
  return { ...provider, callbackUrl: `${base}/callback`, consoleUrl: `${base}/console`, learnUrl: `${base}/learn` };
}
