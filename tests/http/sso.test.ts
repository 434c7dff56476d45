/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import type { components } from '../../generated/api-types.ts';
import { makeAdminLink } from '../support/admin.ts';
import { Visitor } from '../support/browser-visit.ts';
import { get, patch, post } from '../support/client.ts';
import { askPage, makeLink } from '../support/learner.ts';
import { CLIENT, OidcServer } from '../support/oidc-server.ts';
import { adminId, companies, learnerId } from '../support/world.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';

type IdentityProvider = components['schemas']['IdentityProvider'];

const server = new OidcServer();
let provider: IdentityProvider;
const path = (place: string) => `/sso/${companies.tenant}/${provider.id}/${place}`;
const change = (body: object) => patch(`/identity-providers/${provider.id}`, body);
const reason = (html: string) => /<code>(\w+)<\/code>/.exec(html)?.[1];

const grace = { sub: 'grace', email: 'Learner1@Tenant.test', given_name: 'Grace', family_name: 'Hopper' };
const mary = { sub: 'mary', email: 'admin1@tenant.test' };

beforeAll(async () => {
  await server.start();
  const own = { name: 'Entra ID', protocol: 'oidc', issuer: server.issuer };
  const created = await post('/identity-providers', {
    ...{ ...own, clientId: CLIENT.client_id, clientSecret: CLIENT.client_secret },
  });
  expect(created.status).toBe(200);
  provider = created.body.data as IdentityProvider;
  server.serve(provider.callbackUrl);
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.person = grace;
  await testService.query(
    `update identity_providers set tested_at = now(), admins = 'optional', learners = 'optional',
    roles = '[]', creates_learners = false where id = $1`,
    [provider.id],
  );
  await testService.query('delete from provider_identities; delete from messages');
});

async function signedInAdmin(): Promise<Visitor> {
  const visitor = new Visitor();
  const { status } = await visitor.get(`/console/sign-in/${await makeAdminLink('tenant')}`, { method: 'POST' });
  expect(status).toBe(303);
  return visitor;
}

async function isIn(visitor: Visitor, home: '/console' | '/learn'): Promise<boolean> {
  return !(await visitor.get(home)).html.includes('name="email"');
}

test('a provider is switched on only after a test sign-in', async () => {
  await testService.query(`update identity_providers set tested_at = null, admins = 'off', learners = 'off'`);
  expect(await change({ learners: 'optional' })).toMatchObject({
    ...{ status: 400, body: { error: { code: 'identity_provider_untested' } } },
  });
  const page = await new Visitor().get(path('learn'));
  expect([page.status, reason(page.html)]).toEqual([404, 'provider_off']);
  const stranger = await new Visitor().get(path('test'));
  expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/console']);
  const admin = await signedInAdmin();
  const tested = await admin.signIn(server, path('test'));
  expect(tested.status).toBe(200);
  expect(tested.html).toContain('Learner1@Tenant.test');
  expect(await change({ learners: 'optional' })).toMatchObject({
    ...{ status: 200, body: { data: { learners: 'optional', testedAt: expect.any(String) as string } } },
  });
  expect(await change({ issuer: 'https://other.test/' })).toMatchObject({
    ...{ status: 400, body: { error: { code: 'identity_provider_in_use' } } },
  });
  expect(await change({ learners: 'off' })).toMatchObject({ status: 200 });
  expect(await change({ clientId: 'other' })).toMatchObject({ status: 200, body: { data: { testedAt: null } } });
  expect(await change({ clientId: CLIENT.client_id })).toMatchObject({ status: 200 });
});

test("a learner signs in by e-mail address, and afterwards only by the provider's id", async () => {
  const visitor = new Visitor();
  const page = await visitor.signIn(server, path('learn'));
  expect([page.status, page.headers.get('location')]).toEqual([303, '/learn']);
  expect(await isIn(visitor, '/learn')).toBe(true);
  expect([...visitor.cookies.keys()].filter((name) => name.startsWith('sso-'))).toEqual([]);
  server.person = { ...grace, email: 'learner2@tenant.test' };
  const again = new Visitor();
  await again.signIn(server, path('learn'));
  expect((await again.get('/learn')).html).not.toContain('name="email"');
  const sessions = await testService.query(
    `select distinct learner_id from person_sessions where learner_id is not null and company_id = $1`,
    [companies.tenant],
  );
  expect(sessions).toEqual([{ learner_id: learnerId('tenant', 1) }]);
});

