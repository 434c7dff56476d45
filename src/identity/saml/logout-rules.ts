// Single logout of SAML 2.0, in the two bindings that browsers carry.
//
//   - A provider ends sessions here: it sends the browser with a signed LogoutRequest to our single logout service. The
//     request names a person, and often the sessions of that person. We end them, and send the browser back with a signed
//     LogoutResponse. The request is accepted only if a certificate of the provider's metadata has signed it, and if it
//     is issued by the provider, addressed to us, and current. The caller stores its ID, so that it works once.
//   - A person signs out here: the page after the sign-out leads to the provider with a signed LogoutRequest, which names
//     the person and the session as the provider has reported them. The provider sends the browser back with a
//     LogoutResponse. It is accepted only in the browser that has made the request. Its signature is not checked, because
//     it changes nothing: the session here has ended before, and only the provider and this browser know the ID of the
//     request.
//
// A message never decides where a browser is sent: responses go to the URL in the metadata.
import { isStorable } from '../providers/id-token-checks.ts';
import {
  getOnlyChild,
  readText,
  readTime,
  reject,
  requireAttribute,
  requireIssuer,
  requireNotFuture,
  requireNotPast,
  requireTime,
} from './response-values.ts';
import { ASSERTION, PROTOCOL, type SamlProvider, type SamlService } from './saml-provider.ts';
import { listChildren, type XmlElement } from './strict-xml.ts';

/** The facts that a message about a sign-out must match. */
export interface ExpectedLogout {
  provider: SamlProvider;
  service: SamlService;
  now: Date;
}

/** A request of a provider to end sessions. */
export interface SamlLogoutRequest {
  id: string;
  nameId: string;
  /** The sessions to end; empty to end all of the person with the provider. */
  sessionIndexes: string[];
  issuedAt: Date;
  /** Time after which the request is no longer accepted, so that its ID need not be remembered. */
  expiresAt: Date;
}

const ID = /^[\w.-]{1,256}$/;
const MAX_AGE_MS = 300_000;
const MAX_SESSIONS = 100;
const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
const REMEDY = 'Correct the URL of the single logout service at the provider.';

/**
 * Reads a verified request.
 * @throws {SamlFault} `response_expired` if the request is too old or from the future, otherwise `response_invalid`
 */
export function readLogoutRequest(request: XmlElement, expected: ExpectedLogout): SamlLogoutRequest {
  requireMessage(request, 'LogoutRequest', expected);
  requireAttribute(request, 'Destination', expected.service.logoutUrl, REMEDY);
  const id = request.attributes.get('ID') ?? '';
  if (!ID.test(id)) reject('The LogoutRequest has no valid ID.');
  const issuedAt = requireTime(request, 'IssueInstant');
  requireNotFuture(issuedAt, expected.now, 'The IssueInstant of the LogoutRequest');
  const end = Math.min(issuedAt + MAX_AGE_MS, readTime(request, 'NotOnOrAfter') ?? Infinity);
  requireNotPast(end, expected.now, 'The period of the LogoutRequest');
  const indexes = listChildren(request, PROTOCOL, 'SessionIndex');
  if (indexes.length > MAX_SESSIONS) reject(`The LogoutRequest names more than ${MAX_SESSIONS} sessions.`);
  const sessionIndexes = indexes.map(readText);
  if (!sessionIndexes.every(isStorable)) reject('A SessionIndex contains control characters.');
  return {
    ...{ id, nameId: readNameId(request), sessionIndexes },
    ...{ issuedAt: new Date(issuedAt), expiresAt: new Date(end) },
  };
}

/**
 * Reads a response to a request.
 * @returns whether the provider has ended all sign-ins
 * @throws {SamlFault} `response_invalid` if the response answers another request, or comes from another provider
 */
export function readLogoutResponse(response: XmlElement, requestId: string, expected: ExpectedLogout): boolean {
  requireMessage(response, 'LogoutResponse', expected);
  requireAttribute(response, 'InResponseTo', requestId, 'Sign out here again.');
  if (response.attributes.has('Destination'))
    requireAttribute(response, 'Destination', expected.service.logoutUrl, REMEDY);
  const code = getOnlyChild(getOnlyChild(response, PROTOCOL, 'Status'), PROTOCOL, 'StatusCode');
  // A second code says that only some of the sign-ins have ended.
  const isWhole = listChildren(code, PROTOCOL, 'StatusCode').length === 0;
  return code.attributes.get('Value') === `${STATUS}Success` && isWhole;
}

function requireMessage(message: XmlElement, name: string, { provider }: ExpectedLogout): void {
  if (message.name !== name || message.namespace !== PROTOCOL) reject(`The document is not a ${name} of SAML 2.0.`);
  requireAttribute(message, 'Version', '2.0', '');
  requireIssuer(message, provider);
}

function readNameId(request: XmlElement): string {
  if (listChildren(request, ASSERTION, 'EncryptedID').length > 0)
    reject('The NameID is encrypted. Switch off the encryption of NameIDs at the provider.');
  const nameId = readText(getOnlyChild(request, ASSERTION, 'NameID'));
  if (nameId === '') reject('The NameID is empty.');
  if (!isStorable(nameId)) reject('The NameID contains control characters.');
  return nameId;
}
