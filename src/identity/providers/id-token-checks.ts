import { hash } from 'node:crypto';

/** Maximum difference between our clock and a provider's. A token issued further in the future is rejected. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 300;
/** Maximum length of a `sub`, by OpenID Connect Core 1.0, section 2. */
const MAX_SUBJECT = 255;
/** Control characters and halves of surrogate pairs. Postgres rejects NUL, and stores each half as the same character. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

type Claims = Record<string, unknown>;

/** An ID token whose signature, issuer, audience, nonce and expiry are valid. */
export interface VerifiedToken {
  text: string;
  claims: Claims;
}

/** The parts of a sign-in that an ID token can refer to. */
export interface TokenContext {
  clientId: string;
  accessToken: string;
  code: string;
}

/** Reports whether a string has only characters that the database stores unchanged. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** Reports whether an ID token passes the checks that openid-client 6.9 leaves to its caller. */
export function isAcceptable({ text, claims }: VerifiedToken, { clientId, accessToken, code }: TokenContext): boolean {
  const { sub, azp, iat, at_hash: accessTokenHash, c_hash: codeHash } = claims;
  const isHashOf = (value: unknown, secret: string) => value === undefined || value === halfHash(text, secret);
  return (
    isSubject(sub) &&
    (azp === undefined || azp === clientId) &&
    Number(iat) <= Date.now() / 1000 + MAX_CLOCK_DIFFERENCE_SECONDS &&
    isHashOf(accessTokenHash, accessToken) &&
    isHashOf(codeHash, code)
  );
}

function isSubject(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_SUBJECT && isStorable(value);
}

/**
 * Returns the left half of a hash, as in `at_hash` and `c_hash`, using the algorithm of the token's signature;
 * undefined if these claims are not defined for the algorithm.
 */
function halfHash(token: string, secret: string): string | undefined {
  const { alg } = JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as { alg: string };
  const bits = alg === 'EdDSA' || alg === 'Ed25519' ? '512' : /^[RPE]S(256|384|512)$/.exec(alg)?.[1];
  if (bits === undefined) return undefined;
  const bytes = hash(`sha${bits}`, secret, 'buffer');
  return bytes.subarray(0, bytes.length / 2).toString('base64url');
}
