import { hash, randomBytes } from 'node:crypto';

const FORMAT = /^[\w-]{64}$/;
const ID_BYTES = 16;

/**
 * Creates the secret of a sign-in link or of a session: the company's id and 256 random bits, in base64url. The id
 * allows looking the row up by its primary key. If somebody changes the id, the secret matches no row.
 */
export function createPersonToken(companyId: string): string {
  return Buffer.concat([Buffer.from(companyId.replaceAll('-', ''), 'hex'), randomBytes(32)]).toString('base64url');
}

/** Parses the company of a secret, and hashes the secret for the database; undefined for a string in another format. */
export function readPersonToken(text: string): { companyId: string; tokenHash: Buffer } | undefined {
  if (!FORMAT.test(text)) return undefined;
  const id = Buffer.from(text, 'base64url').toString('hex', 0, ID_BYTES);
  return { companyId: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'), tokenHash: hashPersonToken(text) };
}

export function hashPersonToken(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'hex'), 'hex');
}
