/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { inflateRawSync } from 'node:zlib';
import type { components } from '../../generated/api-types.ts';
import { makeAdminLink } from '../support/admin.ts';
import { Visitor } from '../support/browser-visit.ts';
import { get, patch, post } from '../support/client.ts';
import { ageProofs } from '../support/confirmations.ts';
import type { Page } from '../support/learner.ts';
import { attribute, createSamlKey } from '../support/saml-provider.ts';
import { type SamlForm, SamlServer } from '../support/saml-server.ts';
import { adminId, companies, learnerId } from '../support/world.ts';

type IdentityProvider = components['schemas']['IdentityProvider'];

const server = new SamlServer();
let provider: IdentityProvider;
const path = (place: string) => `/sso/${companies.tenant}/${provider.id}/${place}`;
const change = (body: object) => patch(`/identity-providers/${provider.id}`, body);
const reason = (html: string) => /<code>(\w+)<\/code>/.exec(html)?.[1];
const grace = { nameId: 'grace', email: 'Learner1@Tenant.test', firstName: 'Grace', lastName: 'Hopper' };
const invalid = (field: string) => ({
  ...{ status: 400, body: { error: { code: 'invalid_request', details: [{ field }] } } },
});

beforeAll(async () => {
  await server.start();
  const created = await post('/identity-providers', {
    ...{ name: 'AD FS', protocol: 'saml', metadataUrl: `${server.url}/metadata` },
  });
  expect(created.status).toBe(200);
  provider = created.body.data as IdentityProvider;
});
afterAll(() => server.stop());
beforeEach(async () => {
  Object.assign(server, { person: grace, isOn: true });
  await testService.query(
    `update identity_providers set tested_at = now(), admins = 'optional', learners = 'optional', roles = '[]'
      where id = $1`,
    [provider.id],
  );
  await testService.query('delete from provider_identities; delete from messages');
});

async function begin(visitor: Visitor, place = 'learn'): Promise<string> {
  const begun = await visitor.get(path(place));
  expect(begun.status).toBe(302);
  return begun.headers.get('location')!;
}

/** Sends the form of the provider, as the browser does when the page of the provider makes it. */
function send(visitor: Visitor, form: SamlForm, site = 'same-origin'): Promise<Page> {
  return visitor.get(path('callback'), {
    ...{ method: 'POST', body: new URLSearchParams({ ...form }) },
    headers: { 'sec-fetch-site': site },
  });
}

async function signIn(visitor = new Visitor(), place = 'learn'): Promise<Page> {
  return send(visitor, server.respond(await begin(visitor, place)));
}

async function isIn(visitor: Visitor, home: '/console' | '/learn'): Promise<boolean> {
  return !(await visitor.get(home)).html.includes('name="email"');
}

