import { type KeyObject, X509Certificate } from 'node:crypto';
import type { SamlProvider } from './saml-provider.ts';

const MIN_RSA_BITS = 2048;
/** Maximum size of an RSA key; verifying a signature with a larger key takes too long for a sign-in. */
const MAX_RSA_BITS = 8192;
/** P-256, P-384 and P-521, as OpenSSL names them. */
const CURVES = ['prime256v1', 'secp384r1', 'secp521r1'];

/**
 * Reads a certificate in base64 of DER, as the standards require, or in PEM or base64 of PEM, as some providers send
 * it; undefined if the certificate, its key or its expiry cannot be read.
 */
export function readCertificate(text: string): X509Certificate | undefined {
  try {
    const certificate = new X509Certificate(
      Buffer.from(text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, ''), 'base64'),
    );
    // Node decodes the key on first use, and throws if it does not know its kind.
    const isReadable = certificate.publicKey.type === 'public' && Number.isFinite(Date.parse(certificate.validTo));
    return isReadable ? certificate : undefined;
  } catch {
    return undefined;
  }
}

/** Reports whether a key is strong enough: RSA with 2048 to 8192 bits, or EC on P-256, P-384 or P-521. */
export function isStrongKey(key: KeyObject): boolean {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'rsa') {
    // With the exponent 1, everybody can sign.
    return modulusLength >= MIN_RSA_BITS && modulusLength <= MAX_RSA_BITS && publicExponent > 1n;
  }
  return key.asymmetricKeyType === 'ec' && CURVES.includes(namedCurve);
}

/**
 * Returns the time at which the last certificate of a provider expires, in ISO 8601; undefined if none can be read. The
 * date is for reminders: an expired certificate still signs people in (saml-response.ts).
 */
export function certificatesExpireAt({ certificates }: Pick<SamlProvider, 'certificates'>): string | undefined {
  const times = certificates.map((text) => Date.parse(readCertificate(text)?.validTo ?? '')).filter(Number.isFinite);
  return times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString();
}

/** Returns the public keys of a provider. Skips certificates that cannot be read or whose keys are weak. */
export function readSigningKeys({ certificates }: Pick<SamlProvider, 'certificates'>): KeyObject[] {
  return certificates.flatMap((base64) => {
    const key = readCertificate(base64)?.publicKey;
    return key && isStrongKey(key) ? [key] : [];
  });
}
