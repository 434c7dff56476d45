// A SAML provider for tests. It writes documents as strings in exclusive canonical form, and
// signs these strings, so the tests do not depend on the canonicalisation that they check.
import 'reflect-metadata';
import { createHash, KeyObject, sign, webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import type { ExpectedResponse } from '../../src/identity/saml/response-values.ts';
import type { SamlProvider, SamlService } from '../../src/identity/saml/saml-provider.ts';

export const NOW = new Date('2026-03-02T08:30:00Z');
export const REQUEST_ID = '_f1d2d2f924e986ac86fdf7b36c94bcdf';
export const PROVIDER_ID = 'https://idp.example.org/saml/metadata';
export const SERVICE: SamlService = {
  entityId: 'https://awareness.example.com/sso/company/provider',
  assertionConsumerUrl: 'https://awareness.example.com/sso/company/provider/saml',
  logoutUrl: 'https://awareness.example.com/sso/company/provider/logout',
};
export const NAMESPACES = {
  saml: 'urn:oasis:names:tc:SAML:2.0:assertion',
  samlp: 'urn:oasis:names:tc:SAML:2.0:protocol',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
  xs: 'http://www.w3.org/2001/XMLSchema',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
};
export const EXC_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const ENVELOPED = `${NAMESPACES.ds}enveloped-signature`;
export const STATUS = 'urn:oasis:names:tc:SAML:2.0:status:';
export const MORE = 'http://www.w3.org/2001/04/xmldsig-more#';
export const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
export const DIGESTS = { sha256: `${XMLENC}sha256`, sha384: `${MORE}sha384`, sha512: `${XMLENC}sha512` };

/** Formats the time that is some seconds after the time of the tests. */
export function at(seconds: number): string {
  return new Date(NOW.getTime() + seconds * 1000).toISOString().replace('.000', '');
}

/** A private key of a provider, and its certificate in base64 of DER. */
export interface SamlKey {
  key: KeyObject;
  certificate: string;
}

type KeyType = 'RSA-1024' | 'RSA-2048' | 'RSA-3072' | 'P-256' | 'P-384' | 'P-521';

/** Creates a key and a self-signed certificate. */
export async function createSamlKey(type: KeyType = 'RSA-2048', expiresAt = at(86_400)): Promise<SamlKey> {
  const [family, size] = type.split('-') as [string, string];
  const algorithm =
    family === 'P'
      ? { name: 'ECDSA', namedCurve: type, hash: 'SHA-256' }
      : {
          ...{ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: Number(size) },
          publicExponent: new Uint8Array([1, 0, 1]),
        };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...{ name: 'CN=Provider of the tests', keys, signingAlgorithm: algorithm },
    ...{ notBefore: new Date(at(-86_400 * 400)), notAfter: new Date(expiresAt) },
  });
  return { key: KeyObject.from(keys.privateKey), certificate: certificate.toString('base64') };
}

/** Returns what the service expects of responses that are signed with some keys. */
export function expectFrom(...keys: SamlKey[]): ExpectedResponse & { provider: SamlProvider } {
  const certificates = keys.map(({ certificate }) => certificate);
  const provider = { entityId: PROVIDER_ID, signInUrl: 'https://idp.example.org/saml/sso', certificates };
  return { provider, service: SERVICE, requestId: REQUEST_ID, now: NOW };
}

type Attributes = Record<string, string | undefined>;

/** Writes an element; attributes without a value are left out. Names are sorted as canonicalisation does. */
export function element(name: string, attributes: Attributes, ...content: string[]): string {
  const pairs = Object.entries(attributes).filter(([, value]) => value !== undefined);
  pairs.sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const written = pairs.map(([key, value]) => ` ${key}="${value}"`).join('');
  return `<${name}${written}>${content.join('')}</${name}>`;
}

/** Namespace declarations come first, and attributes with a namespace last. */
function rank(name: string): number {
  if (name.startsWith('xmlns')) return 0;
  return name.includes(':') ? 2 : 1;
}

