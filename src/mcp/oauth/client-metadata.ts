import { isLoopback } from '../../loopback.ts';

/** What is kept of a client: it is public, has both grants, and one name. */
export interface ClientRecord {
  client_name?: string;
  redirect_uris: string[];
  application_type: 'web' | 'native';
  grant_types: string[];
  response_types: ['code'];
  token_endpoint_auth_method: 'none';
}

/** A client that is not taken, in a sentence for whoever wrote it. */
export class UnacceptableClient extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(code: UnacceptableClient['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const MOST_REDIRECTS = 10;
const LONGEST_REDIRECT = 2000;
const LONGEST_NAME = 80;
/** Schemes that a browser acts on itself, or hands to something other than the application that registered them. */
const DANGEROUS_SCHEME =
  /^(javascript|vbscript|data|blob|file|filesystem|about|view-source|jar|wss?|ftps?|mailto|tel|sms|intent|chrome|resource|search-ms|ms-.*|[a-z]*script):$/;
/** Control and formatting characters, which could make a name look like another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * Makes what real clients send into what the server works with: unknown fields are dropped, and a client with any
 * redirect that is not https counts as native, whose loopback redirects may use any port.
 * @throws {UnacceptableClient}
 */
export function normaliseClient(given: Readonly<Record<string, unknown>>): ClientRecord {
  requireIncluded(given.grant_types, 'grant_types', 'authorization_code');
  requireIncluded(given.response_types, 'response_types', 'code');
  const redirects = redirectsOf(given.redirect_uris);
  const name = typeof given.client_name === 'string' ? displayName(given.client_name) : '';
  return {
    ...(name && { client_name: name }),
    redirect_uris: redirects,
    application_type: redirects.every((uri) => new URL(uri).protocol === 'https:') ? 'web' : 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

function displayName(text: string): string {
  const plain = text.toWellFormed().replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...plain];
  return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME - 1).join('')}…` : plain;
}

function requireIncluded(list: unknown, field: string, value: string): void {
  const values: unknown[] = Array.isArray(list) ? list : [list];
  if (list === undefined || list === null || values.length === 0 || values.includes(value)) return;
  throw new UnacceptableClient('invalid_client_metadata', `${field} must include ${value}, or be left out.`);
}

/** One that is no list counts as a list of one. */
function redirectsOf(given: unknown): string[] {
  const list: unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0 || list.length > MOST_REDIRECTS || !list.every((uri) => typeof uri === 'string')) {
    throw refused(`redirect_uris must be a list of 1 to ${MOST_REDIRECTS} addresses.`);
  }
  for (const uri of list) requireSafeRedirect(uri);
  return [...new Set(list)];
}

function requireSafeRedirect(uri: string): void {
  if (uri.length > LONGEST_REDIRECT || !/^[!-[\]-~]+$/.test(uri) || !URL.canParse(uri)) {
    throw refused(
      `Each of redirect_uris must be an absolute address in ASCII, of up to ${LONGEST_REDIRECT} characters.`,
    );
  }
  const url = new URL(uri);
  if (uri.includes('#')) throw refused('redirect_uris must not contain a fragment (#).');
  if (url.username || url.password) throw refused('redirect_uris must not contain a user name or password.');
  if (uri.includes('*')) throw refused('redirect_uris are compared as they are: there are no wildcards.');
  if (DANGEROUS_SCHEME.test(url.protocol))
    throw refused(`redirect_uris must not use the scheme ${url.protocol.slice(0, -1)}.`);
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw refused('redirect_uris must use https, or http on localhost, 127.0.0.1 or [::1].');
  }
  if (url.protocol === 'https:' && isLoopback(url)) {
    throw refused('redirect_uris to the own machine must use http: there is no certificate for it.');
  }
}

function refused(message: string): UnacceptableClient {
  return new UnacceptableClient('invalid_redirect_uri', message);
}
