/** The credentials of Basic authentication (RFC 7617). */
export interface BasicCredentials {
  user: string;
  password: string;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+=*) *$/i;

/** Parses the Basic credentials of an `Authorization` header; undefined if it has none. */
export function basicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = BASIC.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
