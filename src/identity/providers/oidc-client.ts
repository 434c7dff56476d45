import * as openid from 'openid-client';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { isAcceptable } from './id-token-checks.ts';
import type { ProviderAccess } from './identity-providers.ts';
import { type SignOut, verifyLogoutToken } from './logout-token.ts';
import { fetchBounded, type ProviderRequestOptions, TIMEOUT_SECONDS } from './provider-requests.ts';
import { ProviderReads } from './provider-reads.ts';
import { RecentConfigurations } from './recent-configurations.ts';
import { readEmail, readGroups, type ReportedPerson, readText } from './reported-person.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';
import { SignInFault } from './sign-in-fault.ts';

/** Signs in with identity providers by the code flow of OpenID Connect. */
export class OidcClient {
  readonly #options: ProviderRequestOptions;
  /** Configurations from the last minute, used to begin sign-ins, so that many sign-ins do not burden a provider. */
  readonly #recent = new RecentConfigurations<openid.Configuration>();
  readonly #reads = new ProviderReads<openid.Configuration>();
  /** The keys that sign logout tokens. */
  readonly #keys = new WeakMap<openid.Configuration, JWTVerifyGetKey>();

  constructor(options: ProviderRequestOptions) {
    this.#options = options;
  }

  /**
   * Builds the provider's URL at which a sign-in begins.
   * @param loginHint the e-mail address that the person has entered; empty if there is none
   * @throws {SignInFault} if the provider does not respond as it should
   */
  async buildSignInUrl(
    provider: ProviderAccess,
    { state, nonce, codeVerifier, purpose }: SignInAttempt,
    { callbackUrl, loginHint }: { callbackUrl: string; loginHint: string },
  ): Promise<string> {
    const config = await this.#recent.get(provider, () => this.#discover(provider));
    const { scopes_supported: scopes } = config.serverMetadata();
    const hasGroups = Array.isArray(scopes) && scopes.includes('groups');
    const parameters = {
      redirect_uri: callbackUrl,
      scope: ['openid', 'email', 'profile', ...(hasGroups ? ['groups'] : [])].join(' '),
      ...{ state, nonce },
      code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      ...(loginHint !== '' && { login_hint: loginHint }),
      // Providers support one of the two, or both.
      ...(purpose === 'confirm' && { prompt: 'login', max_age: '0' }),
    };
    try {
      return openid.buildAuthorizationUrl(config, parameters).href;
    } catch (error) {
      throw toFault(error);
    }
  }

