import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** The key with which the service signs its messages to one provider. */
export interface SamlSigningKey {
  privateKey: KeyObject;
  /** The self-signed certificate in base64 of DER, which carries the public key to the provider. */
  certificate: string;
}

const MODULUS_BITS = 2048;
/**
 * Providers trust the certificate as a key. Since few of them check its dates, it is valid for longer than any
 * installation lasts.
 */
const LASTS_YEARS = 20;
const SHA256_WITH_RSA = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const TAGS = { integer: 0x02, bits: 0x03, utf8: 0x0c, utcTime: 0x17, time: 0x18, sequence: 0x30, set: 0x31 } as const;

/** Creates a key. @param name the name in its certificate */
export async function createSigningKey(name: string, now = new Date()): Promise<SamlSigningKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  return { privateKey, certificate: certify(privateKey, name, now) };
}

/** Formats a private key as bytes to seal. */
export function formatPrivateKey({ privateKey }: SamlSigningKey): Buffer {
  return privateKey.export({ type: 'pkcs8', format: 'der' });
}

/** Reads a key from its formatted private key and its certificate. */
export function readSigningKey(bytes: Buffer, certificate: string): SamlSigningKey {
  return { privateKey: createPrivateKey({ key: bytes, type: 'pkcs8', format: 'der' }), certificate };
}

/** Builds a self-signed certificate of X.509, version 1, in base64 of DER (RFC 5280, section 4.1). */
function certify(privateKey: KeyObject, name: string, now: Date): string {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const owner = encodeName(name);
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + LASTS_YEARS);
  const content = encode(
    ...([TAGS.sequence, encode(TAGS.integer, encodeSerial()), SHA256_WITH_RSA, owner] as const),
    ...([encode(TAGS.sequence, encodeTime(now), encodeTime(end)), owner, publicKey] as const),
  );
  const signature = encode(TAGS.bits, Buffer.from([0]), sign('sha256', content, privateKey));
  return encode(TAGS.sequence, content, SHA256_WITH_RSA, signature).toString('base64');
}

/** Returns a random serial number, positive and without a leading zero. */
function encodeSerial(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}

function encodeName(name: string): Buffer {
  const attribute = encode(TAGS.sequence, COMMON_NAME, encode(TAGS.utf8, Buffer.from(name)));
  return encode(TAGS.sequence, encode(TAGS.set, attribute));
}

/** Encodes a time; times before 2050 have a two-digit year. */
function encodeTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/\D/g, '').slice(0, 14);
  const isShort = time.getUTCFullYear() < 2050;
  return encode(isShort ? TAGS.utcTime : TAGS.time, Buffer.from(`${isShort ? digits.slice(2) : digits}Z`));
}

/** Encodes a value of ASN.1 with its tag and its length. */
function encode(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}
