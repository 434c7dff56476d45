import { deflateRawSync } from 'node:zlib';
import escapeHtml from 'escape-html';
import { ASSERTION, BINDINGS, PROTOCOL, type SamlProvider, type SamlService } from './saml-provider.ts';

/** Maximum size of a relay state in bytes (SAML Bindings, section 3.4.3). */
const MAX_RELAY_STATE = 80;
/** An XML ID in ASCII. It begins with a letter or `_`, so a bare UUID is not one. */
const ID = /^[A-Za-z_][\w.-]{15,255}$/;

/** Options of a request to sign in. */
export interface SamlRequestOptions {
  /** Whether the provider must authenticate the person again, even if it has a session. */
  forceAuthn?: boolean;
  now?: Date;
}

/**
 * Builds the URL at a provider that a browser must open to sign in.
 * @param relayState returned by the provider unchanged, next to its response
 * @param requestId a random XML ID, which the response must name
 * @throws {RangeError} if the relay state or the ID has an invalid form
 */
export function requestSamlSignIn(
  provider: SamlProvider,
  service: SamlService,
  relayState: string,
  requestId: string,
  { forceAuthn = false, now = new Date() }: SamlRequestOptions = {},
): string {
  if (Buffer.byteLength(relayState) > MAX_RELAY_STATE) throw new RangeError('relay state is longer than 80 bytes');
  if (!ID.test(requestId)) throw new RangeError('request ID must be an XML ID of 16 to 256 characters');
  const attributes = {
    ...{ 'xmlns:samlp': PROTOCOL, 'xmlns:saml': ASSERTION, ID: requestId, Version: '2.0' },
    IssueInstant: now.toISOString().replace(/\.\d+/, ''),
    Destination: provider.signInUrl,
    ...(forceAuthn && { ForceAuthn: 'true' }),
    ProtocolBinding: BINDINGS.post,
    AssertionConsumerServiceURL: service.assertionConsumerUrl,
  };
  const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  // The NameIDPolicy names no format, because AD FS and others reject a format that they are not configured for.
  const content = `<saml:Issuer>${escapeHtml(service.entityId)}</saml:Issuer><samlp:NameIDPolicy AllowCreate="true"/>`;
  const xml = `<samlp:AuthnRequest${pairs.join('')}>${content}</samlp:AuthnRequest>`;
  const query = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64'), RelayState: relayState });
  // The URLs of some providers, such as Google, have a query.
  return `${provider.signInUrl}${provider.signInUrl.includes('?') ? '&' : '?'}${query.toString()}`;
}
