import type { Caller } from './caller.ts';

/** Who calls with a key or a token. */
export interface Bearer {
  caller: Caller;
  clientId: string;
  /** Of an access token. */
  expiresAt?: Date;
}

/** Finds the caller of a token; undefined for a token that is invalid. */
export type Verify = (token: string) => Promise<Bearer | undefined>;

const BEARER = /^Bearer +(\S+) *$/i;

/** The token of an `Authorization` header, or undefined where it holds none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}
