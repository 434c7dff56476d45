import type { Config } from '../../config/config.ts';
import type { IdentityProviders, ProviderAccess } from '../../identity/providers/identity-providers.ts';
import type { SignOut } from '../../identity/providers/logout-token.ts';
import { OidcClient } from '../../identity/providers/oidc-client.ts';
import { toProviderRequestOptions } from '../../identity/providers/provider-requests.ts';
import type { ReportedPerson } from '../../identity/providers/reported-person.ts';
import { type SamlAssertion, SamlClient } from '../../identity/providers/saml-client.ts';
import { SamlLogout } from '../../identity/providers/saml-logout.ts';
import { SamlMetadata } from '../../identity/providers/saml-metadata.ts';
import type { SamlSigningKeys } from '../../identity/providers/saml-signing-keys.ts';
import type { SignInAttempt } from '../../identity/providers/sign-in-attempt.ts';
import { SignInFault } from '../../identity/providers/sign-in-fault.ts';
import type { Sending } from '../../identity/saml/sent-message.ts';
import type { SignedOut } from '../shared/signed-out-cookie.ts';

/** A provider's response: the URL to which the provider has sent the browser, or a SAML form. */
export type Callback = { url: URL } | { samlResponse: string };

/** A person whom a provider has identified, by an assertion that could be sent again, or by a code that cannot. */
export interface Redeemed {
  reported: ReportedPerson;
  assertion?: SamlAssertion;
}

/** Signs in with providers of both protocols. */
export class ProviderClients {
  readonly samlLogout: SamlLogout;
  readonly #oidc: OidcClient;
  readonly #saml: SamlClient;

  constructor(config: Pick<Config, 'webhooks'>, providers: IdentityProviders, keys: SamlSigningKeys) {
    const options = toProviderRequestOptions(config);
    this.#oidc = new OidcClient(options);
    this.#saml = new SamlClient(new SamlMetadata(options), (...changed) => providers.storeMetadata(...changed));
    this.samlLogout = new SamlLogout(this.#saml, keys);
  }

  /** Builds the provider's URL at which a sign-in begins. @throws {SignInFault} */
  async buildSignInUrl(
    provider: ProviderAccess,
    attempt: SignInAttempt,
    urls: { callbackUrl: string; loginHint: string },
  ): Promise<string> {
    if (provider.protocol === 'saml') return this.#saml.buildSignInUrl(provider, attempt, urls.callbackUrl);
    return this.#oidc.buildSignInUrl(provider, attempt, urls);
  }

  /** Verifies a logout token. @throws {SignInFault} `response_invalid` also for a provider without logout tokens */
  async readLogoutToken(provider: ProviderAccess, token: string): Promise<SignOut> {
    if (provider.protocol === 'saml') throw new SignInFault('response_invalid');
    return this.#oidc.readLogoutToken(provider, token);
  }

  /**
   * Returns the request that signs a person out of a provider after they have signed out here; undefined if the
   * provider does not support sign-out, or does not respond.
   */
  async findSignOut(
    provider: ProviderAccess,
    { signedOut, callbackUrl }: { signedOut: SignedOut | undefined; callbackUrl: string },
  ): Promise<Sending | undefined> {
    try {
      if (provider.protocol === 'saml')
        return signedOut && (await this.samlLogout.request(provider, signedOut, callbackUrl));
      const url = await this.#oidc.findSignOutUrl(provider);
      return url === undefined ? undefined : { url };
    } catch (error) {
      if (error instanceof SignInFault) return undefined;
      throw error;
    }
  }

  /** Verifies a provider's response, and returns the person. @throws {SignInFault} */
  async redeem(
    provider: ProviderAccess,
    callback: Callback,
    context: { attempt: SignInAttempt; callbackUrl: string },
  ): Promise<Redeemed> {
    const isSaml = provider.protocol === 'saml';
    if ('url' in callback && !isSaml)
      return { reported: await this.#oidc.redeem(provider, callback.url, context.attempt) };
    if ('samlResponse' in callback && isSaml) return this.#saml.redeem(provider, callback.samlResponse, context);
    throw new SignInFault('response_invalid', { cause: new Error('The response belongs to another protocol.') });
  }
}
