// The signatures of a response: which of their forms are accepted, and what they prove.
//
// XML signatures are dangerous because a signature names the signed element by its ID, while the reader of the document
// looks for elements by their names. An attacker who can move the signed element and put another one in its place
// (signature wrapping) can sign in as anybody. Three rules prevent this:
//
//   1. Form. A signature is a direct child of the response or of its only assertion, and its only reference names its
//      parent. Elements with the names that signatures use occur nowhere else in the document (signed-info.ts).
//   2. Order. The signature of the SignedInfo is verified first. The digest is then read from the verified bytes of the
//      SignedInfo, and compared with the digest of the signed element. So documents from strangers are never
//      canonicalised.
//   3. Values are read from verified bytes only: the canonical text of the signed element is parsed again, by a strict
//      parser, and its root must be the expected element. The rest of the document has no influence.
//
// The document is parsed by saxes, which reads values, and by xmldom, from whose tree xml-crypto canonicalises. It does
// not matter if the two parsers disagree, because both the digest and the values come from the canonical text.
//
// Only the canonicalisation of xml-crypto 6.3 is used. Its `SignedXml.checkSignature` verifies the same documents, but
// parses them again, and searches them by XPath: a response with 1,900 values of an attribute took 56 ms instead of
// 15 ms (median of processor time, Node 24). It also compares digests before it verifies the signature.
import type { KeyObject } from 'node:crypto';
import { DOMParser, type XmlAttribute, type XmlNode } from '@xmldom/xmldom';
import { ExclusiveCanonicalization } from 'xml-crypto';
import { reject } from './response-values.ts';
import { ASSERTION, XML_SIGNATURE } from './saml-provider.ts';
import { computeDigest, isSignedByAny } from './signature-algorithms.ts';
import { readSignature, readSignedInfo } from './signed-info.ts';
import { listChildren, listElements, parseStrictXml, type XmlElement, type XmlLimits } from './strict-xml.ts';

/** Twice the number in a response with a thousand groups, in the most verbose form that providers write. */
export const RESPONSE_LIMITS: XmlLimits = {
  code: 'response_invalid',
  maxElements: 2000,
  maxAttributes: 6000,
  allowsComments: false,
};

/** Names of elements that only verified signatures can contain. */
const SIGNATURE_NAMES = [
  ...['Signature', 'SignedInfo', 'CanonicalizationMethod', 'SignatureMethod', 'SignatureValue', 'KeyInfo'],
  ...['Reference', 'Transforms', 'DigestMethod', 'DigestValue'],
];

/** The verified parts of a response. `response` is undefined if only the assertion is signed. */
export interface SignedParts {
  response: XmlElement | undefined;
  assertion: XmlElement;
}

/**
 * Verifies the signatures of a response. The response, its assertion or both must be signed; if both are, both signatures
 * must be valid.
 * @param text the document
 * @param response the document as parsed by parseStrictXml
 * @throws {SamlFault} `response_invalid`
 */
export function readSignedParts(text: string, response: XmlElement, keys: readonly KeyObject[]): SignedParts {
  const assertion = findAssertion(response);
  const signed = [response, assertion].filter((element) => listSignatures(element).length > 0);
  if (signed.length === 0) reject('Neither the response nor its assertion is signed.');
  requireUniqueNames(response, signed.length);
  const responseNode = parseDom(text);
  const assertionNode = getChildNode(responseNode, 'Assertion');
  // The response comes first: verifying an element removes its signature, and the response contains the assertion's
  // signature.
  const verifiedResponse = signed.includes(response) ? verifyElement(response, responseNode, keys) : undefined;
  const verifiedAssertion = signed.includes(assertion) ? verifyElement(assertion, assertionNode, keys) : undefined;
  return { response: verifiedResponse, assertion: verifiedAssertion ?? findAssertion(verifiedResponse!) };
}

/**
 * Verifies the signature of a document's root, and returns the root as parsed from the verified bytes.
 * @param root the document as parsed by parseStrictXml
 * @throws {SamlFault} `response_invalid` if the root is not signed by one of the keys
 */
export function readSignedRoot(text: string, root: XmlElement, keys: readonly KeyObject[]): XmlElement {
  if (listSignatures(root).length !== 1) reject(`The ${root.name} is not signed.`);
  requireUniqueNames(root, 1);
  return verifyElement(root, parseDom(text), keys);
}

