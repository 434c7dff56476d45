import { hash, randomBytes } from 'node:crypto';

const TOKEN_FORMAT = /^[\w-]{43}$/;

/** The secret of a setup link: 256 random bits in base64url. */
export function createSetupToken(): string {
  return randomBytes(32).toString('base64url');
}

export function isWellFormedSetupToken(text: string): boolean {
  return TOKEN_FORMAT.test(text);
}

/** What is stored of it: its SHA-256, 32 bytes. */
export function hashSetupToken(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}
