import { hash, randomBytes } from 'node:crypto';

const TOKEN_FORMAT = /^[\w-]{43}$/;

/** The secret of a setup link: 256 random bits in base64url. */
export function createSetupToken(): string {
  return randomBytes(32).toString('base64url');
}

export function isWellFormedSetupToken(text: string): boolean {
  return TOKEN_FORMAT.test(text);
}

/** The SHA-256 of the secret, 32 bytes: the database has only this. */
export function hashSetupToken(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}
