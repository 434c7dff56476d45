import { hash, randomBytes } from 'node:crypto';

const TOKEN_FORMAT = /^[\w-]{43}$/;

/** Creates the secret of a setup link: 256 random bits in base64url. */
export function createSetupToken(): string {
  return randomBytes(32).toString('base64url');
}

export function isWellFormedSetupToken(text: string): boolean {
  return TOKEN_FORMAT.test(text);
}

/** Returns the SHA-256 of a secret, 32 bytes. The database has only this hash. */
export function hashSetupToken(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}