test('another id with the address of a known person is rejected until the address moves', async () => {
  await new Visitor().signIn(server, path('learn'));
  server.person = { ...grace, sub: 'someone-new' };
  const page = await new Visitor().signIn(server, path('learn'));
  expect([page.status, reason(page.html)]).toEqual([403, 'identity_differs']);
  const move = (email: string) =>
    patch(`/learners/${learnerId('tenant', 1)}`, { email, firstName: 'Grace', lastName: 'Hopper' });
  expect((await move('moved@tenant.test')).status).toBe(200);
  server.person = { ...grace, email: 'nobody@tenant.test' };
  expect(reason((await new Visitor().signIn(server, path('learn'))).html)).toBe('person_unknown');
  server.person = { sub: 'someone-new', email: 'moved@tenant.test' };
  expect((await new Visitor().signIn(server, path('learn'))).status).toBe(303);
  expect((await move('learner1@tenant.test')).status).toBe(200);
});

test('a renamed person does not sign in as the next holder of the former address', async () => {
  await new Visitor().signIn(server, path('learn'));
  const names = { firstName: 'Grace', lastName: 'Hopper' };
  const move = (number: 1 | 2, email: string) => patch(`/learners/${learnerId('tenant', number)}`, { email, ...names });
  expect((await move(1, 'renamed@tenant.test')).status).toBe(200);
  expect((await move(2, 'learner1@tenant.test')).status).toBe(200);
  expect(reason((await new Visitor().signIn(server, path('learn'))).html)).toBe('identity_differs');
  const { data } = (await get(`/sign-ins?learnerId=${learnerId('tenant', 2)}`)).body;
  expect(data[0]).toMatchObject({ reason: 'identity_differs', personId: learnerId('tenant', 2) });
  server.person = { sub: 'bob', email: 'learner1@tenant.test' };
  expect((await new Visitor().signIn(server, path('learn'))).status).toBe(303);
  server.person = { ...grace, email: 'renamed@tenant.test' };
  expect((await new Visitor().signIn(server, path('learn'))).status).toBe(303);
  expect((await move(2, 'learner2@tenant.test')).status).toBe(200);
  expect((await move(1, 'learner1@tenant.test')).status).toBe(200);
});

test.each(['cross-site', 'same-site', 'none'])(
  'a visitor from elsewhere (%s) decides whether to sign in',
  async (site) => {
    const page = await askPage(path('learn'), { headers: { 'sec-fetch-site': site } });
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
    expect(page.html).toContain(`href="${path('learn')}"`);
    expect(page.html).toContain(new URL(server.issuer).host);
  },
);

test('a claim other than email is not vouched for by email_verified', async () => {
  expect((await change({ claims: { email: 'upn' } })).status).toBe(200);
  server.person = { ...grace, email: 'other@tenant.test', email_verified: false, upn: 'learner1@tenant.test' };
  const page = await new Visitor().signIn(server, path('learn'));
  expect([page.status, reason(page.html)]).toEqual([403, 'email_missing']);
  expect((await change({ claims: { email: 'email' } })).status).toBe(200);
});

test.each([
  ['no address', { sub: 'x' }, 'email_missing'],
  ['an unverified address', { ...grace, email_verified: false }, 'email_unverified'],
  ['an address with a look-alike letter', { ...grace, email: 'learner1@tenant.te\u017ft' }, 'email_missing'],
  ['an unknown address', { ...grace, email: 'unknown@tenant.test' }, 'person_unknown'],
  ['the address of a learner of another company', { ...grace, email: 'learner1@other.test' }, 'person_unknown'],
])('a person with %s is not signed in', async (_what, person, expected) => {
  server.person = person;
  const visitor = new Visitor();
  const page = await visitor.signIn(server, path('learn'));
  expect([page.status, reason(page.html)]).toEqual([403, expected]);
  const { data } = (await get('/sign-ins?outcome=failed')).body;
  expect(data.entries?.[0] ?? data[0]).toMatchObject({ method: 'identity_provider', reason: expected });
  expect(await isIn(visitor, '/learn')).toBe(false);
});

