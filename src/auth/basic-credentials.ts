/** Who calls by Basic authentication (RFC 7617), and what they show for it. */
export interface BasicCredentials {
  user: string;
  password: string;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+=*) *$/i;

/** The credentials of an `Authorization` header, or undefined where it holds none. */
export function basicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = BASIC.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
