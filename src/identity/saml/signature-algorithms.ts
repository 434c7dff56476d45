import { hash, type KeyObject, verify } from 'node:crypto';
import type { HashAlgorithm, SignatureAlgorithm } from 'xml-crypto';

const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
const XMLDSIG_MORE = 'http://www.w3.org/2001/04/xmldsig-more#';

export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const ENVELOPED_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** Hashes by the identifiers of digest algorithms. SHA-1 is missing, because collisions can be computed. */
const DIGESTS: ReadonlyMap<string, string> = new Map([
  [`${XMLENC}sha256`, 'sha256'],
  [`${XMLDSIG_MORE}sha384`, 'sha384'],
  [`${XMLENC}sha512`, 'sha512'],
]);

interface SignatureScheme {
  keyType: 'rsa' | 'ec';
  hash: string;
}

/** Signature schemes by identifier. HMAC is missing, because its key could be a public key. */
const SIGNATURES: ReadonlyMap<string, SignatureScheme> = new Map(
  (['rsa', 'ec'] as const).flatMap((keyType) =>
    ['sha256', 'sha384', 'sha512'].map((name): [string, SignatureScheme] => {
      return [`${XMLDSIG_MORE}${keyType === 'ec' ? 'ecdsa' : keyType}-${name}`, { keyType, hash: name }];
    }),
  ),
);

/** Reports whether an identifier names a digest algorithm that is accepted. */
export function isDigestAlgorithm(identifier: string): boolean {
  return DIGESTS.has(identifier);
}

/** Reports whether an identifier names a signature algorithm that is accepted. */
export function isSignatureAlgorithm(identifier: string): boolean {
  return SIGNATURES.has(identifier);
}

/** Builds the digest algorithms for xml-crypto. */
export function buildDigestAlgorithms(): Record<string, new () => HashAlgorithm> {
  const entries = [...DIGESTS].map(([identifier, name]) => {
    return [
      identifier,
      class {
        getAlgorithmName = () => identifier;
        getHash = (xml: string) => hash(name, xml, 'base64');
      },
    ];
  });
  return Object.fromEntries(entries) as Record<string, new () => HashAlgorithm>;
}

/**
 * Builds the signature algorithms for xml-crypto. They ignore the key that xml-crypto has found, and try the keys of the
 * provider whose type fits, so that a document is canonicalised once for all keys.
 */
export function buildSignatureAlgorithms(keys: readonly KeyObject[]): Record<string, new () => SignatureAlgorithm> {
  const entries = [...SIGNATURES].map(([identifier, scheme]) => {
    return [
      identifier,
      class {
        getAlgorithmName = () => identifier;
        getSignature = () => {
          throw new Error('This service signs no XML.');
        };
        verifySignature = (text: string, _key: unknown, value: string) => verifyWithAny(keys, scheme, text, value);
      },
    ];
  });
  return Object.fromEntries(entries) as Record<string, new () => SignatureAlgorithm>;
}

function verifyWithAny(keys: readonly KeyObject[], { keyType, hash }: SignatureScheme, text: string, value: string) {
  const [bytes, signature] = [Buffer.from(text), Buffer.from(value, 'base64')];
  // XML signatures join the two numbers of an ECDSA signature, and do not use ASN.1 (RFC 4050).
  return keys.some((key) => {
    return key.asymmetricKeyType === keyType && verify(hash, bytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
  });
}
