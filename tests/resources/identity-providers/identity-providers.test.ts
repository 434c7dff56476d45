import type { components } from '../../../generated/api-types.ts';
import { call, del, expectError, get, patch, post } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { adminId, companies, roleId, unknownId } from '../../support/world.ts';
import { identityProviderId } from '../../support/world-identity-providers.ts';

type IdentityProvider = components['schemas']['IdentityProvider'];

const own = { name: 'Okta', protocol: 'oidc', issuer: 'https://login.example.org/', clientId: 'awareness' };
const at = (id: string) => `/identity-providers/${id}`;
const invalid = (field: string) => ({
  ...{ status: 400, body: { error: { code: 'invalid_request', details: [{ field }] } } },
});
afterEach(() =>
  testService.query(`delete from identity_providers where id <> all($1::uuid[])`, [
    Object.keys(companies).map((company) => identityProviderId(company as keyof typeof companies)),
  ]),
);

async function create(more: object = {}): Promise<IdentityProvider> {
  const created = await post('/identity-providers', { ...own, ...more });
  expect(created.status).toBe(200);
  return created.body.data as IdentityProvider;
}

test('a provider is created, listed, changed and deleted', async () => {
  const created = await create({ clientSecret: 'a-secret', claims: { email: 'upn' } });
  const base = `${testService.url}/sso/${companies.tenant}/${created.id}`;
  expect(created).toMatchObject({
    ...{ hasClientSecret: true, admins: 'off', learners: 'off', testedAt: null, roles: [], createsLearners: false },
    claims: { email: 'upn', firstName: 'given_name', lastName: 'family_name', groups: 'groups' },
    ...{ callbackUrl: `${base}/callback`, consoleUrl: `${base}/console`, learnUrl: `${base}/learn` },
  });
  const [stored] = await testService.query('select sealed_client_secret from identity_providers where id = $1', [
    created.id,
  ]);
  expect((stored!.sealed_client_secret as Buffer).includes('a-secret')).toBe(false);
  const changed = await patch(at(created.id), { claims: { groups: 'roles' }, clientSecret: null, name: 'SSO' });
  expect(changed.body.data).toMatchObject({
    ...{ name: 'SSO', hasClientSecret: false, issuer: own.issuer },
    claims: { email: 'upn', groups: 'roles' },
  });
  const listed = await get('/identity-providers');
  expect(listed.body.data.map(({ id }: IdentityProvider) => id)).toEqual([identityProviderId('tenant'), created.id]);
  expect((await del(at(created.id))).body.data).toEqual({ id: created.id });
  expect((await del(at(created.id))).status).toBe(404);
});

test('an active admin is notified of each change', async () => {
  await testService.query('delete from messages');
  const { id } = await create();
  await patch(at(id), { name: 'Other' });
  await del(at(id));
  const sent = await testService.query(
    `select admin_id, subject_ids from messages where kind = 'sign_in_settings_changed'`,
  );
  expect(sent).toEqual(Array(3).fill({ admin_id: adminId('tenant', 1), subject_ids: [id] }));
});

test('only a caller who can do everything can change providers', async () => {
  const scopes = ['identity_providers:read', 'identity_providers:write', 'identity_providers:delete'];
  const as = (key: string, method: string, path: string, body?: object) =>
    call('tenant', method, path, { body, headers: { authorization: `Bearer ${key}` } });
  const key = await keyWith('tenant', scopes);
  const path = at(identityProviderId('tenant'));
  expect((await as(key, 'GET', '/identity-providers')).status).toBe(200);
  expectError(await as(key, 'POST', '/identity-providers', own), 403, 'insufficient_scope');
  expectError(await as(key, 'PATCH', path, { name: 'Other' }), 403, 'insufficient_scope');
  expectError(await as(key, 'DELETE', path), 403, 'insufficient_scope');
  const other = await keyWith('tenant', ['admins:write']);
  const denied = await as(other, 'PATCH', `/admins/${adminId('tenant', 1)}`, { emergencyAccess: true });
  expectError(denied, 403, 'insufficient_scope');
});

test.each([
  ['http', 'http://login.example.org/'],
  ['a private address', 'https://10.0.0.1/'],
  ['a local name', 'https://intranet/'],
  ['the metadata service of a cloud', 'https://169.254.169.254/'],
  ['a user name', 'https://user@login.example.org/'],
  ['another port', 'https://login.example.org:22/'],
  ['no URL', 'login'],
  ['the URL of its configuration', 'https://login.example.org/.well-known/openid-configuration'],
  ['the URL of its configuration in another spelling', 'https://login.example.org\\.well-known\\x'],
])('an issuer with %s is rejected', async (_what, issuer) => {
  expect(await post('/identity-providers', { ...own, issuer })).toMatchObject(invalid('body/issuer'));
  expect(await patch(at(identityProviderId('tenant')), { issuer })).toMatchObject(invalid('body/issuer'));
});

test('a group needs exactly one role, which must exist', async () => {
  const roles = (...entries: object[]) => post('/identity-providers', { ...own, roles: entries });
  expect(await roles({ group: 'A' })).toMatchObject(invalid('body/roles/0/role'));
  expect(await roles({ group: 'A', role: 'owner' }, { group: 'B', role: 'owner', roleId: unknownId })).toMatchObject(
    invalid('body/roles/1/roleId'),
  );
  expect((await roles({ group: 'A', roleId: roleId('other') })).status).toBe(404);
  const { id, roles: given } = await create({ roles: [{ group: 'A', roleId: roleId('tenant') }] });
  expect(given).toEqual([{ group: 'A', role: 'custom', roleId: roleId('tenant') }]);
  expect(await del(`/roles/${roleId('tenant')}`)).toMatchObject({
    ...{ status: 400, body: { error: { code: 'role_in_use' } } },
  });
  expect((await patch(at(id), { roles: [] })).status).toBe(200);
});

test('a company has at most five providers, and only its own', async () => {
  for (let n = 0; n < 4; n += 1) await create();
  expect(await post('/identity-providers', own)).toMatchObject(invalid('body'));
  const foreign = identityProviderId('other');
  expect((await patch(at(foreign), { name: 'Other' })).status).toBe(404);
  expect((await del(at(foreign))).status).toBe(404);
});
