/** @jest-environment-options {"CORS_ORIGINS": "https://tools.example.org"} */
import { ask, authorize, Browser, encode, exchange, pkce, registerClient } from './oauth-support.ts';
import { request, send, toolCall } from './mcp-support.ts';

const LISTED = 'https://tools.example.org';
const OTHER = 'https://evil.example';
const preflight = (origin: string) => ({
  method: 'OPTIONS',
  headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
});

test('a page of a listed origin can call the tool server and read its responses', async () => {
  const asked = await send(undefined, { key: null, ...preflight(LISTED) });
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-origin')).toBe(LISTED);
  expect(asked.headers.get('access-control-allow-headers')).toMatch(/Authorization.*MCP-Protocol-Version/);
  const headers = { origin: LISTED };
  const called = await send(JSON.stringify(toolCall('service_get_company')), { headers });
  expect(called.status).toBe(200);
  expect(called.headers.get('access-control-allow-origin')).toBe(LISTED);
  expect(called.headers.get('vary')).toMatch(/origin/i);
  const refused = await send(JSON.stringify(request('tools/list')), { key: null, headers });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('access-control-allow-origin')).toBe(LISTED);
  expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
});

test.each([OTHER, 'null', `${LISTED}.evil.example`, 'http://tools.example.org'])(
  'the tool server rejects a page of the origin %s',
  async (origin) => {
    for (const answer of [
      await send(undefined, { key: null, ...preflight(origin) }),
      await send(JSON.stringify(request('tools/list')), { headers: { origin } }),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  },
);

test('registration and tokens use the same list of origins', async () => {
  for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
    expect((await ask(path, preflight(LISTED))).headers['access-control-allow-origin']).toBe(LISTED);
    expect((await ask(path, preflight(OTHER))).headers['access-control-allow-origin']).toBeUndefined();
  }
  const clientId = await registerClient();
  const token = async (origin: string) => {
    const { verifier, challenge } = pkce();
    const browser = await new Browser().open(await authorize(clientId, challenge));
    await browser.giveKey('tenant');
    const code = (await browser.decide('approve')).searchParams.get('code')!;
    const form = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier };
    return ask('/oauth/token', {
      form: encode({ ...form, redirect_uri: 'https://client.test/callback' }),
      headers: { origin },
    });
  };
  for (const origin of [LISTED, 'https://client.test'])
    expect(await token(origin)).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': origin } });
  expect((await token(OTHER)).status).toBe(400);
});

test.each([
  ['', '/'],
  ['/', ''],
  ['/', '/'],
  [undefined, '/'],
  ['', undefined],
])(
  'a resource that ends with %j at the approval and with %j at the token is the same resource',
  async (approved, asked) => {
    const { verifier, challenge } = pkce();
    const clientId = await registerClient();
    const at = (end: string | undefined) => (end === undefined ? undefined : `${testService.url}/mcp${end}`);
    const browser = await new Browser().open(await authorize(clientId, challenge, { resource: at(approved) }));
    await browser.giveKey('tenant');
    const code = (await browser.decide('approve')).searchParams.get('code')!;
    const { status, body } = await exchange({ clientId, code, verifier }, { resource: at(asked) });
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    const headers = { authorization: `Bearer ${body.access_token}` };
    expect((await send(JSON.stringify(toolCall('service_get_company')), { headers })).status).toBe(200);
    const again = await ask('/oauth/token', {
      form: encode({
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: body.refresh_token,
        resource: at(approved),
      }),
    });
    expect(again.status).toBe(200);
  },
);
