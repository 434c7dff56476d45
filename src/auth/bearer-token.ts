import type { Caller } from './caller.ts';

/** Who calls with a key or a token, and until when that is known to be so. */
export interface Bearer {
  caller: Caller;
  clientId: string;
  expiresAt: Date;
}

/** Finds who a token is for; undefined for one that is good for nothing. */
export type Verify = (token: string) => Promise<Bearer | undefined>;

const BEARER = /^Bearer +(\S+) *$/i;

/** The token of an `Authorization` header, or undefined where it holds none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}
