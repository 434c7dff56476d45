// SAML 2.0: how people sign in with the identity providers of companies that have no OpenID Connect.
//
// This service is a service provider of the Web Browser SSO profile, in one form only:
//
//   1. The company's owner uploads the provider's metadata (saml-metadata.ts), and gives ours to the provider.
//   2. A sign-in sends the browser to the provider with an unsigned request whose ID is random (saml-request.ts;
//      HTTP-Redirect binding). The caller keeps the ID in the browser that began the sign-in.
//   3. The provider makes the browser post a response. `verifySamlResponse` decides whether it proves who the person is.
//
// A response must be:
// - XML of the strict form that strict-xml.ts reads, in at most 200 KB. Its limits keep documents from holding the event
//   loop: the slowest that tests/rules/saml-limits.test.ts builds takes 43 ms of processor time if the provider has
//   signed it, and 19 ms otherwise (Node 24, two cores).
// - An answer to the request, by `InResponseTo` of both the response and the confirmation of the subject. Nobody can sign
//   in with a response that no request asked for, so no other site can sign visitors in to an account of its choice.
// - Addressed to us, by destination, recipient and audience; issued by the provider; and current, with two minutes for
//   the difference between the clocks.
// - Signed: the response, its only assertion, or both (signed-parts.ts). Values are read only from signed bytes. If
//   only the assertion is signed, the status and destination of the response are checked, but prove nothing. The
//   assertion repeats everything that matters.
//
// The certificates of the provider are trusted as keys: their names, issuers and dates are not checked, as the SAML
// metadata interoperability profile requires. Providers often keep signing with expired certificates, and a company
// would lose its sign-in at midnight. `certificatesExpireAt` is there for reminders.
//
// The caller must:
// - Store `assertionId` with the provider until `expiresAt`, and reject an assertion whose id is stored (replay).
// - Treat `nameId` as the person's id only within the provider. The verification rejects transient NameIDs, because
//   each sign-in would then be a new person.
//
// Rejected: encrypted assertions, responses by artifact or redirect, responses without a request, signatures with
// SHA-1. For sign-outs, see logout-rules.ts.
import { readAssertion, type SamlSignIn } from './assertion-rules.ts';
import { requireResponse } from './response-rules.ts';
import { type ExpectedResponse, reject } from './response-values.ts';
import { readSignedParts, RESPONSE_LIMITS } from './signed-parts.ts';
import { readSigningKeys } from './signing-certificates.ts';
import { parseStrictXml } from './strict-xml.ts';

/** Maximum size of a response in bytes. An assertion with a thousand groups has about 100 KB. */
const MAX_RESPONSE_BYTES = 200_000;

/**
 * Verifies a response that a browser has posted.
 * @param base64 the form field `SAMLResponse`
 * @throws {SamlFault} `response_invalid`, `response_expired` or `status_refused`
 */
export function verifySamlResponse(base64: string, expected: ExpectedResponse): SamlSignIn {
  const text = decodeResponse(base64);
  const posted = parseStrictXml(text, RESPONSE_LIMITS);
  // Checked before the signature, because providers often do not sign responses that report a failure.
  requireResponse(posted, expected, false);
  const { response, assertion } = readSignedParts(text, posted, readSigningKeys(expected.provider));
  if (response) requireResponse(response, expected, true);
  return readAssertion(assertion, expected);
}

/** Decodes base64 of UTF-8. Accepts line breaks, because some providers insert them. */
function decodeResponse(base64: string): string {
  if (base64.length > 2 * MAX_RESPONSE_BYTES) reject(TOO_LARGE);
  const encoded = base64.replace(/[\t\n\r ]+/g, '');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > MAX_RESPONSE_BYTES) reject(TOO_LARGE);
  if (bytes.length === 0 || bytes.toString('base64') !== encoded) reject('The response is not valid base64.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return reject('The response is not valid UTF-8.');
  }
}

const TOO_LARGE = `The response is larger than ${MAX_RESPONSE_BYTES / 1000} KB. Send fewer groups or attributes.`;
