/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import {
  ask,
  authorize,
  type Changes,
  expectErrorRedirect,
  expectRefusalPage,
  mcp,
  pkce,
  REDIRECT,
  registerClient,
} from './oauth-support.ts';

let clientId: string;
beforeAll(async () => {
  clientId = await registerClient();
});

const begin = (changes: Changes, id = clientId) => authorize(id, pkce().challenge, changes);

describe('an authorization request is sent back to the application when', () => {
  test.each<[string, string, Changes, RegExp]>([
    ['it has no PKCE', 'invalid_request', { code_challenge: undefined, code_challenge_method: undefined }, /S256/],
    ['its PKCE is plain', 'invalid_request', { code_challenge_method: 'plain' }, /S256/],
    ['its PKCE names no method', 'invalid_request', { code_challenge_method: undefined }, /S256/],
    ['its PKCE has a method alone', 'invalid_request', { code_challenge: undefined }, /S256/],
    ['its challenge is too short', 'invalid_request', { code_challenge: 'short' }, /S256/],
    ['its challenge has foreign characters', 'invalid_request', { code_challenge: '+'.repeat(43) }, /S256/],
    ['it is for a foreign resource', 'invalid_target', { resource: 'https://evil.example/mcp' }, /\/mcp/],
    ['it is for a resource below ours', 'invalid_target', { resource: 'below' }, /\/mcp/],
    ['it is for another path of ours', 'invalid_target', { resource: 'v1' }, /\/mcp/],
    ['its resource is no address', 'invalid_target', { resource: 'mcp' }, /\/mcp/],
    ['its resource has a fragment', 'invalid_target', { resource: 'fragment' }, /\/mcp/],
    ['it wants a token at once', 'unsupported_response_type', { response_type: 'token' }, /code/],
    ['it wants an id token', 'unsupported_response_type', { response_type: 'id_token' }, /code/],
    ['it wants code and token', 'unsupported_response_type', { response_type: 'code token' }, /code/],
    ['it has no response type', 'invalid_request', { response_type: undefined }, /response_type/],
    ['it wants the answer in a form', 'unsupported_response_mode', { response_mode: 'form_post' }, /query/],
    ['it wants the answer in a fragment', 'unsupported_response_mode', { response_mode: 'fragment' }, /query/],
    ['nobody may be asked', 'interaction_required', { prompt: 'none' }, /person/],
    ['it brings a request object', 'request_not_supported', { request: 'eyJhbGciOiJub25lIn0.e30.' }, /parameters/],
    ['it points to a request object', 'request_uri_not_supported', { request_uri: 'https://x.test/r' }, /parameters/],
    ['it registers a client', 'registration_not_supported', { registration: '{}' }, /register/],
  ])('%s: %s', async (_case, error, changes, fix) => {
    const ours: Record<string, string> = {
      below: `${mcp()}/more`,
      v1: `${testService.url}/v1`,
      fragment: `${mcp()}#a`,
    };
    const resource = changes.resource && (ours[changes.resource] ?? changes.resource);
    const reply = await begin({ ...changes, ...(resource && { resource }) });
    const url = expectErrorRedirect(reply, error);
    expect(url.searchParams.get('error_description')).toMatch(fix);
    expect(reply.cookies).toEqual([]);
  });

  test('it asks for two resources, one of them foreign', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
      state: 'the-state',
    });
    query.append('resource', mcp());
    query.append('resource', 'https://evil.example/');
    expectErrorRedirect(await ask(`/oauth/authorize?${query.toString()}`), 'invalid_target');
  });
});

describe('an authorization request ends with a page, and sends nobody anywhere, when', () => {
  test.each<[string, Changes]>([
    ['its redirect is of another host', { redirect_uri: 'https://evil.example/callback' }],
    ['its redirect is of another path', { redirect_uri: `${REDIRECT}/more` }],
    ['its redirect has a query besides', { redirect_uri: `${REDIRECT}?next=https://evil.example` }],
    ['its redirect differs in case', { redirect_uri: REDIRECT.replace('client', 'CLIENT') }],
    ['its redirect is a look-alike', { redirect_uri: 'https://client.test.evil.example/callback' }],
    ['its redirect hides behind a user name', { redirect_uri: 'https://client.test@evil.example/callback' }],
    ['its redirect is a script', { redirect_uri: 'javascript:alert(1)' }],
    ['its client is unknown', { client_id: '00000000-0000-4000-8000-000000000000' }],
    ['its client is a null character', { client_id: '\0' }],
    ['it has no client', { client_id: undefined }],
    ['its state is a null character', { state: '\0' }],
  ])('%s', async (_case, changes) => {
    const reply = await begin(changes);
    const text = expectRefusalPage(reply);
    expect(text).not.toMatch(/evil|alert/);
    expect(text.trim()).toMatch(/\.$/);
    expect(reply.headers['content-security-policy']).toContain("form-action 'none'");
  });

  test('it has two redirects, or none, and its client several', async () => {
    const several = await registerClient({ redirect_uris: [REDIRECT, 'https://client.test/other'] });
    expectRefusalPage(await begin({ redirect_uri: undefined }, several));
    const query = new URLSearchParams({ response_type: 'code', client_id: several, redirect_uri: REDIRECT });
    query.append('redirect_uri', 'https://evil.example/');
    expectRefusalPage(await ask(`/oauth/authorize?${query.toString()}`));
  });

  test('it has two clients', async () => {
    const query = new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT });
    query.append('client_id', await registerClient({ redirect_uris: ['https://evil.example/callback'] }));
    expectRefusalPage(await ask(`/oauth/authorize?${query.toString()}`));
  });
});

test('a loopback redirect of a client that registered none is refused, on any port', async () => {
  expectRefusalPage(await begin({ redirect_uri: 'http://127.0.0.1:8123/callback' }));
});

test('a native client may use any port of its loopback redirect, but no other path or host', async () => {
  const native = await registerClient({ redirect_uris: ['http://127.0.0.1/callback'] });
  expect((await begin({ redirect_uri: 'http://127.0.0.1:49152/callback' }, native)).status).toBe(303);
  for (const uri of ['http://127.0.0.1:49152/other', 'http://localhost:49152/callback', 'http://127.0.0.2/callback']) {
    expectRefusalPage(await begin({ redirect_uri: uri }, native));
  }
});

test.each(['POST', 'PUT', 'DELETE'])('%s /oauth/authorize is a 405', async (method) => {
  const reply = await ask('/oauth/authorize', { method });
  expect(reply.headers.allow).toBe('GET, HEAD');
  expectRefusalPage(reply, 405);
});

test('an approval that is nobody’s cannot be resumed', async () => {
  expectRefusalPage(await ask('/oauth/authorize/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'));
});
