// SAML metadata: the provider's, which the company's owner uploads, and ours, which the owner gives to the provider.
//
// The provider's metadata needs no signature: the owner decides which provider to trust, and knows no key that could have
// signed the metadata. Its dates are not checked either, because the certificates are trusted as keys (saml-response.ts).
import escapeHtml from 'escape-html';
import { quote, SamlFault } from './saml-fault.ts';
import {
  BINDINGS,
  METADATA,
  NAME_ID_FORMATS,
  PROTOCOL,
  type SamlLogoutService,
  type SamlProvider,
  type SamlService,
  XML_SIGNATURE,
} from './saml-provider.ts';
import { isStrongKey, readCertificate } from './signing-certificates.ts';
import { listChildren, listElements, parseStrictXml, type XmlElement } from './strict-xml.ts';

/** Maximum size of a provider's metadata in characters. The metadata of AD FS has about 100,000. */
const MAX_METADATA = 500_000;
const LIMITS = { code: 'metadata_invalid', maxElements: 10_000, maxAttributes: 20_000, allowsComments: true } as const;
/** Maximum length of an entity id (SAML Metadata, section 2.2.1). */
const MAX_ENTITY_ID = 1024;
const MAX_URL = 2000;
const MAX_CERTIFICATES = 10;

/** Settings of a reader of metadata. */
export interface MetadataOptions {
  /** Whether the provider's URLs can be http URLs of this machine, for demos and tests. */
  allowLoopback?: boolean;
}

/**
 * Reads the metadata of a provider.
 * @throws {SamlFault} `metadata_invalid`
 */
export function readSamlMetadata(xml: string, { allowLoopback = false }: MetadataOptions = {}): SamlProvider {
  if (xml.length > MAX_METADATA) reject(`The metadata is longer than ${MAX_METADATA.toLocaleString('en')} characters.`);
  const [entity, provider] = findProvider(parseStrictXml(xml.replace(/^\uFEFF/, '').trim(), LIMITS));
  const entityId = entity.attributes.get('entityID')?.trim() ?? '';
  if (entityId === '' || entityId.length > MAX_ENTITY_ID) {
    reject(`The entityID must have 1 to ${MAX_ENTITY_ID} characters.`);
  }
  const signInUrl = findSignInUrl(provider);
  if (signInUrl === undefined) reject('The metadata has no SingleSignOnService with the binding HTTP-Redirect.');
  requireUrl(signInUrl, allowLoopback);
  const logout = findLogout(provider, allowLoopback);
  return { entityId, signInUrl, certificates: readCertificates(provider), ...(logout && { logout }) };
}

/** Finds the only entity that is an identity provider for SAML 2.0, and its IDPSSODescriptor. */
function findProvider(root: XmlElement): [entity: XmlElement, provider: XmlElement] {
  const isRoot = root.namespace === METADATA && ['EntityDescriptor', 'EntitiesDescriptor'].includes(root.name);
  if (!isRoot) reject('The document is not SAML metadata.');
  const entities = listElements(root).filter(({ namespace, name }) => {
    return namespace === METADATA && name === 'EntityDescriptor';
  });
  const found = entities.flatMap((entity) => {
    const descriptors = listChildren(entity, METADATA, 'IDPSSODescriptor').filter(isSaml2);
    return descriptors.map((descriptor): [XmlElement, XmlElement] => [entity, descriptor]);
  });
  if (found.length === 0) reject('The metadata describes no identity provider for SAML 2.0.');
  if (found.length > 1)
    reject('The metadata describes several identity providers. Upload the metadata of only one of them.');
  return found[0]!;
}

function isSaml2({ attributes }: XmlElement): boolean {
  return (attributes.get('protocolSupportEnumeration') ?? '').split(/\s+/).includes(PROTOCOL);
}

function findSignInUrl(provider: XmlElement): string | undefined {
  const services = listChildren(provider, METADATA, 'SingleSignOnService');
  const service = services.find(({ attributes }) => attributes.get('Binding') === BINDINGS.redirect);
  return service?.attributes.get('Location')?.trim();
}

