import { hash, type KeyObject, verify } from 'node:crypto';

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
const XMLDSIG_MORE = 'http://www.w3.org/2001/04/xmldsig-more#';

export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const ENVELOPED_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** The algorithms with which the service signs. */
export const RSA_SHA256 = `${XMLDSIG_MORE}rsa-sha256`;
export const SHA256 = `${XMLENC}sha256`;

/** Hashes by the identifiers of digest algorithms. SHA-1 is missing, because collisions can be computed. */
const DIGESTS: ReadonlyMap<string, string> = new Map([
  [SHA256, 'sha256'],
  [`${XMLDSIG_MORE}sha384`, 'sha384'],
  // Identifier that AD FS uses, although no standard defines it.
  [`${XMLENC}sha384`, 'sha384'],
  [`${XMLENC}sha512`, 'sha512'],
]);

interface SignatureScheme {
  keyType: 'rsa' | 'ec';
  hash: string;
}

/** Signature schemes by identifier. HMAC is missing, because a public key could be mistaken for its secret. */
const SIGNATURES: ReadonlyMap<string, SignatureScheme> = new Map(
  ['sha256', 'sha384', 'sha512'].flatMap((name): [string, SignatureScheme][] => [
    [`${XMLDSIG_MORE}rsa-${name}`, { keyType: 'rsa', hash: name }],
    [`${XMLDSIG_MORE}ecdsa-${name}`, { keyType: 'ec', hash: name }],
  ]),
);

/** Returns the digest of a string, in base64; undefined if the algorithm is not accepted. */
export function computeDigest(algorithm: string, text: string): string | undefined {
  const name = DIGESTS.get(algorithm);
  return name && hash(name, text, 'base64');
}

/** Reports whether an identifier names a digest algorithm that is accepted. */
export function isDigestAlgorithm(algorithm: string): boolean {
  return DIGESTS.has(algorithm);
}

/** Reports whether an identifier names a signature algorithm that is accepted. */
export function isSignatureAlgorithm(algorithm: string): boolean {
  return SIGNATURES.has(algorithm);
}

/** Reports whether one of the keys has signed a string. Tries only the keys of the algorithm's type. */
export function isSignedByAny(keys: readonly KeyObject[], algorithm: string, text: string, base64: string): boolean {
  const scheme = SIGNATURES.get(algorithm);
  if (!scheme) return false;
  const [bytes, signature] = [Buffer.from(text), Buffer.from(base64, 'base64')];
  // XML signatures join the two numbers of an ECDSA signature, without ASN.1 (RFC 9231, section 2.3.6).
  return keys.some((key) => {
    const options = { key, dsaEncoding: 'ieee-p1363' } as const;
    return key.asymmetricKeyType === scheme.keyType && verify(scheme.hash, bytes, options, signature);
  });
}