/** The form of a signature. */
export interface SignatureForm {
  method?: string;
  digestMethod?: string;
  transforms?: string;
  /** The content of the CanonicalizationMethod. */
  c14nContent?: string;
  /** Changes the content of the SignedInfo before it is signed. */
  editInfo?: (content: string) => string;
  uri?: string;
  /** Replaces the only reference. */
  references?: (reference: string) => string;
  keyInfo?: string;
  /** Changes the canonical SignedInfo, and everything around it, before it is signed. */
  restyle?: (xml: string) => string;
  /** Signs the canonical SignedInfo; returns base64. */
  signer?: (signedInfo: string) => string;
}

const transform = (algorithm: string, ...content: string[]) =>
  element('ds:Transform', { Algorithm: algorithm }, ...content);
export const TRANSFORMS = transform(ENVELOPED) + transform(EXC_C14N);

/** Formats an InclusiveNamespaces element. */
export function inclusive(prefixes: string): string {
  return element('ec:InclusiveNamespaces', { 'xmlns:ec': EXC_C14N, PrefixList: prefixes });
}

/** Formats the default transforms, with a prefix list in the exclusive canonicalization. */
export function transformsWith(prefixes: string): string {
  return transform(ENVELOPED) + transform(EXC_C14N, inclusive(prefixes));
}

/** Returns the hash size in bits with which an algorithm identifier ends. */
const hashIn = (identifier: string) => /sha\d+/.exec(identifier)?.[0] ?? 'sha256';

/**
 * Signs an element.
 * @param canonical the element in its canonical form, without a signature
 * @param id the ID of the element
 * @returns the signature, in canonical form
 */
export function buildSignature(canonical: string, id: string, { key }: SamlKey, form: SignatureForm = {}): string {
  const isEc = key.asymmetricKeyType === 'ec';
  const method = form.method ?? `${MORE}${isEc ? 'ecdsa' : 'rsa'}-sha256`;
  const digestMethod = form.digestMethod ?? DIGESTS.sha256;
  const reference = element(
    ...(['ds:Reference', { URI: form.uri ?? `#${id}` }] as const),
    element('ds:Transforms', {}, form.transforms ?? TRANSFORMS),
    element('ds:DigestMethod', { Algorithm: digestMethod }),
    element('ds:DigestValue', {}, createHash(hashIn(digestMethod)).update(canonical).digest('base64')),
  );
  const content = [
    element('ds:CanonicalizationMethod', { Algorithm: EXC_C14N }, form.c14nContent ?? ''),
    element('ds:SignatureMethod', { Algorithm: method }),
    form.references ? form.references(reference) : reference,
  ].join('');
  const restyle = form.restyle ?? ((xml: string) => xml);
  const declaration = { 'xmlns:ds': NAMESPACES.ds };
  const signedInfo = restyle(element('ds:SignedInfo', declaration, form.editInfo?.(content) ?? content));
  const signer = form.signer ?? ((text: string) => signText(text, key, hashIn(method)));
  const parts = element('ds:SignatureValue', {}, signer(signedInfo)) + (form.keyInfo ?? '');
  // The SignedInfo inherits the namespace of the signature.
  const inherited = signedInfo.replace(/ xmlns(:ds)?="[^"]*"/, '');
  return restyle(element('ds:Signature', declaration, '%', parts)).replace('%', () => inherited);
}

/** Signs a string as XML signatures do. */
export function signText(text: string, key: KeyObject, hash: string): string {
  return sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
}

/** Puts a signature after the first issuer of an element. */
export function withSignature(xml: string, signature: string): string {
  return xml.replace(/<\/(saml:)?Issuer>/, (end) => end + signature);
}

/** Writes the elements of assertions and signatures without prefixes, as Entra ID does. */
export function withoutPrefixes(xml: string): string {
  return xml.replace(/(<\/?)(saml|ds):/g, '$1').replace(/xmlns:(saml|ds)=/g, 'xmlns=');
}

/** The parts of a response that tests change. */
export interface ResponseForm {
  signs?: 'response' | 'assertion' | 'both' | 'none';
  signature?: SignatureForm;
  response?: Attributes;
  responseIssuer?: string;
  status?: string;
  assertion?: Attributes;
  issuer?: string;
  nameId?: string;
  nameIdAttributes?: Attributes;
  confirmation?: Attributes;
  confirmationMethod?: string;
  conditions?: Attributes;
  /** The content of the Conditions. */
  restrictions?: string;
  authn?: Attributes;
  /** The content of the AttributeStatement. */
  attributes?: string;
  /** Whether the elements of the assertion and of its signature have no prefixes. */
  isUnprefixed?: boolean;
  /** Changes the assertion before it is signed. */
  editAssertion?: (assertion: string) => string;
  /** Changes the response before it is signed. */
  editResponse?: (response: string) => string;
}

