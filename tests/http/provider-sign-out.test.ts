/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { components } from '../../generated/api-types.ts';
import { makeAdminLink } from '../support/admin.ts';
import { Visitor } from '../support/browser-visit.ts';
import { del, get, post } from '../support/client.ts';
import { askPage, type Page } from '../support/learner.ts';
import { CLIENT, OidcServer } from '../support/oidc-server.ts';
import { SamlServer } from '../support/saml-server.ts';
import { companies, learnerId } from '../support/world.ts';

type IdentityProvider = components['schemas']['IdentityProvider'];

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const { privateKey } = await generateKeyPair('RS256', { extractable: true });
const jwk = { ...(await exportJWK(privateKey)), kid: 'of-the-tests', use: 'sig', alg: 'RS256' };
const server = new OidcServer({
  configuration: {
    jwks: { keys: [jwk] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
  },
});
const saml = new SamlServer();
let provider: IdentityProvider;
const path = (place: string) => `/sso/${companies.tenant}/${provider.id}/${place}`;
const grace = { sub: 'grace', email: 'learner1@tenant.test' };

beforeAll(async () => {
  await server.start();
  await saml.start();
  const own = { name: 'Keycloak', protocol: 'oidc', issuer: server.issuer };
  const secret = { clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret };
  provider = (await post('/identity-providers', { ...own, ...secret })).body.data as IdentityProvider;
  const uri = `${testService.url}${path('backchannel-logout')}`;
  server.serve(provider.callbackUrl, { backchannel_logout_uri: uri, backchannel_logout_session_required: true });
  await switchOn(provider.id);
});
afterAll(() => Promise.all([server.stop(), saml.stop()]));
beforeEach(async () => {
  server.person = grace;
  await testService.query('delete from person_sessions');
});

async function switchOn(id: string): Promise<void> {
  await testService.query(
    `update identity_providers set tested_at = now(), admins = 'optional', learners = 'optional' where id = $1`,
    [id],
  );
}

async function signIn(place: 'learn' | 'console' = 'learn'): Promise<Visitor> {
  const visitor = new Visitor();
  expect((await visitor.signIn(server, path(place))).status).toBe(303);
  expect(await isIn(visitor, `/${place}`)).toBe(true);
  return visitor;
}

async function isIn(visitor: Visitor, home = '/learn'): Promise<boolean> {
  return !(await visitor.get(home)).html.includes('name="email"');
}

/** Returns the provider's id of the latest session. */
async function getSid(): Promise<string> {
  const [row] = await testService.query(
    `select provider_session as sid from person_sessions where provider_id = $1 order by created_at desc limit 1`,
    [provider.id],
  );
  return row!.sid as string;
}

async function sign(claims: JWTPayload, key = privateKey, header: object = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    ...{ iss: server.issuer, aud: CLIENT.client_id, iat: now, exp: now + 60, jti: crypto.randomUUID() },
    ...{ events: { [EVENT]: {} }, ...claims },
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'of-the-tests', typ: 'logout+jwt', ...header })
    .sign(key);
}