test('a sign-in cannot be completed in another browser, with another state, at another provider or twice', async () => {
  const victim = new Visitor();
  const attacker = new Visitor();
  const callback = await attacker.goTo(server, path('learn'));
  expect(reason((await victim.get(callback)).html)).toBe('attempt_unknown');
  await victim.goTo(server, path('learn'));
  expect(reason((await victim.get(callback)).html)).toBe('attempt_unknown');
  const other = callback.replace(/state=[\w-]+/, `state=${'A'.repeat(43)}`);
  expect(reason((await attacker.get(other)).html)).toBe('attempt_unknown');
  const elsewhere = callback.replace(provider.id, identityProviderId('tenant'));
  expect(reason((await attacker.get(elsewhere)).html)).toBe('attempt_unknown');
  expect((await attacker.get(callback)).status).toBe(303);
  expect(reason((await attacker.get(callback)).html)).toBe('attempt_unknown');
});

test('a completed sign-in leaves only the cookie of the session in the browser', async () => {
  const visitor = new Visitor();
  const page = await visitor.signIn(server, path('learn'));
  expect([page.status, page.headers.get('location')]).toEqual([303, '/learn']);
  expect([...visitor.cookies.keys()]).toEqual(['learner']);
  expect(visitor.cookies.get('learner')).toMatch(/^[\w-]{64}$/);
});

test('two tabs can sign in at once', async () => {
  const visitor = new Visitor();
  const first = await visitor.goTo(server, path('learn'));
  const second = await visitor.goTo(server, path('learn'));
  expect((await visitor.get(first)).status).toBe(303);
  expect((await visitor.get(second)).status).toBe(303);
});

test('a learner is created only if the company wants that and has no directory', async () => {
  server.person = { sub: 'new', email: 'new@tenant.test', name: 'Ada Maria Lovelace' };
  expect(reason((await new Visitor().signIn(server, path('learn'))).html)).toBe('person_unknown');
  const unlocked = await change({ createsLearners: true });
  expect(unlocked).toMatchObject({
    ...{ status: 400, body: { error: { code: 'invalid_request', details: [{ field: 'body/createsLearners' }] } } },
  });
  const own = { name: 'Okta', protocol: 'oidc', issuer: 'https://okta.example.org', clientId: 'awareness' };
  expect((await post('/identity-providers', { ...own, createsLearners: true })).status).toBe(400);
  await testService.query(`update companies set domain = 'tenant.test', domain_lock = true where id = $1`, [
    companies.tenant,
  ]);
  expect((await change({ createsLearners: true })).status).toBe(200);
  expect((await post('/api-keys', { name: 'Directory', scopes: ['scim'] })).status).toBe(200);
  expect(reason((await new Visitor().signIn(server, path('learn'))).html)).toBe('person_unknown');
  await testService.query(`update api_keys set revoked_at = now() where name = 'Directory'`);
  expect((await new Visitor().signIn(server, path('learn'))).status).toBe(303);
  const { body } = await get('/learners?email=new@tenant.test');
  expect(body.data).toMatchObject([{ email: 'new@tenant.test' }]);
  const names = testService.query(`select first_name, last_name from learners where email = 'new@tenant.test'`);
  expect(await names).toEqual([{ first_name: 'Ada Maria', last_name: 'Lovelace' }]);
  server.person = { sub: 'free', email: 'new@gmail.com', name: 'Ada Lovelace' };
  expect(reason((await new Visitor().signIn(server, path('learn'))).html)).toBe('learner_refused');
  await testService.query(`update companies set domain_lock = false where id = $1`, [companies.tenant]);
  server.person = { sub: 'late', email: 'late@tenant.test', name: 'Ada Lovelace' };
  expect(reason((await new Visitor().signIn(server, path('learn'))).html)).toBe('person_unknown');
});

