import type { Caller } from './caller.ts';

/** The caller that an API key or an access token identifies. */
export interface Bearer {
  caller: Caller;
  clientId: string;
  /** The expiry of an access token; undefined for a key. */
  expiresAt?: Date;
}

/** Finds the caller of a token; returns undefined for an invalid token. */
export type Verify = (token: string) => Promise<Bearer | undefined>;

const BEARER = /^Bearer +(\S+) *$/i;

/** Parses the bearer token of an `Authorization` header; undefined if it has none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}
