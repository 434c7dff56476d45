import { randomBytes } from 'node:crypto';
import { type EndedSignIn, writeLogoutRequest, writeLogoutResponse } from '../saml/logout-messages.ts';
import {
  type ExpectedLogout,
  readLogoutRequest,
  readLogoutResponse,
  type SamlLogoutRequest,
} from '../saml/logout-rules.ts';
import { type Delivery, receiveMessage } from '../saml/received-message.ts';
import { SamlFault } from '../saml/saml-fault.ts';
import { type Sending, type SentMessage, signMessage } from '../saml/sent-message.ts';
import { readSigningKeys } from '../saml/signing-certificates.ts';
import type { ProviderAccess } from './identity-providers.ts';
import { type SamlClient, toService } from './saml-client.ts';
import type { SamlSigningKeys } from './saml-signing-keys.ts';
import { SignInFault } from './sign-in-fault.ts';

/**
 * A message from a provider about a sign-out: a verified request, or a response that the browser must have asked for.
 */
export type LogoutMessage =
  | { type: 'request'; request: SamlLogoutRequest; relayState: string | undefined }
  /**
   * `read` reports whether the provider has ended all sign-ins. It throws a {SignInFault} if the response answers
   * another request.
   */
  | { type: 'response'; read: (requestId: string) => boolean };

/** Maximum length of a relay state that is sent back. SAML allows 80 bytes; some providers send more. */
const MAX_RELAY_STATE = 1000;

/** Exchanges sign-outs with SAML providers. */
export class SamlLogout {
  readonly #client: SamlClient;
  readonly #keys: SamlSigningKeys;

  constructor(client: SamlClient, keys: SamlSigningKeys) {
    this.#client = client;
    this.#keys = keys;
  }

  /**
   * Builds the request by which a person signs out of a provider; undefined if the provider has no single logout service.
   * @throws {SignInFault} if the metadata cannot be used
   */
  async request(
    provider: ProviderAccess,
    { requestId: id, ...ended }: EndedSignIn & { requestId: string },
    callbackUrl: string,
  ): Promise<Sending | undefined> {
    return this.#send(provider, 'SAMLRequest', (destination) => {
      return { id, xml: writeLogoutRequest(toService(provider, callbackUrl), ended, { id, destination }) };
    });
  }

  /** Builds the response to a request; undefined if the provider has no single logout service. @throws {SignInFault} */
  async respond(
    provider: ProviderAccess,
    { request, relayState = '' }: Extract<LogoutMessage, { type: 'request' }>,
    callbackUrl: string,
  ): Promise<Sending | undefined> {
    const id = `_${randomBytes(20).toString('hex')}`;
    const sentBack = relayState !== '' && relayState.length <= MAX_RELAY_STATE ? { relayState } : {};
    return this.#send(provider, 'SAMLResponse', (destination) => {
      const ids = { id, inResponseTo: request.id, destination };
      return { id, ...sentBack, xml: writeLogoutResponse(toService(provider, callbackUrl), ids) };
    });
  }

  async #send(
    provider: ProviderAccess,
    parameter: SentMessage['parameter'],
    write: (destination: string) => Omit<SentMessage, 'parameter'>,
  ): Promise<Sending | undefined> {
    const { logout } = await this.#client.readRecent(provider);
    const key = logout && (await this.#keys.find(provider));
    if (!logout || !key) return undefined;
    const { binding, url, responseUrl = url } = logout;
    const address = parameter === 'SAMLRequest' ? url : responseUrl;
    return signMessage({ parameter, ...write(address) }, { binding, url: address }, key);
  }

  /** Reads a message from a provider. @throws {SignInFault} `response_invalid`, `provider_unavailable` */
  async read(provider: ProviderAccess, delivery: Delivery, callbackUrl: string): Promise<LogoutMessage> {
    const message = convertFaults(() => receiveMessage(delivery));
    const metadata = await this.#client.readRecent(provider);
    const expected: ExpectedLogout = {
      provider: metadata,
      service: toService(provider, callbackUrl),
      now: new Date(),
    };
    const { parameter, relayState, unverified, verify } = message;
    if (parameter === 'SAMLResponse') {
      const read = (id: string) => convertFaults(() => readLogoutResponse(unverified, id, expected));
      return { type: 'response', read };
    }
    const request = convertFaults(() => readLogoutRequest(verify(readSigningKeys(metadata)), expected));
    return { type: 'request', request, relayState };
  }
}

function convertFaults<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof SamlFault)) throw error;
    throw new SignInFault('response_invalid', { cause: error, detail: error.detail });
  }
}
