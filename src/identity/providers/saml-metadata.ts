import { SamlFault } from '../saml/saml-fault.ts';
import { readSamlMetadata } from '../saml/saml-metadata.ts';
import type { SamlProvider } from '../saml/saml-provider.ts';
import { fetchBounded, type ProviderRequestOptions, TIMEOUT_SECONDS } from './provider-requests.ts';
import { SignInFault } from './sign-in-fault.ts';

/** Reads the metadata of SAML providers, from documents and from URLs. */
export class SamlMetadata {
  readonly #options: ProviderRequestOptions;

  constructor(options: ProviderRequestOptions) {
    this.#options = options;
  }

  /** @throws {SamlFault} if the text is not the metadata of one provider with which people can sign in */
  parse(xml: string): SamlProvider {
    return readSamlMetadata(xml, { allowLoopback: this.#options.allowsHttp });
  }

  /** Fetches the metadata at a URL. @throws {SignInFault} `provider_unavailable`, `response_invalid` */
  async fetch(url: string): Promise<SamlProvider> {
    const { fetch, timeoutSeconds = TIMEOUT_SECONDS } = this.#options;
    const response = await fetchBounded(fetch, url, {
      headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    });
    if (response.status !== 200) {
      const cause = new Error(`The metadata URL responded with status ${response.status}.`);
      throw new SignInFault('provider_unavailable', { cause });
    }
    try {
      return this.parse(await response.text());
    } catch (error) {
      throw error instanceof SamlFault ? new SignInFault('response_invalid', { cause: error }) : error;
    }
  }
}
