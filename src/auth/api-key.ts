import { hash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The format of a key: `sk_`, a public id of 12 characters, `_`, a secret of 256 bits in 64 hex digits, and a CRC-32 of
 * everything before it in 8 hex digits. No other secret has this format. A mistyped key is rejected without a query.
 */
const KEY_FORMAT = /^sk_[0-9a-z]{12}_[0-9a-f]{72}$/;
const PUBLIC_ID_ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyz';

export interface NewApiKey {
  /** The whole key. It is shown once and never stored. */
  key: string;
  /** The name of the key in lists and logs. */
  publicId: string;
  /** SHA-256 of the key, 32 bytes. */
  keyHash: Buffer;
}

export function createApiKey(): NewApiKey {
  const publicId = Array.from({ length: 12 }, () => PUBLIC_ID_ALPHABET[randomInt(36)]).join('');
  return apiKeyFrom(publicId, randomBytes(32));
}

/** Builds a key from its parts, for the fixed keys of the demo. */
export function apiKeyFrom(publicId: string, secret: Buffer): NewApiKey {
  const body = `sk_${publicId}_${secret.toString('hex')}`;
  const key = body + checksum(body);
  return { key, publicId, keyHash: Buffer.from(hashApiKey(key), 'hex') };
}

export function isWellFormedApiKey(text: string): boolean {
  return KEY_FORMAT.test(text) && checksum(text.slice(0, -8)) === text.slice(-8);
}

/** Returns the SHA-256 of a key in hex. A key has 256 random bits, so a slow hash would add no protection. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
