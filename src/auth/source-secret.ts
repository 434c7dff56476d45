import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `src_` + the 32 hex digits of the source's id + `_` + a secret of 256 bits as 64 hex digits + a CRC-32 of all before it
 * as 8. So the secret alone says whose it is, and a mistyped one is refused without asking the database.
 */
const SECRET_FORMAT = /^src_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_[0-9a-f]{72}$/;

export function createSourceSecret(sourceId: string): string {
  return sourceSecretFrom(sourceId, randomBytes(32));
}

/** A secret of given bytes: for the fixed sources of the demo and the tests. */
export function sourceSecretFrom(sourceId: string, bytes: Buffer): string {
  const body = `src_${sourceId.replaceAll('-', '')}_${bytes.toString('hex')}`;
  return body + checksum(body);
}

/** The id of the source that a secret names; undefined for a text that is no secret of a source. */
export function parseSourceId(secret: string): string | undefined {
  const parts = SECRET_FORMAT.exec(secret)?.slice(1);
  return parts && checksum(secret.slice(0, -8)) === secret.slice(-8) ? parts.join('-') : undefined;
}

/** The SHA-256 of the secret, 32 bytes. It has 256 random bits, so a slow hash would protect nothing more. */
export function hashSourceSecret(secret: string): Buffer {
  return Buffer.from(hash('sha256', secret, 'hex'), 'hex');
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
