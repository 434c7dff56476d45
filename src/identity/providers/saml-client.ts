import { isDeepStrictEqual } from 'node:util';
import type { SamlSignIn } from '../saml/assertion-rules.ts';
import { SamlFault } from '../saml/saml-fault.ts';
import { NAME_ID_FORMATS, type SamlProvider, type SamlService } from '../saml/saml-provider.ts';
import { requestSamlSignIn } from '../saml/saml-request.ts';
import { verifySamlResponse } from '../saml/saml-response.ts';
import { isStorable } from './id-token-checks.ts';
import type { ProviderAccess } from './identity-providers.ts';
import { ProviderReads } from './provider-reads.ts';
import { RecentConfigurations } from './recent-configurations.ts';
import { readEmail, readGroups, type ReportedPerson, readText } from './reported-person.ts';
import type { SamlMetadata } from './saml-metadata.ts';
import type { SignInAttempt } from './sign-in-attempt.ts';
import { SignInFault } from './sign-in-fault.ts';

/** A SAML assertion that has identified a person. It can sign in only once until it expires. */
export interface SamlAssertion {
  id: string;
  expiresAt: Date;
}

/** Signs in with identity providers by the web browser profile of SAML 2.0. */
export class SamlClient {
  readonly #metadata: SamlMetadata;
  readonly #reads = new ProviderReads<SamlProvider>();
  /** Metadata from the last minute, used to begin sign-ins, so that many sign-ins do not burden a provider. */
  readonly #recent = new RecentConfigurations<SamlProvider>();
  readonly #store: (provider: ProviderAccess, metadata: SamlProvider) => Promise<void>;

  /** @param store stores metadata that a provider has changed */
  constructor(metadata: SamlMetadata, store: (provider: ProviderAccess, metadata: SamlProvider) => Promise<void>) {
    this.#metadata = metadata;
    this.#store = store;
  }

  /** Builds the provider's URL at which a sign-in begins. @throws {SignInFault} */
  async buildSignInUrl(
    provider: ProviderAccess,
    { state, nonce, purpose }: SignInAttempt,
    callbackUrl: string,
  ): Promise<string> {
    const options = { forceAuthn: purpose === 'confirm' };
    const metadata = await this.readRecent(provider);
    return requestSamlSignIn(metadata, toService(provider, callbackUrl), state, toRequestId(nonce), options);
  }

  /**
   * Verifies the response of a provider, and returns the person.
   * @param response the field `SAMLResponse` of the form that the provider made the browser send
   * @throws {SignInFault}
   */
  async redeem(
    provider: ProviderAccess,
    response: string,
    { attempt, callbackUrl }: { attempt: SignInAttempt; callbackUrl: string },
  ): Promise<{ reported: ReportedPerson; assertion: SamlAssertion }> {
    const metadata = await this.#readCurrent(provider);
    this.#recent.set(provider, metadata);
    try {
      const expected = {
        provider: metadata,
        service: toService(provider, callbackUrl),
        requestId: toRequestId(attempt.nonce),
        now: new Date(),
      };
      const verified = verifySamlResponse(response, expected);
      const { assertionId, expiresAt } = verified;
      return {
        reported: toReportedPerson(verified, provider.claims),
        assertion: { id: assertionId, expiresAt },
      };
    } catch (error) {
      if (!(error instanceof SamlFault)) throw error;
      const reason = error.code === 'status_refused' ? 'provider_refused' : 'response_invalid';
      throw new SignInFault(reason, { cause: error, detail: error.detail });
    }
  }

  /** Returns the metadata of a provider as of the last minute. @throws {SignInFault} */
  readRecent(provider: ProviderAccess): Promise<SamlProvider> {
    return this.#recent.get(provider, () => this.#readCurrent(provider));
  }

  /**
   * Reads the metadata at its URL, and stores it if it has changed. If it cannot be read, the stored metadata counts.
   */
  async #readCurrent(provider: ProviderAccess): Promise<SamlProvider> {
    const { saml, metadataUrl } = provider;
    if (metadataUrl === null) return saml!;
    const fetching = this.#reads.read(provider, () => this.#metadata.fetch(metadataUrl));
    const current = await fetching.catch((error: unknown) => {
      if (error instanceof SignInFault && error.reason === 'provider_unavailable') return saml!;
      throw error;
    });
    if (current.entityId !== provider.issuer) {
      const cause = new Error('The metadata has a different entity ID than the one that was tested.');
      throw new SignInFault('response_invalid', { cause });
    }
    if (!isDeepStrictEqual(current, saml)) await this.#store(provider, current);
    return current;
  }
}

/** Returns the service as a provider knows it. */
export function toService({ clientId }: Pick<ProviderAccess, 'clientId'>, callbackUrl: string): SamlService {
  const logoutUrl = new URL('logout', callbackUrl).href;
  return { entityId: clientId, assertionConsumerUrl: callbackUrl, logoutUrl };
}

/** Returns the id of a request. XML ids cannot begin with a digit. */
function toRequestId(nonce: string): string {
  return `_${nonce}`;
}

function toReportedPerson(
  { nameId, nameIdFormat, nameIdAttributes, attributes, sessionIndex, authenticatedAt, sessionExpiresAt }: SamlSignIn,
  names: ProviderAccess['claims'],
): ReportedPerson {
  if (!isStorable(nameId)) {
    const cause = new Error('The NameID has control characters.');
    throw new SignInFault('response_invalid', { cause });
  }
  const first = (name: string) => attributes.get(name)?.[0];
  const email = first(names.email) ?? (nameIdFormat === NAME_ID_FORMATS.emailAddress ? nameId : '');
  return {
    subject: nameId,
    email: readEmail(email),
    isEmailVerified: true,
    firstName: readText(first(names.firstName)),
    lastName: readText(first(names.lastName)),
    groups: readGroups(attributes.get(names.groups) ?? []),
    authTime: authenticatedAt.getTime() / 1000,
    ...(sessionIndex !== undefined && { sessionId: readText(sessionIndex) }),
    ...{ nameIdAttributes, sessionExpiresAt },
  };
}