  /**
   * Exchanges the code of a callback for the person.
   * @param callback the URL to which the provider has sent the browser
   * @throws {SignInFault}
   */
  async redeem(provider: ProviderAccess, callback: URL, attempt: SignInAttempt): Promise<ReportedPerson> {
    const { state, nonce, codeVerifier } = attempt;
    const config = await this.#discover(provider);
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    };
    try {
      const tokens = await openid.authorizationCodeGrant(config, callback, checks);
      const { sub, ...claims } = tokens.claims()!;
      const context = {
        ...{ clientId: provider.clientId, accessToken: tokens.access_token },
        code: callback.searchParams.get('code')!,
      };
      if (!isAcceptable({ text: tokens.id_token!, claims: { sub, ...claims } }, context))
        throw invalid('azp, iat, at_hash, c_hash or sub of the ID token');
      const needsMore = [provider.claims.email, provider.claims.groups].some((name) => claims[name] === undefined);
      const more =
        needsMore && config.serverMetadata().userinfo_endpoint
          ? await openid.fetchUserInfo(config, tokens.access_token, sub)
          : {};
      const person = toReportedPerson(sub, { ...more, ...claims }, provider.claims);
      return {
        ...person,
        authTime: typeof claims.auth_time === 'number' ? claims.auth_time : undefined,
        ...(readText(claims.sid) !== '' && { sessionId: readText(claims.sid) }),
      };
    } catch (error) {
      throw toFault(error);
    }
  }

  /**
   * Verifies a logout token, with which a provider reports that a person has signed out there.
   * @throws {SignInFault}
   */
  async readLogoutToken(provider: ProviderAccess, token: string): Promise<SignOut> {
    const config = await this.#recent.get(provider, () => this.#discover(provider));
    const { issuer } = config.serverMetadata();
    return verifyLogoutToken(token, { clientId: provider.clientId, issuer, findKey: this.#openKeys(provider, config) });
  }

  /**
   * Returns a function that finds the key of a token. It keeps the keys as long as the configuration, and reads them
   * again for an unknown key at most twice a minute, so that made-up tokens do not burden a provider.
   */
  #openKeys(provider: ProviderAccess, config: openid.Configuration): JWTVerifyGetKey {
    const kept = this.#keys.get(config);
    if (kept) return kept;
    const { jwks_uri: url = '' } = config.serverMetadata();
    const isAllowed = URL.canParse(url) && (url.startsWith('https:') || this.#isPlain(provider));
    if (!isAllowed) throw invalid('jwks_uri of the configuration');
    const { fetch, timeoutSeconds = TIMEOUT_SECONDS } = this.#options;
    const findKey = createRemoteJWKSet(new URL(url), {
      timeoutDuration: timeoutSeconds * 1000,
      [customFetch]: async (address, init) => {
        const response = await fetchBounded(fetch, address, init);
        if (response.status === 200) return response;
        const cause = new Error(`The URL of the keys responded with status ${response.status}.`);
        throw new SignInFault('provider_unavailable', { cause });
      },
    });
    this.#keys.set(config, findKey);
    return findKey;
  }

  /** Reports whether a provider can use http. */
  #isPlain({ issuer }: ProviderAccess): boolean {
    return this.#options.allowsHttp && issuer.startsWith('http:');
  }

  /** Returns the URL at which people sign out of a provider; undefined if it has none. @throws {SignInFault} */
  async findSignOutUrl(provider: ProviderAccess): Promise<string | undefined> {
    const config = await this.#recent.get(provider, () => this.#discover(provider));
    const { end_session_endpoint: endpoint } = config.serverMetadata();
    if (endpoint === undefined || !URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
      return undefined;
    return openid.buildEndSessionUrl(config).href;
  }

  /** Reads the configuration of a provider. It is read to complete each sign-in, so that new keys apply at once. */
  #discover(provider: ProviderAccess): Promise<openid.Configuration> {
    return this.#reads.read(provider, () => this.#fetchConfiguration(provider));
  }

  async #fetchConfiguration(provider: ProviderAccess): Promise<openid.Configuration> {
    const { issuer, clientId, clientSecret } = provider;
    const { fetch, timeoutSeconds = TIMEOUT_SECONDS } = this.#options;
    const bounded: openid.CustomFetch = (url, { body, ...init }) =>
      fetchBounded(fetch, url, { ...init, body: body as string | URLSearchParams | null });
    try {
      const config = await openid.discovery(
        new URL(issuer),
        clientId,
        {},
        clientSecret === null ? openid.None() : authenticateBy(clientSecret),
        {
          timeout: timeoutSeconds,
          [openid.customFetch]: bounded,
          // Signatures of ID tokens are checked, although the tokens come directly from the provider over TLS.
          execute: [
            openid.enableNonRepudiationChecks,
            ...(this.#isPlain(provider) ? [openid.allowInsecureRequests] : []),
          ],
        },
      );
      // Microsoft's configuration for any tenant has the placeholder `{tenantid}`. Everybody can create a tenant, and
      // Microsoft does not verify a tenant's e-mail addresses.
      if (config.serverMetadata().issuer.includes('{')) throw invalid('issuer with a placeholder');
      return config;
    } catch (error) {
      throw toFault(error);
    }
  }
}

/**
 * Authenticates in the way that the provider supports: in the header, or in the body if the provider supports only
 * that.
 */
function authenticateBy(secret: string): openid.ClientAuth {
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods } = server;
    const isPost = Array.isArray(methods) && !methods.includes('client_secret_basic');
    return (isPost ? post : basic)(server, ...rest);
  };
}

/** Creates the fault of a response that fails a check of our own. */
function invalid(check: string): SignInFault {
  return new SignInFault('response_invalid', { cause: new Error(`The response fails a check: ${check}.`) });
}

/** Converts an error of the library, which wraps the faults of requests. */
function toFault(error: unknown): SignInFault {
  if (error instanceof SignInFault) return error;
  if (error instanceof openid.AuthorizationResponseError) return new SignInFault('provider_refused', { cause: error });
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof SignInFault ? cause : new SignInFault('response_invalid', { cause: error });
}

type Claims = Record<string, unknown>;

function toReportedPerson(subject: string, claims: Claims, names: ProviderAccess['claims']): ReportedPerson {
  const [firstName, lastName] = [readText(claims[names.firstName]), readText(claims[names.lastName])];
  const full = readText(claims.name).split(/\s+/);
  return {
    subject,
    email: readEmail(claims[names.email]),
    // The claim `email_verified` is about `email` only.
    isEmailVerified:
      names.email !== 'email' || [undefined, null, true, 'true'].includes(claims.email_verified as string),
    firstName: firstName || full.slice(0, -1).join(' '),
    lastName: lastName || full.at(-1)!,
    groups: readGroups([claims[names.groups]].flat()),
  };
}
