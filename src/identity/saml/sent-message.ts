import { hash, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { writeElement } from './canonical-xml.ts';
import { type SamlLogoutService, XML_SIGNATURE } from './saml-provider.ts';
import { ENVELOPED_SIGNATURE, EXCLUSIVE_C14N, RSA_SHA256, SHA256 } from './signature-algorithms.ts';
import type { SamlSigningKey } from './signing-key.ts';

/** A message to a provider. */
export interface SentMessage {
  parameter: 'SAMLRequest' | 'SAMLResponse';
  /** The document in canonical form, without a signature. */
  xml: string;
  /** The ID of the document's root. */
  id: string;
  relayState?: string | undefined;
}

/** Method by which a browser takes a message to a provider: opening a URL, or submitting a form. */
export type Sending = { url: string } | { action: string; fields: Readonly<Record<string, string>> };

/** Signs a message, and returns how a browser takes it to the provider. */
export function signMessage(
  message: SentMessage,
  { binding, url }: Pick<SamlLogoutService, 'binding' | 'url'>,
  key: SamlSigningKey,
): Sending {
  return binding === 'redirect' ? { url: signAddress(message, url, key) } : signForm(message, url, key);
}

/** Signs a message of the HTTP-Redirect binding, whose signature covers the query as it is written. */
function signAddress({ parameter, xml, relayState }: SentMessage, url: string, { privateKey }: SamlSigningKey): string {
  const pairs: [name: string, value: string][] = [
    [parameter, deflateRawSync(xml).toString('base64')],
    ...(relayState === undefined ? [] : [['RelayState', relayState] as [string, string]]),
    ['SigAlg', RSA_SHA256],
  ];
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  const signature = sign('sha256', Buffer.from(query), privateKey).toString('base64');
  return `${url}${url.includes('?') ? '&' : '?'}${query}&Signature=${encodeURIComponent(signature)}`;
}

/** Signs a message of the HTTP-POST binding, whose document contains the signature, after the issuer. */
function signForm({ parameter, xml, id, relayState }: SentMessage, action: string, key: SamlSigningKey): Sending {
  const issuerEnd = '</saml:Issuer>';
  const signed = xml.replace(issuerEnd, () => issuerEnd + buildSignature(xml, id, key));
  const fields = { [parameter]: Buffer.from(signed).toString('base64') };
  return { action, fields: { ...fields, ...(relayState !== undefined && { RelayState: relayState }) } };
}

/** Builds the enveloped signature of a document in canonical form. */
function buildSignature(xml: string, id: string, { privateKey, certificate }: SamlSigningKey): string {
  const transforms = [ENVELOPED_SIGNATURE, EXCLUSIVE_C14N].map((algorithm) => {
    return writeElement('ds:Transform', { Algorithm: algorithm });
  });
  const reference = writeElement(
    ...(['ds:Reference', { URI: `#${id}` }, writeElement('ds:Transforms', {}, ...transforms)] as const),
    writeElement('ds:DigestMethod', { Algorithm: SHA256 }),
    writeElement('ds:DigestValue', {}, hash('sha256', xml, 'base64')),
  );
  const content = [
    writeElement('ds:CanonicalizationMethod', { Algorithm: EXCLUSIVE_C14N }),
    writeElement('ds:SignatureMethod', { Algorithm: RSA_SHA256 }),
    reference,
  ];
  const declaration = { 'xmlns:ds': XML_SIGNATURE };
  const signedInfo = writeElement('ds:SignedInfo', declaration, ...content);
  const value = sign('sha256', Buffer.from(signedInfo), privateKey).toString('base64');
  const data = writeElement('ds:X509Data', {}, writeElement('ds:X509Certificate', {}, certificate));
  return writeElement(
    ...(['ds:Signature', declaration, writeElement('ds:SignedInfo', {}, ...content)] as const),
    writeElement('ds:SignatureValue', {}, value),
    writeElement('ds:KeyInfo', {}, data),
  );
}
