/** @jest-environment-options {"PUBLIC_URL": "https://awareness.example", "TRUSTED_PROXY_HOPS": "1", "AUTH_FAILURES_PER_MINUTE": "2"} */
import { keys } from '../support/world.ts';
import { ask, authorize, Browser, connect, expectRefusalPage, expectRefused, pkce, site } from './oauth-support.ts';

let addresses = 0;
/** Returns the header of a proxy with a new client IP address, so that each test has its own limit. */
function from(): Record<string, string> {
  addresses += 1;
  return { 'x-forwarded-for': `192.0.2.${addresses}` };
}

beforeAll(() => {
  site.name = 'https://awareness.example';
});

const DOCUMENT = '/.well-known/oauth-authorization-server';

test('the metadata contains the public URL', async () => {
  const { body } = await ask(DOCUMENT);
  expect(body).toMatchObject({
    issuer: 'https://awareness.example',
    token_endpoint: 'https://awareness.example/oauth/token',
  });
  const { body: resource } = await ask('/.well-known/oauth-protected-resource/mcp');
  expect(resource).toMatchObject({
    resource: 'https://awareness.example/mcp',
    authorization_servers: ['https://awareness.example'],
  });
});

test('the whole flow returns tokens, even though the last hop has no TLS', async () => {
  expect(await connect()).toMatchObject({ access: expect.any(String), refresh: expect.any(String) });
});

test('cookies require TLS', async () => {
  const clientId = await ask('/oauth/register', {
    json: { redirect_uris: ['https://client.test/callback'] },
    headers: from(),
  }).then(({ body }) => body.client_id as string);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: 'https://client.test/callback',
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
  });
  const reply = await ask(`/oauth/authorize?${query.toString()}`, { headers: from() });
  expect(reply.cookies.length).toBeGreaterThan(1);
  for (const cookie of reply.cookies) expect(cookie).toMatch(/^__Secure-oauth_\w+.*; secure; httponly/i);
});

describe('behind a trusted proxy', () => {
  test('X-Forwarded-Host takes precedence, whether valid or not', async () => {
    const inner = { host: '10.0.0.7:3000' };
    expect((await ask(DOCUMENT, { headers: { ...inner, 'x-forwarded-host': 'awareness.example' } })).status).toBe(200);
    expect((await ask(DOCUMENT, { headers: { ...inner, 'x-forwarded-host': 'evil.example' } })).status).toBe(400);
    expect((await ask(DOCUMENT, { headers: inner })).status).toBe(400);
  });

  test.each(['awareness.example', 'awareness.example:443', 'AWARENESS.example'])(
    'Host: %s is accepted',
    async (host) => {
      expect((await ask(DOCUMENT, { headers: { host } })).status).toBe(200);
    },
  );

  test.each([
    'awareness.example:80',
    'awareness.example.evil.example',
    'awareness.example@evil.example',
    'x, awareness.example',
  ])('Host: %s returns 400', async (host) => {
    expect((await ask(DOCUMENT, { headers: { host } })).status).toBe(400);
  });
});

describe('an IP address over the limit', () => {
  test('gets rate_limited when it registers clients', async () => {
    const headers = from();
    const again = () => ask('/oauth/register', { json: {}, headers });
    for (let n = 0; n < 2; n += 1) expectRefused(await again(), 'invalid_redirect_uri');
    const reply = await again();
    expectRefused(reply, 'rate_limited', 429);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('gets a 429 page when it requests approvals', async () => {
    const headers = from();
    const again = () => ask('/oauth/authorize?client_id=nobody', { headers });
    for (let n = 0; n < 2; n += 1) expectRefusalPage(await again());
    expect(expectRefusalPage(await again(), 429)).toContain('Wait a minute');
  });

  test('gets 429 after wrong keys in several approvals', async () => {
    const headers = from();
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const clientId = await ask('/oauth/register', {
        json: { redirect_uris: ['https://client.test/callback'] },
        headers: from(),
      }).then(({ body }) => body.client_id as string);
      const browser = await new Browser().open(await authorize(clientId, pkce().challenge, {}, from()));
      statuses.push((await browser.post({ action: 'check', key: keys.unknown }, headers)).status);
    }
    expect(statuses).toEqual([400, 400, 429]);
  });
});
