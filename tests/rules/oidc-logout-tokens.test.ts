import type { ProviderAccess } from '../../src/identity/providers/identity-providers.ts';
import type { SignOut } from '../../src/identity/providers/logout-token.ts';
import { createClient, startProvider, type TestProvider, toAccess } from '../support/provider-sign-in.ts';
import { createSigningKey, PATHS, signWith } from '../support/scripted-provider.ts';

const key = createSigningKey('RS256');
let server: TestProvider;

beforeAll(async () => {
  server = await startProvider();
});
afterAll(() => server.provider.stop());
beforeEach(() => server.provider.prepare(key));

function createToken(claims: object = {}, header: object = {}): string {
  const now = Math.floor(Date.now() / 1000);
  const parts = [
    { alg: 'RS256', kid: 'one', ...header },
    {
      ...{ iss: server.provider.issuer, aud: 'awareness', iat: now, exp: now + 60, jti: crypto.randomUUID() },
      ...{ events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, sub: 'grace', ...claims },
    },
  ];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${input}.${signWith(key, input).toString('base64url')}`;
}

function read(token: string, access: Partial<ProviderAccess> = {}): Promise<SignOut> {
  return createClient(server.authority).readLogoutToken(toAccess(server.provider, access), token);
}

test('a logout token names the person', async () => {
  expect(await read(createToken())).toMatchObject({ subject: 'grace' });
});

test('a token counts if its issuer differs from the setting only by the slash at the end', async () => {
  const issuer = `${server.provider.issuer}/`;
  expect(await read(createToken(), { issuer })).toMatchObject({ subject: 'grace' });
});

test("made-up tokens read the provider's keys only once", async () => {
  const client = createClient(server.authority);
  const access = toAccess(server.provider);
  const tokens = [
    'a.b.c',
    createToken({}, { alg: 'HS256' }),
    createToken({}, { kid: 'two' }),
    createToken({ aud: 'x' }),
  ];
  for (const token of [...tokens, ...tokens])
    await expect(client.readLogoutToken(access, token)).rejects.toMatchObject({ reason: 'response_invalid' });
  expect(server.provider.requests.filter((path) => path === PATHS.keys)).toHaveLength(1);
});

test('keys that are not JSON, or that come with an error, fail as a response of the provider', async () => {
  const { answers } = server.provider.exchange;
  answers[PATHS.keys] = (response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Maintenance</p>');
  await expect(read(createToken())).rejects.toMatchObject({ reason: 'response_invalid' });
  answers[PATHS.keys] = (response) => response.writeHead(503).end();
  await expect(read(createToken())).rejects.toMatchObject({ reason: 'provider_unavailable' });
});

test('keys are not read over http', async () => {
  server.provider.exchange.metadata.jwks_uri = `${server.provider.issuer.replace('https:', 'http:')}${PATHS.keys}`;
  await expect(read(createToken())).rejects.toMatchObject({ reason: 'response_invalid' });
});
