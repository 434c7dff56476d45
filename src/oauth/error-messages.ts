import { type Addresses, PATHS } from '../http/addresses.ts';

/** A pattern in the library's descriptions, and our sentence for it. The first match counts. */
type Wording = readonly [pattern: RegExp, sentence: string];

const PKCE = 'PKCE is required; send code_challenge with code_challenge_method=S256.';
const NO_DOCUMENT =
  'The metadata document at client_id could not be used; it must be JSON at a public https URL, with that URL ' +
  'as its client_id and without a secret.';
const PUBLIC_CLIENTS =
  'Only public clients are supported; send client_id in the body, without a secret or an Authorization header.';

const BY_DESCRIPTION: readonly Wording[] = [
  [/^missing required parameters? (.*)$/, 'Required parameters are missing: $1.'],
  [/PKCE|code_challenge|code_verifier/, PKCE],
  [/provided twice/, 'Each parameter must be sent only once.'],
  [/response_type/, 'response_type must be code.'],
  [/content-type bodies/, 'The parameters must be sent as an application/x-www-form-urlencoded body.'],
  [/parse the request body/, 'The body could not be read; it must be application/x-www-form-urlencoded.'],
  [/no client authentication mechanism/, 'client_id is missing; send it in the body.'],
  [/client authentication|authorization header|client_id mismatch|Authorization header/, PUBLIC_CLIENTS],
  [
    /^origin .* not allowed/,
    'Pages of this origin cannot send this request, because the application has no redirect URI there.',
  ],
  [/metadata document/, NO_DOCUMENT],
  [/session|authorization request has expired/, 'This approval has ended; start again in your application.'],
];

const BY_CODE: Readonly<Record<string, string>> = {
  access_denied: 'The request was denied.',
  consent_required: 'A person must approve this request; send it without prompt=none.',
  interaction_required: 'A person must approve this request; send it without prompt=none.',
  login_required: 'A person must approve this request; send it without prompt=none.',
  invalid_client: `The client_id is unknown or was removed; register at ${PATHS.register} and connect again.`,
  invalid_client_metadata: NO_DOCUMENT,
  invalid_grant:
    'The code or refresh token is unknown, expired, used or revoked, or redirect_uri or code_verifier does not match the ' +
    'code; have the connection approved again.',
  invalid_redirect_uri: 'redirect_uri is not registered for this application; send one exactly as it is registered.',
  invalid_request: 'The request is invalid: a parameter is missing, unknown or malformed.',
  invalid_scope: 'The scope was not approved; leave it out.',
  registration_not_supported: `Clients must register at ${PATHS.register}, not in the request.`,
  request_not_supported: 'Request objects are not supported; send the parameters themselves.',
  request_uri_not_supported: 'Request objects are not supported; send the parameters themselves.',
  server_error: 'The service failed to handle the request; try again later.',
  temporarily_unavailable: 'The service is temporarily unavailable; try again later.',
  unsupported_grant_type: 'grant_type must be authorization_code or refresh_token.',
  unsupported_response_mode: 'response_mode must be query or be left out.',
  unsupported_response_type: 'response_type must be code.',
  unsupported_token_type: 'The token is not a token of this server; send one that it issued.',
};

/**
 * Returns our sentence for an error from the library. The sentence names the fix and repeats no values from the
 * request.
 */
export function errorSentence({ resource }: Addresses, code: string, description = ''): string {
  // The description is already our own sentence: descriptions of the library have no full stop.
  if (description.endsWith('.')) return description;
  if (code === 'invalid_target') return `resource must be ${resource}, the URL of the tool server.`;
  for (const [pattern, sentence] of BY_DESCRIPTION) {
    const match = pattern.exec(description);
    if (match) return sentence.replace('$1', match[1] ?? '');
  }
  return BY_CODE[code] ?? BY_CODE.invalid_request!;
}