function send(token: string): Promise<Page> {
  return askPage(path('backchannel-logout'), { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
}

test('a logout token ends the session that it names, and no other', async () => {
  const [first, firstSid] = [await signIn(), await getSid()];
  const second = await signIn();
  expect(firstSid).toEqual(expect.any(String));
  const page = await send(await sign({ sub: 'grace', sid: firstSid }));
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect([await isIn(first), await isIn(second)]).toEqual([false, true]);
  const { entries } = (await get('/audit-log?operation=signOut')).body.data as unknown as { entries: object[] };
  expect(entries[0]).toMatchObject({
    ...{ actorType: 'identity_provider', actorId: provider.id, outcome: 'done' },
    targets: [
      { field: 'sessionId', count: 1 },
      { field: 'learnerId', ids: [learnerId('tenant', 1)] },
    ],
  });
});

test("a logout token without a session ends all of the person's sessions with the provider, for learners and for admins", async () => {
  const [learner, again] = [await signIn(), await signIn()];
  server.person = { sub: 'mary', email: 'admin1@tenant.test' };
  const mary = await signIn('console');
  const other = new Visitor();
  await other.get(`/console/sign-in/${await makeAdminLink('tenant')}`, { method: 'POST' });
  expect((await send(await sign({ sub: 'grace' }))).status).toBe(200);
  expect([await isIn(learner), await isIn(again), await isIn(mary, '/console')]).toEqual([false, false, true]);
  expect((await send(await sign({ sub: 'mary' }))).status).toBe(200);
  expect([await isIn(mary, '/console'), await isIn(other, '/console')]).toEqual([false, true]);
});

test('sessions that begin after the token are kept', async () => {
  const visitor = await signIn();
  await testService.query(`update person_sessions set created_at = now() + interval '5 minutes'`);
  expect((await send(await sign({ sub: 'grace' }))).status).toBe(200);
  expect(await isIn(visitor)).toBe(true);
});

describe('a token is rejected', () => {
  const seconds = Math.floor(Date.now() / 1000);
  test.each<[string, JWTPayload]>([
    ['of another issuer', { iss: 'https://other.example.org/' }],
    ['for another client', { aud: 'other' }],
    ['that has expired', { exp: seconds - 300 }],
    ['that is old', { iat: seconds - 600, exp: seconds + 600 }],
    ['without an event', { events: {} }],
    ['with events of another form', { events: 'logout' }],
    ['with a nonce, which an ID token has', { nonce: 'x' }],
    ['without a person and a session', { sub: undefined }],
    ['without its own id', { jti: undefined }],
  ])('%s', async (_name, claims) => {
    const visitor = await signIn();
    const page = await send(await sign({ sub: 'grace', ...claims }));
    expect([page.status, JSON.parse(page.html)]).toEqual([400, { error: 'invalid_request' }]);
    expect(await isIn(visitor)).toBe(true);
  });

  test('by another key, without a signature, and by HMAC', async () => {
    const visitor = await signIn();
    const other = await generateKeyPair('RS256');
    const good = await sign({ sub: 'grace' });
    const [, payload] = good.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hmac = new SignJWT(decodeJwt(good)).setProtectedHeader({ alg: 'HS256' });
    const tokens = [
      await sign({ sub: 'grace' }, other.privateKey),
      `${encode({ alg: 'none' })}.${payload}.`,
      await hmac.sign(Buffer.from(CLIENT.client_secret.padEnd(32, '0'))),
      ...['', 'a.b.c', 'x'.repeat(7000)],
    ];
    for (const token of tokens) expect((await send(token)).status).toBe(400);
    expect(await isIn(visitor)).toBe(true);
  });
});

test('a page in a frame of the provider ends the session that it names', async () => {
  const [visitor, sid] = [await signIn(), await getSid()];
  const front = (query: Record<string, string>) =>
    askPage(`${path('frontchannel-logout')}?${new URLSearchParams(query).toString()}`);
  expect((await front({ iss: 'https://other.example.org/', sid })).status).toBe(502);
  expect((await front({ iss: server.issuer, sid: '' })).status).toBe(502);
  expect((await front({ iss: server.issuer, sid: 'other' })).status).toBe(200);
  expect(await isIn(visitor)).toBe(true);
  const page = await front({ iss: server.issuer, sid });
  expect([page.status, page.headers.get('x-frame-options')]).toEqual([200, null]);
  expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${server.issuer}`);
  expect(await isIn(visitor)).toBe(false);
});

test("a sign-out from the service redirects to the provider's sign-out", async () => {
  const visitor = await signIn();
  const { html } = await visitor.get('/learn');
  const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
  const left = await visitor.get('/learn/sign-out', { method: 'POST', body: new URLSearchParams({ form_token }) });
  expect([left.status, left.headers.get('location')]).toEqual([303, path('signed-out/learn')]);
  const page = await visitor.get(path('signed-out/learn'));
  expect(page.html).toContain(`href="${server.issuer}/session/end?client_id=${CLIENT.client_id}"`);
  expect(page.html).toContain('href="/learn"');
  expect(await isIn(visitor)).toBe(false);
});

test('the issuer of a page in a frame can differ from the setting by the slash at the end', async () => {
  const [visitor, sid] = [await signIn(), await getSid()];
  const query = new URLSearchParams({ iss: `${server.issuer}/`, sid });
  expect((await askPage(`${path('frontchannel-logout')}?${query.toString()}`)).status).toBe(200);
  expect(await isIn(visitor)).toBe(false);
});

test.each(['https://*.example.org', 'https://a;sandbox.example.org', 'https://a,b.example.org'])(
  'no site can frame the page of the issuer %s, which is more than one origin in the header',
  async (issuer) => {
    const body = { name: 'Odd', protocol: 'oidc', issuer, clientId: 'awareness' };
    const { id } = (await post('/identity-providers', body)).body.data as IdentityProvider;
    const query = new URLSearchParams({ iss: issuer, sid: 'any' });
    const page = await askPage(`/sso/${companies.tenant}/${id}/frontchannel-logout?${query.toString()}`);
    expect(page.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    await del(`/identity-providers/${id}`);
  },
);

test('a sign-out after the provider was deleted returns to the sign-in page', async () => {
  const visitor = await signIn();
  const { html } = await visitor.get('/learn');
  const form_token = /name="form_token" value="([^"]+)"/.exec(html)![1]!;
  const form = new URLSearchParams({ form_token });
  const { headers } = await visitor.get('/learn/sign-out', { method: 'POST', body: form });
  const left = await visitor.get(headers.get('location')!.replace(provider.id, crypto.randomUUID()));
  expect([left.status, left.headers.get('location')]).toEqual([303, '/learn']);
});

test('a SAML provider, and one that does not respond, only get the page', async () => {
  const created = await post('/identity-providers', { name: 'AD FS', protocol: 'saml', metadata: saml.metadata });
  const { id } = created.body.data as IdentityProvider;
  const own = `/sso/${companies.tenant}/${id}`;
  const page = await askPage(`${own}/signed-out/console`);
  expect([page.status, page.html.includes('class="button"')]).toEqual([200, false]);
  const body = new URLSearchParams({ logout_token: await sign({ sub: 'grace' }) });
  expect((await askPage(`${own}/backchannel-logout`, { method: 'POST', body })).status).toBe(400);
  expect((await askPage(`${own}/frontchannel-logout?iss=x&sid=y`)).status).toBe(502);
});