export const RESPONSE_ID = '_response1';
export const ASSERTION_ID = '_assertion1';

/** Formats the audience restriction of one or more services. */
export function audiences(...entityIds: string[]): string {
  return element('saml:AudienceRestriction', {}, ...entityIds.map((id) => element('saml:Audience', {}, id)));
}

/** Formats an attribute with values. */
export function attribute(name: string, ...values: string[]): string {
  return element('saml:Attribute', { Name: name }, ...values.map((value) => element('saml:AttributeValue', {}, value)));
}

/** Formats an assertion, in canonical form and without a signature. */
export function buildAssertion(form: ResponseForm = {}): string {
  const data = { InResponseTo: REQUEST_ID, NotOnOrAfter: at(300), Recipient: SERVICE.assertionConsumerUrl };
  const assertion = element(
    'saml:Assertion',
    { 'xmlns:saml': NAMESPACES.saml, ID: ASSERTION_ID, IssueInstant: at(-2), Version: '2.0', ...form.assertion },
    element('saml:Issuer', {}, form.issuer ?? PROVIDER_ID),
    element(
      ...(['saml:Subject', {}] as const),
      element('saml:NameID', form.nameIdAttributes ?? {}, form.nameId ?? 'grace'),
      element(
        ...([
          'saml:SubjectConfirmation',
          { Method: form.confirmationMethod ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer' },
        ] as const),
        element('saml:SubjectConfirmationData', { ...data, ...form.confirmation }),
      ),
    ),
    element(
      ...(['saml:Conditions', { NotBefore: at(-300), NotOnOrAfter: at(300), ...form.conditions }] as const),
      form.restrictions ?? audiences(SERVICE.entityId),
    ),
    element('saml:AuthnStatement', { AuthnInstant: at(-10), SessionIndex: '_session1', ...form.authn }),
    element('saml:AttributeStatement', {}, form.attributes ?? attribute('email', 'grace@example.org')),
  );
  return form.editAssertion ? form.editAssertion(assertion) : assertion;
}

/** Formats a response around an assertion, in canonical form and without a signature. */
export function wrapAssertion(assertion: string, form: ResponseForm = {}): string {
  const attributes = {
    ...{ 'xmlns:samlp': NAMESPACES.samlp, ID: RESPONSE_ID, Version: '2.0', IssueInstant: at(-2) },
    ...{ Destination: SERVICE.assertionConsumerUrl, InResponseTo: REQUEST_ID, ...form.response },
  };
  const response = element(
    ...(['samlp:Response', attributes] as const),
    form.responseIssuer ?? element('saml:Issuer', { 'xmlns:saml': NAMESPACES.saml }, PROVIDER_ID),
    form.status ?? element('samlp:Status', {}, element('samlp:StatusCode', { Value: `${STATUS}Success` })),
    assertion,
  );
  return form.editResponse ? form.editResponse(response) : response;
}

/** Formats a response, and signs what the form says; by default the assertion. */
export function buildResponse(key: SamlKey, form: ResponseForm = {}): string {
  const { signs = 'assertion' } = form;
  const restyle = form.isUnprefixed ? withoutPrefixes : (xml: string) => xml;
  const signature = { restyle, ...form.signature };
  const plain = restyle(buildAssertion(form));
  const signed = withSignature(plain, buildSignature(plain, form.assertion?.ID ?? ASSERTION_ID, key, signature));
  const response = wrapAssertion(signs === 'assertion' || signs === 'both' ? signed : plain, form);
  if (signs === 'assertion' || signs === 'none') return response;
  return withSignature(response, buildSignature(response, form.response?.ID ?? RESPONSE_ID, key, signature));
}

/** Encodes a document as a form field. */
export function encode(xml: string): string {
  return Buffer.from(xml).toString('base64');
}
