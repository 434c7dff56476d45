import { quote, SamlFault } from './saml-fault.ts';
import { ASSERTION, PROTOCOL } from './saml-provider.ts';
import { type ExpectedResponse, getOnlyChild, reject, requireAttribute, requireIssuer } from './response-values.ts';
import { listChildren, type XmlElement } from './strict-xml.ts';

const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';

/**
 * Requires that a response answers the request, comes from the provider, is addressed to us, and reports success.
 * @throws {SamlFault} `status_refused` if the provider reports a failure, otherwise `response_invalid`
 */
export function requireResponse(
  response: XmlElement,
  { provider, service, requestId }: ExpectedResponse,
  isSigned: boolean,
): void {
  if (response.name !== 'Response' || response.namespace !== PROTOCOL) {
    reject('The document is not a SAML 2.0 response.');
  }
  requireAttribute(response, 'Version', '2.0', '');
  requireAttribute(response, 'InResponseTo', requestId, 'Begin the sign-in here, not at the provider.');
  const remedy = 'Correct the assertion consumer service URL at the provider.';
  requireAttribute(response, 'Destination', service.assertionConsumerUrl, remedy);
  // The profile lets unsigned responses omit their issuer.
  const hasIssuer = listChildren(response, ASSERTION, 'Issuer').length > 0;
  if (hasIssuer || isSigned) requireIssuer(response, provider);
  requireSuccess(response);
}

function requireSuccess(response: XmlElement): void {
  const status = getOnlyChild(response, PROTOCOL, 'Status');
  const code = getOnlyChild(status, PROTOCOL, 'StatusCode');
  const values = [code, ...listChildren(code, PROTOCOL, 'StatusCode')].map((one) => one.attributes.get('Value') ?? '');
  if (values[0] === `${STATUS}Success`) return;
  const names = values.map((value) => quote(value.startsWith(STATUS) ? value.slice(STATUS.length) : value));
  const message = listChildren(status, PROTOCOL, 'StatusMessage')[0]?.text.trim();
  const reported = message ? ` Its message: ${quote(message)}` : '';
  throw new SamlFault(
    'status_refused',
    `The provider refused the sign-in with the status ${names.join(', ')}.${reported}`,
  );
}
