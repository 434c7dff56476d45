import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The format of a secret: `src_`, the source's id in 32 hex digits, `_`, a secret of 256 bits in 64 hex digits, and a
 * CRC-32 of everything before it in 8 hex digits. The secret names its source, and a mistyped secret is rejected
 * without a query.
 */
const SECRET_FORMAT = /^src_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_[0-9a-f]{72}$/;

export function createSourceSecret(sourceId: string): string {
  return sourceSecretFrom(sourceId, randomBytes(32));
}

/** Builds a secret from given bytes, for the fixed sources of the demo and the tests. */
export function sourceSecretFrom(sourceId: string, bytes: Buffer): string {
  const body = `src_${sourceId.replaceAll('-', '')}_${bytes.toString('hex')}`;
  return body + checksum(body);
}

/** Parses the id of the source from its secret; undefined for a string in another format. */
export function parseSourceId(secret: string): string | undefined {
  const parts = SECRET_FORMAT.exec(secret)?.slice(1);
  return parts && checksum(secret.slice(0, -8)) === secret.slice(-8) ? parts.join('-') : undefined;
}

/** Returns the SHA-256 of a secret, 32 bytes. A secret has 256 random bits, so a slow hash would add no protection. */
export function hashSourceSecret(secret: string): Buffer {
  return Buffer.from(hash('sha256', secret, 'hex'), 'hex');
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
