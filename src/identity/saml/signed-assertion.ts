// The signature of a response: which of its forms are accepted, and what they prove.
//
// XML signatures are dangerous because a signature names the signed element by its id, and the reader of the document
// looks for elements by their names. Whoever can move the signed element and put another one in its place (signature
// wrapping) signs in as anybody. Three rules prevent this, and each of them is sufficient:
//
//   1. Form. A signature is a direct child of the response or of its only assertion, and its only reference names its
//      parent. The names of a signature's elements occur nowhere else in the document.
//   2. Values are read only from the bytes that were verified: the output of the canonicalisation, whose digest is in the
//      signed SignedInfo, is parsed again, by a strict parser, and its root must be the expected element.
//   3. Both parsers must accept the document: saxes, which reads values, and xmldom, which xml-crypto verifies.
//
// xml-crypto 6.3 canonicalises and compares digests. Its own algorithms are replaced (signature-algorithms.ts), so that
// a document cannot choose others, and it never sees the KeyInfo of the document.
import type { KeyObject } from 'node:crypto';
import { DOMParser, type XmlNode } from '@xmldom/xmldom';
import { SignedXml } from 'xml-crypto';
import { ASSERTION, XML_SIGNATURE } from './saml-provider.ts';
import { SamlFault } from './saml-fault.ts';
import {
  buildDigestAlgorithms,
  buildSignatureAlgorithms,
  ENVELOPED_SIGNATURE,
  EXCLUSIVE_C14N,
  isDigestAlgorithm,
  isSignatureAlgorithm,
} from './signature-algorithms.ts';
import { listChildren, listElements, parseStrictXml, type XmlElement, type XmlLimits } from './strict-xml.ts';

export const RESPONSE_LIMITS: XmlLimits = {
  code: 'response_invalid',
  maxElements: 3000,
  maxAttributes: 6000,
  allowsComments: false,
};