test('a provider has the entity ID of its metadata, and our entity ID is the URL of our metadata', async () => {
  expect(provider).toMatchObject({
    ...{ protocol: 'saml', issuer: server.entityId, hasClientSecret: false, metadataUrl: `${server.url}/metadata` },
    certificatesExpireAt: expect.any(String) as string,
    claims: { email: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress' },
  });
  expect(provider.clientId).toBe(`${testService.url}${path('metadata')}`);
  const metadata = await fetch(provider.clientId);
  expect(metadata.headers.get('content-type')).toContain('application/samlmetadata+xml');
  const text = await metadata.text();
  expect(text).toContain(`entityID="${provider.clientId}"`);
  expect(text).toContain(`Location="${provider.callbackUrl}"`);
});

test('a learner signs in by e-mail address, and afterwards only by the NameID', async () => {
  const visitor = new Visitor();
  const page = await signIn(visitor);
  expect([page.status, page.headers.get('location')]).toEqual([303, '/learn']);
  expect(await isIn(visitor, '/learn')).toBe(true);
  server.person = { nameId: 'grace', email: 'learner2@tenant.test' };
  expect((await signIn()).status).toBe(303);
  const sessions = await testService.query(
    `select distinct learner_id from person_sessions where company_id = $1 and learner_id is not null`,
    [companies.tenant],
  );
  expect(sessions).toEqual([{ learner_id: learnerId('tenant', 1) }]);
  server.person = { ...grace, nameId: 'someone-new' };
  expect(reason((await signIn()).html)).toBe('identity_differs');
});

test('a provider confirms the session of an admin by authenticating the person again', async () => {
  server.person = { nameId: 'mary', email: 'admin1@tenant.test' };
  const visitor = new Visitor();
  expect((await signIn(visitor, 'console')).status).toBe(303);
  await ageProofs();
  const countRecent = async () => {
    const recent = `proved_by = 'identity_provider' and proved_at > now() - interval '1 minute'`;
    return (await testService.query(`select from person_sessions where ${recent}`)).length;
  };
  const location = await begin(visitor, 'confirm');
  const request = inflateRawSync(Buffer.from(new URL(location).searchParams.get('SAMLRequest')!, 'base64'));
  expect(request.toString()).toContain(' ForceAuthn="true"');
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const old = await send(visitor, server.respond(location, { authn: { AuthnInstant: anHourAgo } }));
  expect([reason(old.html), await countRecent()]).toEqual(['sign_in_not_recent', 0]);
  server.person = { nameId: 'grace', email: 'admin2@tenant.test' };
  await testService.query(`update admins set status = 'active' where id = $1`, [adminId('tenant', 2)]);
  const other = await send(visitor, server.respond(await begin(visitor, 'confirm')));
  expect([reason(other.html), await countRecent()]).toEqual(['person_differs', 0]);
  server.person = { nameId: 'mary', email: 'admin1@tenant.test' };
  const form = server.respond(await begin(visitor, 'confirm'));
  const page = await send(visitor, form);
  expect([page.html.includes('You have confirmed that it is you'), await countRecent()]).toEqual([true, 1]);
  expect(reason((await send(visitor, form)).html)).toBe('attempt_unknown');
});

test("the provider's form is sent again from our site, because it arrived without our cookies", async () => {
  const visitor = new Visitor();
  const form = server.respond(await begin(visitor));
  const stranger = new Visitor();
  const page = await send(stranger, form, 'cross-site');
  expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
  expect(page.html).toContain(`name="RelayState" value="${form.RelayState}"`);
  expect(page.html).toContain('name="again"');
  expect(page.headers.get('content-security-policy')).toContain(`script-src 'self'`);
  const again = await visitor.get(path('callback'), {
    method: 'POST',
    body: new URLSearchParams({ ...form, again: 'yes' }),
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect([again.status, again.headers.get('location')]).toEqual([303, '/learn']);
});

test('a response works once, and only in the browser that asked for it', async () => {
  const visitor = new Visitor();
  const form = server.respond(await begin(visitor));
  expect(reason((await send(new Visitor(), form)).html)).toBe('attempt_unknown');
  const kept = new Map(visitor.cookies);
  expect((await send(visitor, form)).status).toBe(303);
  const thief = new Visitor();
  for (const [name, value] of kept) thief.cookies.set(name, value);
  expect(reason((await send(thief, form)).html)).toBe('attempt_unknown');
  expect(await isIn(thief, '/learn')).toBe(false);
});

test('the response to one request does not answer another', async () => {
  const visitor = new Visitor();
  const first = server.respond(await begin(visitor));
  const second = server.respond(await begin(visitor));
  const mixed = { SAMLResponse: first.SAMLResponse, RelayState: second.RelayState };
  const { html } = await send(visitor, mixed);
  expect(reason(html)).toBe('response_invalid');
  expect(html).toContain('InResponseTo');
});

test('a response by GET, a code for a SAML provider, and an oversized form are rejected', async () => {
  const visitor = new Visitor();
  const { RelayState } = server.respond(await begin(visitor));
  expect(reason((await visitor.get(`${path('callback')}?code=x&state=${RelayState}`)).html)).toBe('response_invalid');
  const large = await send(new Visitor(), { SAMLResponse: 'A'.repeat(400_000), RelayState });
  expect(large.status).toBe(413);
});

test.each([
  ['unsigned', { signs: 'none' }, 'response_invalid'],
  ['of another issuer', { issuer: 'https://other.example.org/' }, 'response_invalid'],
  ['for another audience', { restrictions: '' }, 'response_invalid'],
  [
    'that reports a failure',
    {
      status:
        '<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"></samlp:StatusCode></samlp:Status>',
    },
    'provider_refused',
  ],
  [
    'with a transient NameID',
    { nameIdAttributes: { Format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' } },
    'response_invalid',
  ],
  ['without an address', { attributes: attribute('other', 'x') }, 'email_missing'],
] as const)('a response %s signs nobody in', async (_name, form, expected) => {
  const visitor = new Visitor();
  const page = await send(visitor, server.respond(await begin(visitor), form));
  expect(reason(page.html)).toBe(expected);
  expect(await isIn(visitor, '/learn')).toBe(false);
});

test('a NameID in the form of an e-mail address is used as the address if no attribute has one', async () => {
  const visitor = new Visitor();
  const form = {
    ...{ nameId: 'learner1@tenant.test', attributes: ' ' },
    nameIdAttributes: { Format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' },
  };
  expect((await send(visitor, server.respond(await begin(visitor), form))).status).toBe(303);
});

test('an owner tests the provider, and groups decide roles', async () => {
  await testService.query(`update identity_providers set tested_at = null, admins = 'off', learners = 'off'`);
  const owner = new Visitor();
  await owner.get(`/console/sign-in/${await makeAdminLink('tenant')}`, { method: 'POST' });
  server.person = { nameId: 'mary', email: 'admin1@tenant.test', groups: ['Awareness owners'] };
  const tested = await signIn(owner, 'test');
  expect(tested.status).toBe(200);
  expect(tested.html).toContain('Awareness owners');
  expect((await change({ admins: 'optional' })).body.data).toMatchObject({ admins: 'optional' });
  expect((await change({ roles: [{ group: 'Auditors', role: 'auditor' }] })).status).toBe(200);
  expect(reason((await signIn(new Visitor(), 'console')).html)).toBe('role_missing');
  expect((await change({ roles: [{ group: 'Awareness owners', role: 'owner' }] })).status).toBe(200);
  const admin = new Visitor();
  expect((await signIn(admin, 'console')).headers.get('location')).toBe('/console');
  expect(await isIn(admin, '/console')).toBe(true);
  const { data } = (await get(`/sign-ins?adminId=${adminId('tenant', 1)}`)).body;
  expect(data.map(({ outcome }: { outcome: string }) => outcome)).toContain('succeeded');
});

describe('keys of the provider', () => {
  test('a new key in the metadata applies at once, and is stored', async () => {
    const before = (await get('/identity-providers')).body.data.at(-1) as IdentityProvider;
    server.keys = [await createSamlKey('P-256', new Date(Date.now() + 86_400_000 * 900).toISOString())];
    expect((await signIn()).status).toBe(303);
    const after = (await get('/identity-providers')).body.data.at(-1) as IdentityProvider;
    expect(after.certificatesExpireAt! > before.certificatesExpireAt!).toBe(true);
  });

  test("a sign-in begins at the provider's current URL", async () => {
    await testService.query(
      `update identity_providers set saml = saml || '{"signInUrl": "https://old.example.org/"}', name = 'Moved' where id = $1`,
      [provider.id],
    );
    expect(await begin(new Visitor())).toContain(new URL(server.url).port);
  });

  test('metadata with another entity ID signs nobody in, and is not stored', async () => {
    const { entityId } = server;
    server.entityId = 'https://attacker.example.org/';
    expect(reason((await signIn()).html)).toBe('response_invalid');
    server.entityId = entityId;
    expect((await signIn()).status).toBe(303);
  });

  test("new metadata of the same provider is accepted while it is on, another provider's metadata is not", async () => {
    const overlap = [await createSamlKey(), ...server.keys];
    server.keys = overlap;
    expect((await change({ metadata: server.metadata })).body.data).toMatchObject({ metadataUrl: null });
    expect((await signIn()).status).toBe(303);
    server.keys = overlap.slice(1);
    expect((await signIn()).status).toBe(303);
    server.keys = [await createSamlKey()];
    expect(reason((await signIn()).html)).toBe('response_invalid');
    const other = server.metadata.replace(server.entityId, 'https://other.example.org/');
    expect(await change({ metadata: other })).toMatchObject({
      ...{ status: 400, body: { error: { code: 'identity_provider_in_use' } } },
    });
    expect((await change({ metadataUrl: `${server.url}/metadata` })).status).toBe(200);
    expect((await signIn()).status).toBe(303);
  });

  // This test comes last, because the service does not ask the provider again for a while after it.
  test('the last metadata counts while the provider does not respond', async () => {
    server.isOn = false;
    expect((await signIn()).status).toBe(303);
  });
});

test.each([
  ['neither form of metadata', {}, 'body/metadata'],
  ['both forms', { metadata: '<a/>', metadataUrl: 'https://login.example.org/' }, 'body/metadataUrl'],
  ['an issuer', { issuer: 'https://login.example.org/' }, 'body/issuer'],
  ['text that is not XML', { metadata: 'hello' }, 'body/metadata'],
  ['a private address', { metadataUrl: 'https://10.0.0.1/' }, 'body/metadataUrl'],
  ['a URL that does not respond', { metadataUrl: 'http://127.0.0.1:9/' }, 'body/metadataUrl'],
])('%s is rejected', async (_name, body, field) => {
  expect(await post('/identity-providers', { name: 'Other', protocol: 'saml', ...body })).toMatchObject(invalid(field));
});

test('metadata is rejected for OpenID Connect', async () => {
  const own = { name: 'Other', protocol: 'oidc', issuer: 'https://login.example.org/', clientId: 'awareness' };
  expect(await post('/identity-providers', { ...own, metadata: server.metadata })).toMatchObject(
    invalid('body/metadata'),
  );
  expect(await post('/identity-providers', { name: 'Other', protocol: 'oidc', clientId: 'x' })).toMatchObject(
    invalid('body/issuer'),
  );
});