test('an admin gets the role of the first reported group', async () => {
  const roles = [
    { group: 'Auditors', role: 'auditor' },
    { group: 'Owners', role: 'owner' },
  ];
  expect((await change({ roles })).status).toBe(200);
  server.person = { ...mary, groups: ['Everybody'] };
  expect(reason((await new Visitor().signIn(server, path('console'))).html)).toBe('role_missing');
  server.person = { ...mary, groups: ['Owners'] };
  const visitor = new Visitor();
  expect((await visitor.signIn(server, path('console'))).headers.get('location')).toBe('/console');
  expect(await isIn(visitor, '/console')).toBe(true);
  // The only active owner keeps the role.
  server.person = { ...mary, groups: ['Owners', 'Auditors'] };
  expect((await new Visitor().signIn(server, path('console'))).status).toBe(303);
  await testService.query(`update admins set status = 'active' where id = $1`, [adminId('tenant', 2)]);
  expect((await new Visitor().signIn(server, path('console'))).status).toBe(303);
  const roleNow = () => testService.query('select role from admins where id = $1', [adminId('tenant', 1)]);
  expect(await roleNow()).toEqual([{ role: 'auditor' }]);
  const [entry] = await testService.query(`select actor_type, actor_id from audit_log where operation = 'updateAdmin'`);
  expect(entry).toEqual({ actor_type: 'identity_provider', actor_id: provider.id });
  await testService.query(`update admins set role = 'owner' where id = $1`, [adminId('tenant', 1)]);
});

test('an admin whom a directory provisions keeps the role of the directory', async () => {
  expect((await change({ roles: [{ group: 'Auditors', role: 'auditor' }] })).status).toBe(200);
  const id = adminId('tenant', 2);
  await testService.query(
    `update admins set status = 'active', role = 'analyst', directory_learner_id = $2 where id = $1`,
    [id, learnerId('tenant', 2)],
  );
  for (const groups of [['Auditors'], []]) {
    server.person = { sub: 'second', email: 'admin2@tenant.test', groups };
    const visitor = new Visitor();
    await visitor.signIn(server, path('console'));
    expect(await isIn(visitor, '/console')).toBe(true);
  }
  const [admin] = await testService.query('select role from admins where id = $1', [id]);
  expect(admin).toEqual({ role: 'analyst' });
  await testService.query(`update admins set role = 'owner', directory_learner_id = null where id = $1`, [id]);
});

test('the sign-in page sends people of the domain to the provider', async () => {
  await testService.query(`update companies set domain = 'tenant.test' where id = $1`, [companies.tenant]);
  const ask = (email: string, by = '') =>
    askPage('/learn', { method: 'POST', body: new URLSearchParams({ email, ...(by && { by }) }) });
  const page = await ask('anybody@TENANT.test');
  expect(page.html).toContain(`${path('learn')}?login_hint=anybody%40TENANT.test`);
  expect((await ask('anybody@tenant.test', 'mail')).html).not.toContain('/sso/');
  expect((await ask('anybody@other.test')).html).not.toContain('/sso/');
});

test('while a provider is required, mailed links only redirect to it', async () => {
  const token = await makeLink('tenant', 1);
  expect((await change({ learners: 'required' })).status).toBe(200);
  expect((await askPage(`/learn/sign-in/${token}`)).html).toContain(path('learn'));
  expect((await askPage(`/learn/sign-in/${token}`, { method: 'POST' })).status).toBe(404);
  expect((await new Visitor().signIn(server, path('learn'))).status).toBe(303);
  expect((await change({ learners: 'optional' })).status).toBe(200);
  expect((await askPage(`/learn/sign-in/${token}`, { method: 'POST' })).status).toBe(303);
});

test('a deactivated learner and a provider that was switched off sign nobody in', async () => {
  const visitor = new Visitor();
  const callback = await visitor.goTo(server, path('learn'));
  expect((await change({ learners: 'off' })).status).toBe(200);
  expect(reason((await visitor.get(callback)).html)).toBe('provider_off');
  expect((await change({ learners: 'optional' })).status).toBe(200);
  await testService.query('update learners set inactive = true where id = $1', [learnerId('tenant', 1)]);
  expect(reason((await visitor.signIn(server, path('learn'))).html)).toBe('person_unknown');
  await testService.query('update learners set inactive = false where id = $1', [learnerId('tenant', 1)]);
});