/** The names that xml-crypto searches for in a signature, or that a reader of the document could take for signed content. */
const UNIQUE_NAMES = ['SignedInfo', 'CanonicalizationMethod', 'SignatureMethod', 'SignatureValue', 'Reference'].concat([
  'DigestMethod',
  'DigestValue',
  'KeyInfo',
]);
const ID = /^[A-Za-z_][\w.-]{0,255}$/;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;
/** Namespace prefixes, as some providers list them for values such as `xs:string`. */
const PREFIXES = /^[\w.# -]{0,200}$/;

const TRANSFORMS = [ENVELOPED_SIGNATURE, EXCLUSIVE_C14N];
/** Satisfies xml-crypto, which requires a key. Its algorithms are given the keys of the provider. */
const NO_KEY = 'none';

/** The verified parts of a response. `response` is undefined if only the assertion is signed. */
export interface SignedParts {
  response: XmlElement | undefined;
  assertion: XmlElement;
}

/**
 * Verifies the signatures of a response. At least one of the response and its assertion must be signed; if both are, both
 * signatures must be valid.
 * @param text the document
 * @param response the document as parsed by parseStrictXml
 * @throws {SamlFault} `response_invalid`
 */
export function readSignedParts(text: string, response: XmlElement, keys: readonly KeyObject[]): SignedParts {
  const assertion = findAssertion(response);
  const signed = [response, assertion].filter((element) => listSignatures(element).length > 0);
  if (signed.length === 0) reject('Neither the response nor its assertion is signed.');
  requireUniqueNames(response, signed.length);
  signed.forEach(requireSignatureForm);
  const [verifiedResponse, verifiedAssertion] = [response, assertion].map((element) => {
    return signed.includes(element) ? verifyElement(text, element, keys) : undefined;
  });
  return {
    response: verifiedResponse,
    assertion: verifiedAssertion ?? findAssertion(verifiedResponse!),
  };
}

/**
 * Returns the only assertion of a response.
 * @throws {SamlFault} `response_invalid` if the response has none, several, or an encrypted one
 */
export function findAssertion(response: XmlElement): XmlElement {
  const elements = listElements(response);
  if (elements.some(({ name }) => name === 'EncryptedAssertion')) {
    reject('The assertion is encrypted. Switch off the encryption of assertions at the provider.');
  }
  const named = elements.filter(({ name }) => name === 'Assertion');
  const [assertion, ...others] = listChildren(response, ASSERTION, 'Assertion');
  if (!assertion) reject('The response has no assertion.');
  if (others.length > 0 || named.length > 1) reject('The response has several assertions.');
  return assertion;
}

function listSignatures(element: XmlElement): XmlElement[] {
  return listChildren(element, XML_SIGNATURE, 'Signature');
}

/** Requires that the elements of signatures are only in the signatures that are verified. */
function requireUniqueNames(response: XmlElement, signatures: number): void {
  const elements = listElements(response);
  const count = (wanted: string) => elements.filter(({ name }) => name === wanted).length;
  if (count('Signature') !== signatures) reject('The response has a signature at an unexpected place.');
  if (count('Response') !== 1) reject('The response contains another response.');
  if (UNIQUE_NAMES.some((name) => count(name) > signatures)) reject('The response has parts of another signature.');
}

/** Requires that the signature of an element refers to the element, and uses accepted algorithms. */
function requireSignatureForm(element: XmlElement): void {
  const [signature] = listSignatures(element);
  const [signedInfo, signatureValue] = requireForm(signature!, /^SignedInfo SignatureValue( KeyInfo)?$/);
  const [c14n, method, reference] = requireForm(signedInfo!, /^CanonicalizationMethod SignatureMethod Reference$/);
  const [transforms, digestMethod, digestValue] = requireForm(reference!, /^Transforms DigestMethod DigestValue$/);
  const [enveloped, exclusive] = requireForm(transforms!, /^Transform Transform$/);

  if (!ID.test(element.attributes.get('ID') ?? '')) reject('The signed element has no valid ID.');
  if (reference!.attributes.get('URI') !== `#${element.attributes.get('ID')}`) {
    reject('The signature does not refer to the element that contains it.');
  }
  requireForm(enveloped!, /^$/);
  if (enveloped!.attributes.get('Algorithm') !== ENVELOPED_SIGNATURE) {
    reject('The first transform of the signature must be the enveloped signature.');
  }
  requireExclusiveC14n(exclusive!);
  requireExclusiveC14n(c14n!);
  requireForm(method!, /^$/);
  if (!isSignatureAlgorithm(method!.attributes.get('Algorithm') ?? '')) {
    reject('The signature algorithm is not accepted. Choose RSA or ECDSA with SHA-256, SHA-384 or SHA-512.');
  }
  requireForm(digestMethod!, /^$/);
  if (!isDigestAlgorithm(digestMethod!.attributes.get('Algorithm') ?? '')) {
    reject('The digest algorithm is not accepted. Choose SHA-256, SHA-384 or SHA-512.');
  }
  for (const value of [signatureValue!, digestValue!]) {
    if (value.children.length > 0 || !BASE64.test(value.text)) reject('The signature is not valid base64.');
  }
}

/** Requires the names of the children of an element of a signature, and returns the children. */
function requireForm(element: XmlElement, form: RegExp): XmlElement[] {
  const isSignature = element.children.every(({ namespace }) => namespace === XML_SIGNATURE);
  const names = element.children.map(({ name }) => name).join(' ');
  if (!isSignature || !form.test(names)) reject(`The ${element.name} of the signature has an unexpected form.`);
  return element.children;
}

function requireExclusiveC14n({ attributes, children }: XmlElement): void {
  if (attributes.get('Algorithm') !== EXCLUSIVE_C14N) {
    reject('The signature must use exclusive canonicalization without comments.');
  }
  const [list, ...others] = children;
  if (!list) return;
  const isPrefixList = list.namespace === EXCLUSIVE_C14N && list.name === 'InclusiveNamespaces';
  if (others.length > 0 || !isPrefixList || !PREFIXES.test(list.attributes.get('PrefixList') ?? '')) {
    reject('The canonicalization of the signature has an unexpected form.');
  }
}

/** Verifies the signature of an element, and returns the element as parsed from the verified bytes. */
function verifyElement(text: string, element: XmlElement, keys: readonly KeyObject[]): XmlElement {
  const canonical = verifySignature(text, element, keys);
  const verified = parseStrictXml(canonical, RESPONSE_LIMITS);
  const isSame =
    verified.name === element.name &&
    verified.namespace === element.namespace &&
    verified.attributes.get('ID') === element.attributes.get('ID');
  return isSame ? verified : reject('The signature covers an unexpected element.');
}

/** Verifies the signature of an element, and returns the canonical form that it covers. */
function verifySignature(text: string, { name }: XmlElement, keys: readonly KeyObject[]): string {
  const signed = new SignedXml({ getCertFromKeyInfo: () => null, publicCert: NO_KEY });
  signed.idAttributes = ['ID'];
  const transforms = Object.entries(signed.CanonicalizationAlgorithms);
  signed.CanonicalizationAlgorithms = Object.fromEntries(transforms.filter(([name]) => TRANSFORMS.includes(name)));
  signed.HashAlgorithms = buildDigestAlgorithms();
  signed.SignatureAlgorithms = buildSignatureAlgorithms(keys);
  let isUnchanged: boolean;
  try {
    signed.loadSignature(findSignatureNode(text, name));
    isUnchanged = signed.checkSignature(text);
  } catch {
    return reject('The signature does not match the stored certificates of the provider.');
  }
  const [canonical, ...others] = signed.getSignedReferences();
  if (!isUnchanged || canonical === undefined || others.length > 0) {
    reject('The response was changed after the provider had signed it.');
  }
  return canonical;
}

/** Finds the signature of the response or the assertion in the tree of xmldom, as xml-crypto needs it. */
function findSignatureNode(text: string, name: string): XmlNode {
  const parser = new DOMParser({
    errorHandler: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  });
  const root = parser.parseFromString(text, 'text/xml').documentElement;
  const findChild = (node: XmlNode, wanted: string) => {
    const child = Array.from(node.childNodes).find(({ localName }) => localName === wanted);
    return child ?? reject(`The response has no ${wanted}.`);
  };
  return findChild(name === 'Response' ? root : findChild(root, 'Assertion'), 'Signature');
}

function reject(detail: string): never {
  throw new SamlFault('response_invalid', detail);
}