/** Returns the only assertion of a response. @throws {SamlFault} if there is none, several, or an encrypted one */
function findAssertion(response: XmlElement): XmlElement {
  const elements = listElements(response);
  if (elements.some(({ name }) => name === 'EncryptedAssertion')) {
    reject('The assertion is encrypted. Switch off the encryption of assertions at the provider.');
  }
  const [assertion] = listChildren(response, ASSERTION, 'Assertion');
  if (!assertion) reject('The response has no assertion.');
  if (elements.filter(({ name }) => name === 'Assertion').length > 1) reject('The response has several assertions.');
  return assertion;
}

function listSignatures(element: XmlElement): XmlElement[] {
  return listChildren(element, XML_SIGNATURE, 'Signature');
}

/** Requires that the elements of signatures occur only in the signatures that are verified. */
function requireUniqueNames(root: XmlElement, signatures: number): void {
  const elements = listElements(root);
  const count = (wanted: string) => elements.filter(({ name }) => name === wanted).length;
  if (count(root.name) !== 1) reject(`The ${root.name} contains another ${root.name}.`);
  if (SIGNATURE_NAMES.some((name) => count(name) > signatures)) {
    reject('The response has a signature, or a part of one, in an unexpected place.');
  }
}

/**
 * Verifies the signature of an element, and returns the element as parsed from the verified bytes.
 * @param node the element in the tree of xmldom; its signature is removed
 */
function verifyElement(element: XmlElement, node: XmlNode, keys: readonly KeyObject[]): XmlElement {
  const posted = readSignature(listSignatures(element)[0]!);
  const signatureNode = getChildNode(node, 'Signature');
  const signedText = canonicalize(getChildNode(signatureNode, 'SignedInfo'), posted.signedInfo.ownPrefixes);
  const signedInfo = readSignedInfo(parseStrictXml(signedText, RESPONSE_LIMITS));
  if (!isSignedByAny(keys, signedInfo.signatureAlgorithm, signedText, posted.value)) {
    reject('The signature does not match the certificates of the provider. Upload its current metadata.');
  }
  const id = element.attributes.get('ID');
  if (signedInfo.id !== id) reject('The signature does not refer to the element that contains it.');
  node.removeChild(signatureNode);
  const text = canonicalize(node, signedInfo.prefixes);
  if (computeDigest(signedInfo.digestAlgorithm, text) !== signedInfo.digest) {
    reject('The response was changed after the provider had signed it.');
  }
  const verified = parseStrictXml(text, RESPONSE_LIMITS);
  const isSame = verified.name === element.name && verified.namespace === element.namespace;
  return isSame && verified.attributes.get('ID') === id ? verified : reject('The signature covers another element.');
}

/**
 * Sorts namespaces by prefix, and attributes by namespace and name, by code point. xml-crypto 6.3 sorts prefixes
 * in locale order, and attributes by the concatenation of namespace and name.
 */
class Canonicalization extends ExclusiveCanonicalization {
  override nsCompare(a: { prefix: string }, b: { prefix: string }) {
    return compare(a.prefix, b.prefix);
  }

  override attrCompare(a: XmlAttribute, b: XmlAttribute) {
    return compare(a.namespaceURI ?? '', b.namespaceURI ?? '') || compare(a.localName, b.localName);
  }
}

function compare(a: string, b: string): 1 | 0 | -1 {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function canonicalize(node: XmlNode, inclusiveNamespacesPrefixList: string[]): string {
  const options = { inclusiveNamespacesPrefixList, ancestorNamespaces: listNamespaces(node.parentNode) };
  try {
    return new Canonicalization().process(node, options);
  } catch {
    return reject('The response cannot be canonicalized.');
  }
}

/** Lists the namespace declarations of a node and its ancestors, outermost first. */
function listNamespaces(node: XmlNode | null): { prefix: string; namespaceURI: string }[] {
  if (!node) return [];
  const declarations = Array.from(node.attributes ?? []).filter(({ nodeName }) => nodeName.startsWith('xmlns:'));
  const own = declarations.map(({ nodeName, nodeValue }) => ({ prefix: nodeName.slice(6), namespaceURI: nodeValue }));
  return [...listNamespaces(node.parentNode), ...own];
}

/**
 * Parses with the line ends of XML 1.0. By default, xmldom 0.8 also converts the line ends of XML 1.1, such as U+2028.
 */
function parseDom(text: string): XmlNode {
  const parser = new DOMParser({
    errorHandler: () => reject('The document is not well-formed XML.'),
    normalizeLineEndings: (lines) => lines.replace(/\r\n?/g, '\n'),
  });
  return parser.parseFromString(text, 'text/xml').documentElement;
}

function getChildNode(node: XmlNode, name: string): XmlNode {
  const child = Array.from(node.childNodes).find(({ localName }) => localName === name);
  return child ?? reject(`The ${node.localName} has no ${name}.`);
}
