/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { connect as openSocket } from 'node:net';
import { type Ask, ask, authorize, connect, expectRefused, pkce, refresh, registerClient } from './oauth-support.ts';

const ROUTES: [method: string, path: string][] = [
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
  ['GET', '/oauth/authorize'],
  ['GET', `/oauth/authorize/${'A'.repeat(43)}`],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/register'],
  ['POST', '/oauth/revoke'],
  ['GET', `/connect/${'A'.repeat(43)}`],
  ['POST', `/connect/${'A'.repeat(43)}`],
];

/**
 * Expects that a request with another host is rejected, and that the response names the right host and not the other.
 */
async function expectMisnamed(path: string, options: Ask): Promise<void> {
  const reply = await ask(path, options);
  expect(reply.status).toBe(400);
  expect(reply.text).toContain(testService.url);
  expect(reply.text + JSON.stringify(reply.headers)).not.toContain('evil');
}

describe.each(ROUTES)('%s %s', (method, path) => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', 'localhost', '127.0.0.1.evil.example'])(
    'rejects Host: %s',
    async (host) => {
      await expectMisnamed(path, { method, headers: { host } });
    },
  );

  test('returns 400 for a malformed Host', async () => {
    const reply = await ask(path, { method, headers: { host: 'a b' } });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('The Host header must be a host');
  });

  test('rejects a request target with another host', async () => {
    await expectMisnamed(path, { method, target: `http://evil.example${path}` });
  });

  test('ignores X-Forwarded-Host and Forwarded without a trusted proxy', async () => {
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const reply = await ask(path, { method, headers });
    expect(reply.text + JSON.stringify(reply.headers)).not.toMatch(/evil|https:\/\/127/);
  });
});

test('a request without a Host is rejected', async () => {
  const { hostname, port } = new URL(testService.url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = openSocket(Number(port), hostname, () => {
      socket.write('GET /.well-known/oauth-authorization-server HTTP/1.0\r\n\r\n');
    });
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString()));
    socket.on('end', () => resolve(said));
    socket.on('error', reject);
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
});

test('a request target with the host of the service is accepted', async () => {
  const path = '/.well-known/oauth-authorization-server';
  const { status, body } = await ask(path, { target: `${testService.url}${path}` });
  expect({ status, issuer: body.issuer }).toEqual({ status: 200, issuer: testService.url });
  const reply = await ask('/oauth/authorize', { target: `${testService.url}/oauth/authorize?client_id=nobody` });
  expect(reply.status).toBe(400);
});

test('the redirects of the flow stay on the service', async () => {
  const clientId = await registerClient();
  const location = new URL((await authorize(clientId, pkce().challenge)).headers.location!, testService.url);
  expect(location.origin).toBe(testService.url);
});

describe('an Origin', () => {
  test.each(['https://evil.example', 'null', 'http://client.test'])(
    'of %s gets no tokens and cannot revoke',
    async (origin) => {
      const tokens = await connect();
      expectRefused(
        await ask('/oauth/token', {
          form: { grant_type: 'refresh_token', client_id: tokens.clientId, refresh_token: tokens.refresh },
          headers: { origin },
        }),
        'invalid_request',
      );
      const revoked = await ask('/oauth/revoke', {
        form: { client_id: tokens.clientId, token: tokens.access },
        headers: { origin },
      });
      expectRefused(revoked, 'invalid_request');
      expect(revoked.headers['access-control-allow-origin']).toBeUndefined();
      expect((await refresh(tokens)).status).toBe(200);
    },
  );

  test('of the application gets tokens, for clients that are web pages', async () => {
    const tokens = await connect();
    const { status, headers } = await ask('/oauth/token', {
      form: { grant_type: 'refresh_token', client_id: tokens.clientId, refresh_token: tokens.refresh },
      headers: { origin: 'https://client.test' },
    });
    expect({ status, cors: headers['access-control-allow-origin'] }).toEqual({
      status: 200,
      cors: 'https://client.test',
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  test.each(ROUTES)('of another site cannot send cookies to %s %s', async (method, path) => {
    const { headers } = await ask(path, { method, headers: { origin: 'https://evil.example' } });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    if (path.startsWith('/connect') || path.startsWith('/oauth/authorize')) {
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

test.each([
  '/oauth',
  '/oauth/',
  '/OAUTH/TOKEN',
  '/oauth/token/',
  '/oauth/jwks',
  '/jwks',
  '/.well-known/openid-configuration',
])('%s returns 404', async (path) => {
  const { status, body } = await ask(path);
  expect({ status, code: body.error?.code }).toEqual({ status: 404, code: 'not_found' });
});
