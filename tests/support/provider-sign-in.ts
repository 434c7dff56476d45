import type { ProviderAccess } from '../../src/identity/providers/identity-providers.ts';
import { OidcClient } from '../../src/identity/providers/oidc-client.ts';
import type { ReportedPerson } from '../../src/identity/providers/reported-person.ts';
import { beginAttempt } from '../../src/identity/providers/sign-in-attempt.ts';
import { SignInFault } from '../../src/identity/providers/sign-in-fault.ts';
import { createConnector } from '../../src/outbound/connector.ts';
import { createFetch, type Fetch } from '../../src/outbound/fetch.ts';
import { Authority, type ServerCertificate } from './certificates.ts';
import { ScriptedProvider } from './scripted-provider.ts';

const CALLBACK = 'https://awareness.example.org/sso/company/provider/callback';
const ADDRESS = '127.0.0.1';
/** Short for requests that must time out, long for the others even on a busy machine. */
const SECONDS = { short: 0.3, long: 20 };

export interface TestProvider {
  provider: ScriptedProvider;
  authority: Authority;
  certificate: ServerCertificate;
}

/** Starts a provider whose certificate comes from an authority of the tests. */
export async function startProvider(): Promise<TestProvider> {
  const authority = await Authority.create();
  const certificate = await authority.certify({ type: 'ip', value: ADDRESS });
  const provider = new ScriptedProvider(certificate);
  await provider.start();
  return { provider, authority, certificate };
}

export interface SignInOptions {
  access?: Partial<ProviderAccess>;
  isImpatient?: boolean;
  /** Wraps the fetch of the client. */
  wrap?: (fetch: Fetch) => Fetch;
  /** Runs after the browser has been sent to the provider. */
  meanwhile?: () => void;
}

/**
 * Creates a client with the connector of production. The provider's is the only private address that it allows.
 */
export function createClient(
  authority: Authority,
  { isImpatient = false, wrap = (fetch) => fetch }: Pick<SignInOptions, 'isImpatient' | 'wrap'> = {},
): OidcClient {
  const fetch = createFetch(createConnector({ allowedNetworks: [ADDRESS], ca: authority.pem }));
  const timeoutSeconds = isImpatient ? SECONDS.short : SECONDS.long;
  return new OidcClient({ fetch: wrap(fetch), allowsHttp: false, timeoutSeconds });
}

/** Returns a test provider as the service knows it. @param access the fields that differ */
export function toAccess({ issuer }: ScriptedProvider, access: Partial<ProviderAccess> = {}): ProviderAccess {
  return {
    ...{ id: 'provider', companyId: 'company', name: 'Provider', companyName: 'Company', issuer },
    ...{ clientId: 'awareness', clientSecret: 'the-secret-of-the-client', roles: [], createsLearners: false },
    ...{ admins: 'off', learners: 'optional', protocol: 'oidc', saml: null, metadataUrl: null },
    claims: { email: 'email', firstName: 'given_name', lastName: 'family_name', groups: 'groups' },
    ...access,
  };
}

/** Signs in as the service does. */
export async function signIn(
  { provider, authority }: TestProvider,
  { access, isImpatient = false, wrap = (fetch) => fetch, meanwhile = () => undefined }: SignInOptions = {},
): Promise<ReportedPerson> {
  const client = createClient(authority, { isImpatient, wrap });
  const attempt = beginAttempt('provider', 'learner');
  const all = toAccess(provider, access);
  const url = await client.buildSignInUrl(all, attempt, { callbackUrl: CALLBACK, loginHint: '' });
  meanwhile();
  return client.redeem(all, provider.authorize(url), attempt);
}

/** Returns the fault of a sign-in that must fail. Any other error fails the test. */
export async function failToSignIn(...args: Parameters<typeof signIn>): Promise<SignInFault> {
  const outcome = await signIn(...args).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(SignInFault);
  return outcome as SignInFault;
}
