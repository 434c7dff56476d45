import { hash, randomBytes } from 'node:crypto';
import type { PersonKind } from '../people.ts';

/**
 * The purpose of a sign-in: to sign in to the pages of learners or admins, to test the provider, or to confirm an
 * admin's identity in a session of the console.
 */
export type Purpose = PersonKind | 'test' | 'confirm';

/** A sign-in in progress, which the browser keeps in a cookie until the provider sends the browser back. */
export interface SignInAttempt {
  providerId: string;
  purpose: Purpose;
  /** Returned by the provider unchanged; it names the attempt. */
  state: string;
  /** Included by the provider in the ID token, so that a token of another attempt is rejected. */
  nonce: string;
  /** Proves to the provider that whoever redeems the code also started the sign-in (PKCE). */
  codeVerifier: string;
}

const FORMAT = /^([0-9a-f-]{36})\.(learner|admin|test|confirm)\.([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/;

export function beginAttempt(providerId: string, purpose: Purpose): SignInAttempt {
  const [state, nonce, codeVerifier] = [newSecret(), newSecret(), newSecret()];
  return { providerId, purpose, state, nonce, codeVerifier };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Formats an attempt as the value of a cookie. */
export function formatAttempt({ providerId, purpose, state, nonce, codeVerifier }: SignInAttempt): string {
  return [providerId, purpose, state, nonce, codeVerifier].join('.');
}

/** Reads the value of a cookie; undefined if it holds no attempt with this state and this provider. */
export function readAttempt(text: string, state: string, providerId: string): SignInAttempt | undefined {
  const [, ofProvider, purpose, own, nonce, codeVerifier] = FORMAT.exec(text) ?? [];
  if (own !== state || ofProvider !== providerId) return undefined;
  return { providerId, purpose: purpose as Purpose, state, nonce: nonce!, codeVerifier: codeVerifier! };
}

/** Returns the name of an attempt's cookie, so that attempts in several tabs do not replace each other. */
export function nameAttempt(state: string): string {
  return `sso-${hash('sha256', state, 'hex').slice(0, 8)}`;
}
