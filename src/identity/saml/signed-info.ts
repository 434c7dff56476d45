import { XML_SIGNATURE } from './saml-provider.ts';
import { reject } from './response-values.ts';
import {
  ENVELOPED_SIGNATURE,
  EXCLUSIVE_C14N,
  isDigestAlgorithm,
  isSignatureAlgorithm,
} from './signature-algorithms.ts';
import type { XmlElement } from './strict-xml.ts';

/** The signed part of a signature. */
export interface SignedInfo {
  signatureAlgorithm: string;
  /** Prefixes that the canonicalisation of the SignedInfo itself treats as used. */
  ownPrefixes: string[];
  /** The ID of the only signed element. */
  id: string;
  /** Prefixes that the canonicalisation of the signed element treats as used. */
  prefixes: string[];
  digestAlgorithm: string;
  digest: string;
}

/** Some providers begin an ID with a digit, which XML forbids. */
const ID = /^#[\w.-]{1,256}$/;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;
/**
 * The `PrefixList` of `InclusiveNamespaces`. Some providers also list prefixes that only values use, such as `xs` in
 * `xs:string`. `#default` is rejected, because xml-crypto 6.3 ignores it.
 */
const PREFIXES = /^[\w. -]{0,200}$/;

/** Reads the parts of a signature. @throws {SamlFault} `response_invalid` if it has other parts */
export function readSignature(signature: XmlElement): { signedInfo: SignedInfo; value: string } {
  const [signedInfo, value] = requireForm(signature, /^SignedInfo SignatureValue( KeyInfo)?$/);
  return { signedInfo: readSignedInfo(signedInfo!), value: readBase64(value!) };
}

/**
 * Reads the signed part of a signature. It has one reference, to an element by its ID, with the two transforms of
 * enveloped signatures.
 * @throws {SamlFault} `response_invalid` if it has another form, or uses an algorithm that is not accepted
 */
export function readSignedInfo(signedInfo: XmlElement): SignedInfo {
  const [c14n, method, reference] = requireForm(signedInfo, /^CanonicalizationMethod SignatureMethod Reference$/);
  const [transforms, digestMethod, digest] = requireForm(reference!, /^Transforms DigestMethod DigestValue$/);
  const [enveloped, exclusive] = requireForm(transforms!, /^Transform Transform$/);
  const uri = reference!.attributes.get('URI') ?? '';
  if (!ID.test(uri)) reject('The signature does not refer to an element by its ID.');
  if (readAlgorithm(enveloped!) !== ENVELOPED_SIGNATURE) {
    reject('The first transform of the signature must be the enveloped signature.');
  }
  const signatureAlgorithm = readAlgorithm(method!);
  if (!isSignatureAlgorithm(signatureAlgorithm)) {
    reject('The signature algorithm is not accepted. Choose RSA or ECDSA with SHA-256, SHA-384 or SHA-512.');
  }
  const digestAlgorithm = readAlgorithm(digestMethod!);
  if (!isDigestAlgorithm(digestAlgorithm)) {
    reject('The digest algorithm is not accepted. Choose SHA-256, SHA-384 or SHA-512.');
  }
  const ownPrefixes = readExclusiveC14n(c14n!);
  const prefixes = readExclusiveC14n(exclusive!);
  return { signatureAlgorithm, ownPrefixes, id: uri.slice(1), prefixes, digestAlgorithm, digest: readBase64(digest!) };
}

/** Requires that the children of a signature's element have the given names, and returns the children. */
function requireForm(element: XmlElement, form: RegExp): XmlElement[] {
  const isSignature = [element, ...element.children].every(({ namespace }) => namespace === XML_SIGNATURE);
  const names = element.children.map(({ name }) => name).join(' ');
  if (!isSignature || !form.test(names)) reject(`The ${element.name} of the signature has an unexpected form.`);
  return element.children;
}

/** Reads the algorithm of an element without content. A method with a parameter would be a different algorithm. */
function readAlgorithm(element: XmlElement): string {
  requireForm(element, /^$/);
  return element.attributes.get('Algorithm') ?? '';
}

/** Requires exclusive canonicalisation without comments, and returns the prefixes that it treats as used. */
function readExclusiveC14n({ attributes, children }: XmlElement): string[] {
  if (attributes.get('Algorithm') !== EXCLUSIVE_C14N) {
    reject('The signature must use exclusive canonicalization without comments.');
  }
  const [list, ...others] = children;
  if (!list) return [];
  const prefixes = list.attributes.get('PrefixList') ?? '';
  const isList = list.namespace === EXCLUSIVE_C14N && list.name === 'InclusiveNamespaces' && list.children.length === 0;
  if (!isList || others.length > 0 || !PREFIXES.test(prefixes)) {
    reject('The canonicalization of the signature has an unexpected form.');
  }
  return prefixes.split(' ').filter(Boolean);
}

function readBase64({ children, text }: XmlElement): string {
  if (children.length > 0 || !BASE64.test(text)) reject('The signature is not valid base64.');
  return text.replace(/\s+/g, '');
}
