/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { ask, authorize, Browser, expectRefused, pkce, REDIRECT, type Reply } from './oauth-support.ts';

const register = (json: unknown): Promise<Reply> => ask('/oauth/register', { json });

/** Expects that the client gets to the approval page. */
async function expectUsable({ status, body }: Reply, redirect: string): Promise<void> {
  expect({ status, error: body.error_description }).toEqual({ status: 201, error: undefined });
  const browser = await new Browser().open(
    await authorize(body.client_id as string, pkce().challenge, { redirect_uri: redirect }),
  );
  expect(browser.page!.status).toBe(200);
}

describe('registration accepts', () => {
  test.each<[string, Record<string, unknown>, string]>([
    [
      'a hosted assistant',
      {
        client_name: 'Claude',
        redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        scope: 'claudeai',
      },
      'https://claude.ai/api/mcp/auth_callback',
    ],
    [
      'a terminal',
      {
        client_name: 'Claude Code (awareness)',
        redirect_uris: ['http://localhost:53412/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      },
      'http://localhost:60000/callback',
    ],
    [
      'an editor with its own scheme and no type',
      { client_name: 'Cursor', redirect_uris: ['cursor://anysphere.cursor-retrieval/oauth/user-x/callback'] },
      'cursor://anysphere.cursor-retrieval/oauth/user-x/callback',
    ],
    [
      'an editor that calls itself web',
      { redirect_uris: ['cursor://anysphere.cursor-retrieval/oauth/callback'], application_type: 'web' },
      'cursor://anysphere.cursor-retrieval/oauth/callback',
    ],
    [
      'an editor with https and loopback',
      {
        client_name: 'Visual Studio Code',
        redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
      'http://127.0.0.1:41234/',
    ],
    [
      'an inspector in the browser',
      { redirect_uris: ['http://localhost:6274/oauth/callback'], client_uri: 'https://x.test' },
      'http://localhost:6274/oauth/callback',
    ],
    ['a client with one redirect as text', { redirect_uris: REDIRECT }, REDIRECT],
    ['a client with a redirect twice', { redirect_uris: [REDIRECT, REDIRECT] }, REDIRECT],
    [
      'a client that requests more response types',
      { redirect_uris: [REDIRECT], response_types: ['code', 'token'] },
      REDIRECT,
    ],
    [
      'a client with nulls',
      { redirect_uris: [REDIRECT], client_name: null, scope: null, grant_types: null, jwks: null },
      REDIRECT,
    ],
    [
      'a client with all metadata of OpenID Connect',
      {
        redirect_uris: [REDIRECT],
        logo_uri: 'javascript:alert(1)',
        contacts: 'nobody',
        default_max_age: 1,
        require_auth_time: true,
        id_token_signed_response_alg: 'HS256',
        subject_type: 'pairwise',
        sector_identifier_uri: 'http://169.254.169.254/',
        jwks_uri: 'http://127.0.0.1/',
        initiate_login_uri: 'x',
        software_id: 'x',
        client_secret: 'x',
        client_id: 'mine',
        __proto__x: 1,
      },
      REDIRECT,
    ],
    ['a client with an emoji name', { redirect_uris: [REDIRECT], client_name: '🦊\ud800' }, REDIRECT],
    [
      'an editor with three redirects at once',
      {
        redirect_uris: [
          'cursor://anysphere.cursor-mcp/oauth/callback',
          'https://www.cursor.com/agents/mcp/oauth/callback',
          'http://localhost:8787/callback',
        ],
      },
      'cursor://anysphere.cursor-mcp/oauth/callback',
    ],
    [
      'an extension of an editor',
      { redirect_uris: ['vscode://saoudrizwan.claude-dev/mcp-auth/callback/0a1b2c'] },
      'vscode://saoudrizwan.claude-dev/mcp-auth/callback/0a1b2c',
    ],
    ['a shell', { redirect_uris: ['warp://mcp/oauth2callback'] }, 'warp://mcp/oauth2callback'],
    [
      'a client with the scheme of a phone application',
      { redirect_uris: ['com.example.app:/callback'] },
      'com.example.app:/callback',
    ],
    [
      'a client with a scheme that begins with a country',
      { redirect_uris: ['ai.example.desktop://auth/callback'] },
      'ai.example.desktop://auth/callback',
    ],
    [
      'a client with escapes and a port',
      { redirect_uris: ['https://Client.test:8443/a%20b?to=%2Fhome'] },
      'https://Client.test:8443/a%20b?to=%2Fhome',
    ],
  ])('%s', async (_case, metadata, redirect) => {
    await expectUsable(await register(metadata), redirect);
  });

  test('a client and returns it as a public client with both grants, without other fields', async () => {
    const { body, headers } = await register({
      client_name: 'Notes',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      logo_uri: 'https://client.test/logo.png',
    });
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Notes',
      redirect_uris: [REDIRECT],
      application_type: 'web',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

describe('a registration is rejected with', () => {
  test.each([
    'http://evil.example/callback',
    'http://127.0.0.1.evil.example/callback',
    'http://localhost.evil.example/',
    'http://0.0.0.0/callback',
    'http://192.168.0.1/callback',
    'http://127.0.0.1@evil.example/',
    'https://user:password@client.test/',
    'https://localhost/callback',
    'https://client.test/callback#fragment',
    'https://*.client.test/callback',
    'https://client.test/\\evil.example',
    'https://client.test/a b',
    'https://client.test/\u0000',
    'https://client.test/\ud800',
    'https://clіent.test/callback',
    'javascript:alert(1)',
    'JavaScript://client.test/%0aalert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://client.test/x',
    'about:blank',
    'view-source:https://client.test/',
    'ftp://client.test/',
    'ws://client.test/',
    'mailto:a@client.test',
    'ms-settings:privacy',
    'smb://client.test/share',
    'ssh://client.test',
    'itms-services://?action=download-manifest',
    'x-apple.systempreferences:com.apple.preference.security',
    'z39.50r://client.test/',
    'com.:/callback',
    '.com.example:/callback',
    'cursor://anysphere.cursor-deeplink/mcp/install?config=x',
    'cursor://anysphere.cursor-mcp/oauth/../../anysphere.cursor-deeplink/mcp/install',
    'cursor://anysphere.cursor-mcp/oauth/%2e%2E/install',
    'cursor://anysphere.cursor-mcp@evil.example/oauth/callback',
    'cursor://anysphere.cursor-mcp.evil.example/oauth/callback',
    'vscode://vscode.git/clone?url=https://evil.example/',
    'vscode:mcp/install?x',
    'https://evil.example;sandbox/callback',
    'https://evil.example%3bsandbox/callback',
    'https://evil.example,sandbox/callback',
    "https://'none'/callback",
    'https://"client.test"/callback',
    'https://%2a/callback',
    'https://%2A.client.test/callback',
    'https://client_test/callback',
    'https://client.test./callback',
    'https://[2001:db8::1]/callback',
    'https://0x7f.1/callback',
    'https://client.test/%2e%2e/callback',
    'https://client.test/a%2Fcallback',
    'https://client.test/a%5ccallback',
    'https://client.test/a%252fcallback',
    'https://client.test/callback%0d%0aX:%20y',
    'https://client.test/a/../callback',
    'https:client.test/callback',
    'https:/client.test/callback',
    'https:///client.test/callback',
    'https://client%2etest/callback',
    'https://cl%d1%96ent.test/callback',
    'http://127.1/callback',
    'http://0x7f000001/callback',
    'http://2130706433/callback',
    'cursor://anysphere.cursor-mcp/oauth/..%2f..%2fanysphere.cursor-deeplink/mcp/install',
    'cursor://anysphere.cursor-mcp/oauth/..%5cinstall',
    'vscode://saoudrizwan.claude-dev/mcp-auth/callback/%2E%2e/%2e%2e/x',
    'com.example.app:/a%2f..%2fb',
    'ms-msdt:/id',
    'search-ms:query=x',
    'x-apple.systempreferences:/x',
    'intent://client.test/#Intent',
    'intent:/client.test',
    'vnd.youtube:/x',
    'vnd.ms.radio:/x',
    'microsoft.windows.camera:/x',
    'android.resource:/x',
    'soap.beep:/x',
    'com.apple.tv:/x',
    'com.microsoft.x:/x',
    'com.android.settings:/x',
    '/callback',
    '//client.test/callback',
    'callback',
    '',
    `https://client.test/${'x'.repeat(2000)}`,
  ])('the redirect %j', async (uri) => {
    expectRefused(await register({ redirect_uris: [REDIRECT, uri] }), 'invalid_redirect_uri');
  });

  test.each<[string, unknown]>([
    ['no value', undefined],
    ['an empty list', []],
    ['a list of numbers', [1]],
    ['nested lists', [[REDIRECT]]],
    ['null', null],
    ['an object', { a: REDIRECT }],
    ['eleven values', Array.from({ length: 11 }, (_, n) => `${REDIRECT}/${n}`)],
  ])('%s as redirects', async (_case, redirect_uris) => {
    expectRefused(await register({ redirect_uris }), 'invalid_redirect_uri');
  });

  test.each([
    ['grant_types', ['client_credentials']],
    ['grant_types', ['password', 'implicit']],
    ['grant_types', 'urn:ietf:params:oauth:grant-type:device_code'],
    ['response_types', ['token']],
    ['response_types', ['id_token']],
  ])('%s of %j', async (field, value) => {
    const reply = await register({ redirect_uris: [REDIRECT], [field]: value });
    expectRefused(reply, 'invalid_client_metadata');
    expect(reply.body.error_description).toContain(field);
  });

  test.each([
    ['not JSON', '{', 'application/json'],
    ['an array', '[]', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a form', `redirect_uris=${REDIRECT}`, 'application/x-www-form-urlencoded'],
    ['plain text', '{}', 'text/plain'],
    ['17 KiB', JSON.stringify({ redirect_uris: [REDIRECT], client_name: 'x'.repeat(17_000) }), 'application/json'],
  ])('a body that is %s', async (_case, form, type) => {
    expectRefused(await ask('/oauth/register', { form, headers: { 'content-type': type } }), 'invalid_client_metadata');
  });

  test('no body', async () => {
    expectRefused(await ask('/oauth/register', { method: 'POST' }), 'invalid_client_metadata');
  });
});

test('registrations cannot be read, replaced or deleted', async () => {
  const { body } = await register({ redirect_uris: [REDIRECT] });
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const reply = await ask(`/oauth/register/${body.client_id as string}`, { method });
    expect(reply.status).toBe(404);
  }
  expectRefused(await ask('/oauth/register'), 'method_not_allowed', 405);
});
