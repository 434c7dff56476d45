/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import {
  ask,
  authorize,
  type Changes,
  expectRefusalPage,
  mcp,
  pkce,
  REDIRECT,
  registerClient,
  type Reply,
} from './oauth-support.ts';

let clientId: string;
beforeAll(async () => {
  clientId = await registerClient();
});

const begin = (changes: Changes, id = clientId) => authorize(id, pkce().challenge, changes);

/** Expects an error page without links, and returns its text. */
function expectNobodySent(reply: Reply): string {
  const text = expectRefusalPage(reply);
  expect(reply.cookies).toEqual([]);
  expect(reply.text + JSON.stringify(reply.headers)).not.toMatch(
    /client\.test|evil|the-state|<a |href="(?!\/assets\/)|http-equiv/,
  );
  expect(reply.headers['content-security-policy']).toContain("form-action 'none'");
  return text;
}

/** Builds the query of a valid request, to which more can be appended. */
function soundQuery(): URLSearchParams {
  return new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
    state: 'the-state',
  });
}

describe('an authorization request with a registered redirect shows an error page without redirecting if', () => {
  test.each<[string, Changes, RegExp]>([
    ['it has no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, /S256/],
    ['its PKCE is plain', { code_challenge_method: 'plain' }, /S256/],
    ['its PKCE names no method', { code_challenge_method: undefined }, /S256/],
    ['its PKCE has only a method', { code_challenge: undefined }, /S256/],
    ['its challenge is too short', { code_challenge: 'short' }, /S256/],
    ['its challenge is too long', { code_challenge: 'A'.repeat(4000) }, /S256/],
    ['its challenge has foreign characters', { code_challenge: '+'.repeat(43) }, /S256/],
    ['it is for a foreign resource', { resource: 'https://evil.example/mcp' }, /\/mcp/],
    ['it is for a resource below the tool server', { resource: 'below' }, /\/mcp/],
    ['it is for another path of the service', { resource: 'v1' }, /\/mcp/],
    ['its resource is not a URL', { resource: 'mcp' }, /\/mcp/],
    ['its resource has a fragment', { resource: 'fragment' }, /\/mcp/],
    ['it requests a token directly', { response_type: 'token' }, /must be code/],
    ['it requests an ID token', { response_type: 'id_token' }, /must be code/],
    ['it requests a code and a token', { response_type: 'code token' }, /must be code/],
    ['it requests nothing', { response_type: 'none' }, /must be code/],
    ['it has no response type', { response_type: undefined }, /response_type/],
    ['it requests the response in a form', { response_mode: 'form_post' }, /query/],
    ['it requests the response in a fragment', { response_mode: 'fragment' }, /query/],
    ['it requests the response in a message', { response_mode: 'web_message' }, /query/],
    ['it requests a token in a form', { response_mode: 'form_post', response_type: 'token' }, /query/],
    ['it forbids a prompt', { prompt: 'none' }, /person/],
    ['it forbids and requires a prompt', { prompt: 'none login' }, /person/],
    ['it contains a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, /parameters themselves/],
    ['it refers to a request object', { request_uri: 'https://x.test/r' }, /parameters themselves/],
    [
      'it refers to a pushed request',
      { request_uri: 'urn:ietf:params:oauth:request_uri:AAAA' },
      /parameters themselves/,
    ],
    ['it registers a client', { registration: '{}' }, /register/],
    [
      'it has neither PKCE nor a redirect, and its client has one',
      { code_challenge: undefined, redirect_uri: undefined },
      /S256/,
    ],
  ])('%s', async (_case, changes, fix) => {
    const ours: Record<string, string> = {
      below: `${mcp()}/more`,
      v1: `${testService.url}/v1`,
      fragment: `${mcp()}#a`,
    };
    const resource = changes.resource && (ours[changes.resource] ?? changes.resource);
    const reply = await begin({ ...changes, ...(resource && { resource }) });
    const text = expectNobodySent(reply);
    expect(text).toMatch(fix);
    expect(text).toContain('Nothing was shared');
  });

  test.each([
    ['response_type', 'code'],
    ['state', 'more'],
    ['code_challenge', 'A'.repeat(43)],
    ['code_challenge_method', 'S256'],
    ['redirect_uri', REDIRECT],
    ['resource', 'https://evil.example/'],
  ])('it has two values for %s', async (name, value) => {
    const query = soundQuery();
    query.append(name, value);
    if (name === 'resource') query.append(name, mcp());
    expectNobodySent(await ask(`/oauth/authorize?${query.toString()}`));
  });

  test('it is a HEAD request', async () => {
    const query = soundQuery();
    query.delete('code_challenge');
    const reply = await ask(`/oauth/authorize?${query.toString()}`, { method: 'HEAD' });
    expect({ status: reply.status, location: reply.headers.location }).toEqual({ status: 400, location: undefined });
  });

  test('its redirect has the scheme of an application', async () => {
    const uri = 'com.example.app:/callback';
    const app = await registerClient({ redirect_uris: [uri] });
    expectNobodySent(await begin({ redirect_uri: uri, code_challenge: undefined }, app));
  });

  test.each(['', '&response_mode=form_post', '&response_mode=fragment', '&response_type=token'])(
    'it arrives at the URL of an approval that has ended, with%s',
    async (more) => {
      const query = soundQuery().toString() + more;
      const reply = await ask(`/oauth/authorize/${'A'.repeat(43)}?${query}`);
      expect(expectNobodySent(reply)).toContain('This approval has ended');
    },
  );
});

describe('a client that was stored before its redirect became invalid', () => {
  test.each(['smb://evil.example/share', 'ssh://evil.example', 'itms-services://?action=x', 'https://%2a/callback'])(
    '%s shows an error page without redirecting',
    async (uri) => {
      const stored = await registerClient();
      await testService.query(
        `update oauth_clients set metadata = jsonb_set(metadata, '{redirect_uris}', $2) where id = $1`,
        [stored, JSON.stringify([uri])],
      );
      for (const changes of [{}, { code_challenge: undefined }, { response_mode: 'form_post' }]) {
        expect(expectNobodySent(await begin({ redirect_uri: uri, ...changes }, stored))).toContain(
          'redirect_uris must',
        );
      }
    },
  );
});

describe('an authorization request shows an error page without redirecting if', () => {
  test.each<[string, Changes]>([
    ['its redirect has another host', { redirect_uri: 'https://evil.example/callback' }],
    ['its redirect has another path', { redirect_uri: `${REDIRECT}/more` }],
    ['its redirect has an additional query', { redirect_uri: `${REDIRECT}?next=https://evil.example` }],
    ['its redirect differs in case', { redirect_uri: REDIRECT.replace('client', 'CLIENT') }],
    ['its redirect is a look-alike host', { redirect_uri: 'https://client.test.evil.example/callback' }],
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

  test('it has two redirects, or none while its client has several', async () => {
    const several = await registerClient({ redirect_uris: [REDIRECT, 'https://client.test/other'] });
    expectRefusalPage(await begin({ redirect_uri: undefined }, several));
    const query = new URLSearchParams({ response_type: 'code', client_id: several, redirect_uri: REDIRECT });
    query.append('redirect_uri', 'https://evil.example/');
    expectRefusalPage(await ask(`/oauth/authorize?${query.toString()}`));
  });

  test('it names two clients', async () => {
    const query = new URLSearchParams({ response_type: 'code', client_id: clientId, redirect_uri: REDIRECT });
    query.append('client_id', await registerClient({ redirect_uris: ['https://evil.example/callback'] }));
    expectRefusalPage(await ask(`/oauth/authorize?${query.toString()}`));
  });
});

test('a loopback redirect is rejected on any port if the client has registered none', async () => {
  expectRefusalPage(await begin({ redirect_uri: 'http://127.0.0.1:8123/callback' }));
});

test('a native client can use any port of its loopback redirect, but no other path or host', async () => {
  const native = await registerClient({ redirect_uris: ['http://127.0.0.1/callback'] });
  expect((await begin({ redirect_uri: 'http://127.0.0.1:49152/callback' }, native)).status).toBe(303);
  for (const uri of ['http://127.0.0.1:49152/other', 'http://localhost:49152/callback', 'http://127.0.0.2/callback']) {
    expectRefusalPage(await begin({ redirect_uri: uri }, native));
  }
});

test.each(['POST', 'PUT', 'DELETE'])('%s /oauth/authorize returns 405', async (method) => {
  const reply = await ask('/oauth/authorize', { method });
  expect(reply.headers.allow).toBe('GET, HEAD');
  expectRefusalPage(reply, 405);
});

test('an unknown approval cannot be resumed', async () => {
  expectRefusalPage(await ask('/oauth/authorize/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'));
});
