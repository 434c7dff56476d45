const BEARER = /^Bearer +(\S+) *$/i;

/** The token of an `Authorization` header, or undefined where it holds none. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return BEARER.exec(authorization ?? '')?.[1];
}