/** Finds the single logout service. Without a usable URL, people can sign in, but sign-outs are not exchanged. */
function findLogout(provider: XmlElement, allowLoopback: boolean): SamlLogoutService | undefined {
  const services = listChildren(provider, METADATA, 'SingleLogoutService');
  const found = (['redirect', 'post'] as const).map((binding) => {
    const service = services.find(({ attributes }) => attributes.get('Binding') === BINDINGS[binding]);
    const url = service?.attributes.get('Location')?.trim() ?? '';
    const responseUrl = service?.attributes.get('ResponseLocation')?.trim() ?? url;
    const isUsable = [url, responseUrl].every((address) => judgeUrl(address, allowLoopback) === undefined);
    return isUsable ? { binding, url, ...(responseUrl !== url && { responseUrl }) } : undefined;
  });
  return found[0] ?? found[1];
}

function requireUrl(text: string, allowLoopback: boolean): void {
  const reason = judgeUrl(text, allowLoopback);
  if (reason !== undefined) reject(reason);
}

/** Returns the reason why the service does not send browsers to a URL; undefined if it does. */
function judgeUrl(text: string, allowLoopback: boolean): string | undefined {
  const url = URL.parse(text);
  const isLoopback = url !== null && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback && allowLoopback);
  if (!isSecure) return `The URL ${quote(text)} must begin with https://.`;
  if (text.length > MAX_URL) return `The URL ${quote(text)} is longer than ${MAX_URL} characters.`;
  // Parsers of URLs skip line breaks and read backslashes as slashes.
  const isPlain = /^[!-~]+$/.test(text) && !text.includes('\\') && !text.includes('#');
  if (isPlain && url.username === '' && url.password === '') return undefined;
  return `The URL ${quote(text)} must not contain credentials, a fragment, spaces or characters outside ASCII.`;
}

/** Reads the certificates of signing keys. A key without a `use` serves both signing and encryption. */
function readCertificates(provider: XmlElement): string[] {
  const keys = listChildren(provider, METADATA, 'KeyDescriptor').filter(({ attributes }) => {
    return (attributes.get('use') ?? 'signing') === 'signing';
  });
  const elements = keys.flatMap(listElements).filter(({ namespace, name }) => {
    return namespace === XML_SIGNATURE && name === 'X509Certificate';
  });
  const certificates = [...new Set(elements.map(({ text }) => requireCertificate(text)))];
  if (certificates.length === 0) reject('The metadata has no certificate of a signing key.');
  if (certificates.length > MAX_CERTIFICATES) reject(`The metadata has more than ${MAX_CERTIFICATES} certificates.`);
  return certificates;
}

function requireCertificate(text: string): string {
  const certificate = readCertificate(text);
  if (!certificate) reject('A certificate of the metadata cannot be read.');
  if (!isStrongKey(certificate.publicKey)) {
    reject(
      'A signing key must be RSA with 2048 to 8192 bits, or EC on P-256, P-384 or P-521. Replace it at the provider.',
    );
  }
  return certificate.raw.toString('base64');
}

/**
 * Formats our metadata for a provider.
 * @param certificate the certificate of the key that signs our messages about sign-outs; undefined if there is none, so
 *   that sign-outs are not exchanged
 */
export function describeSamlService(
  { entityId, assertionConsumerUrl, logoutUrl }: SamlService,
  certificate?: string,
): string {
  const { persistent, emailAddress, unspecified } = NAME_ID_FORMATS;
  const formats = [persistent, emailAddress, unspecified].map((format) => {
    return `    <NameIDFormat>${format}</NameIDFormat>`;
  });
  const logouts = [BINDINGS.redirect, BINDINGS.post].map((binding) => {
    return `    <SingleLogoutService Binding="${binding}" Location="${escapeHtml(logoutUrl)}"/>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<EntityDescriptor xmlns="${METADATA}" entityID="${escapeHtml(entityId)}">`,
    `  <SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">`,
    ...(certificate === undefined ? [] : [describeKey(certificate), ...logouts]),
    ...formats,
    `    <AssertionConsumerService Binding="${BINDINGS.post}" Location="${escapeHtml(assertionConsumerUrl)}" index="0" isDefault="true"/>`,
    '  </SPSSODescriptor>',
    '</EntityDescriptor>',
    '',
  ].join('\n');
}

function describeKey(certificate: string): string {
  const data = `<X509Data><X509Certificate>${certificate}</X509Certificate></X509Data>`;
  return `    <KeyDescriptor use="signing"><KeyInfo xmlns="${XML_SIGNATURE}">${data}</KeyInfo></KeyDescriptor>`;
}

function reject(detail: string): never {
  throw new SamlFault('metadata_invalid', detail);
}
