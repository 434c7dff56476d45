import { redirectFault } from './redirect-rules.ts';

/** The stored metadata of a client. Every client is public, has both grant types and at most one name. */
export interface ClientRecord {
  client_name?: string;
  redirect_uris: string[];
  application_type: 'web' | 'native';
  grant_types: string[];
  response_types: ['code'];
  token_endpoint_auth_method: 'none';
}

/** Error about a rejected client, with a sentence for its developer. */
export class UnacceptableClient extends Error {
  readonly code: 'invalid_redirect_uri' | 'invalid_client_metadata';

  constructor(code: UnacceptableClient['code'], message: string) {
    super(message);
    this.code = code;
  }
}

const MAX_REDIRECTS = 10;
const MAX_NAME_LENGTH = 80;
/** Control and formatting characters, which could make a name look like another. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/**
 * Normalises the metadata of real clients. Drops unknown fields, and treats a client with any redirect that is not
 * https as native, whose loopback redirects can use any port.
 * @throws {UnacceptableClient}
 */
export function normaliseClient(input: Readonly<Record<string, unknown>>): ClientRecord {
  requireIncluded(input.grant_types, 'grant_types', 'authorization_code');
  requireIncluded(input.response_types, 'response_types', 'code');
  const redirects = parseRedirects(input.redirect_uris);
  const name = typeof input.client_name === 'string' ? displayName(input.client_name) : '';
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
  return characters.length > MAX_NAME_LENGTH ? `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…` : plain;
}

function requireIncluded(list: unknown, field: string, value: string): void {
  const values: unknown[] = Array.isArray(list) ? list : [list];
  if (list === undefined || list === null || values.length === 0 || values.includes(value)) return;
  throw new UnacceptableClient('invalid_client_metadata', `${field} must include ${value} or be left out.`);
}

/** Parses redirect URIs. A value that is not a list counts as a list of one. */
function parseRedirects(input: unknown): string[] {
  const list: unknown[] = Array.isArray(input) ? input : [input];
  if (list.length === 0 || list.length > MAX_REDIRECTS || !list.every((uri) => typeof uri === 'string')) {
    throw refused(`redirect_uris must be an array of 1 to ${MAX_REDIRECTS} URIs.`);
  }
  for (const uri of list) {
    const fault = redirectFault(uri);
    if (fault !== undefined) throw refused(fault);
  }
  return [...new Set(list)];
}

function refused(message: string): UnacceptableClient {
  return new UnacceptableClient('invalid_redirect_uri', message);
}
