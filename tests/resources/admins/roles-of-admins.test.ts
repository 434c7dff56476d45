import { Admin } from '../../support/admin.ts';
import { call, del, expectError, fingerprintOf, patch, post } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { builtInRoles } from '../../../src/auth/roles.ts';
import { adminId, passkeyId, roleId } from '../../support/world.ts';
import { activate, dorothy, findListed, restoreAdminsAfterEach } from './admin-state.ts';

restoreAdminsAfterEach();
afterEach(() => testService.query('delete from messages'));

const [first, second] = [adminId('tenant', 1), adminId('tenant', 2)];
const scopesOf = (name: string) => builtInRoles.find(({ role }) => role === name)!.scopes;
const change = (id: string, fields: object) => patch(`/admins/${id}`, fields);

test('an admin is an owner unless a role is given', async () => {
  expect((await post('/admins', dorothy)).body.data).toMatchObject({ role: 'owner', roleId: null });
  const auditor = { ...dorothy, email: 'auditor@tenant.test', role: 'auditor' };
  expect((await post('/admins', auditor)).body.data).toMatchObject({ role: 'auditor', roleId: null });
  const custom = { ...dorothy, email: 'custom@tenant.test', roleId: roleId('tenant') };
  expect((await post('/admins', custom)).body.data).toMatchObject({ role: 'custom', roleId: roleId('tenant') });
});

test('an admin can get another role, and then the former role again', async () => {
  for (const role of ['analyst', 'author', 'owner']) {
    expect((await change(second, { role })).body.data).toMatchObject({ role, roleId: null });
  }
  expect((await change(second, { roleId: roleId('tenant') })).body.data.role).toBe('custom');
  expect((await change(second, { lastName: 'Vaughan' })).body.data.roleId).toBe(roleId('tenant'));
  expect((await change(second, { role: 'owner' })).body.data).toMatchObject({ role: 'owner', roleId: null });
});

test.each<[string, object, string]>([
  ['an unknown role', { role: 'emperor' }, 'body/role'],
  ['a custom role without its id', { role: 'custom' }, 'body/role'],
  ['both role and roleId', { role: 'analyst', roleId: roleId('tenant') }, 'body/roleId'],
  ['an invalid id', { roleId: 'x' }, 'body/roleId'],
])('%s is rejected and changes nothing', async (_case, fields, field) => {
  const before = await fingerprintOf('tenant');
  expectError(await change(second, fields), 400, 'invalid_request', [field]);
  expectError(await post('/admins', { ...dorothy, ...fields }), 400, 'invalid_request', [field]);
  expect(await fingerprintOf('tenant')).toBe(before);
});

test('the last active owner cannot get another role or be deleted, even if other admins are active', async () => {
  await activate(second);
  await change(second, { role: 'administrator' });
  expectError(await change(first, { role: 'administrator' }), 400, 'last_admin');
  expectError(await del(`/admins/${first}`), 400, 'last_admin');
  expect((await change(first, { role: 'owner', locale: 'fr' })).status).toBe(200);
  await change(second, { role: 'owner' });
  expect((await change(first, { role: 'administrator' })).status).toBe(200);
});

test('without an active owner, the last active admin is kept, and can become an owner', async () => {
  await change(second, { role: 'administrator' });
  await activate(second);
  await testService.query('update admins set status = $1 where id = $2', ['invited', first]);
  expectError(await del(`/admins/${second}`), 400, 'last_admin');
  expectError(await change(second, { role: 'auditor' }), 400, 'last_admin');
  expect((await change(second, { role: 'owner' })).status).toBe(200);
});

test('of two owners who demote each other at once, one remains an owner', async () => {
  await activate(second);
  const answers = await Promise.all([change(first, { role: 'analyst' }), change(second, { role: 'analyst' })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

describe('a caller with the scopes of an administrator', () => {
  let key: string;
  beforeEach(async () => {
    key = await keyWith('tenant', scopesOf('administrator'));
  });
  const as = (method: string, path: string, body?: object) =>
    call('tenant', method, path, { body, headers: { authorization: `Bearer ${key}` } });

  test('cannot create, change or delete an owner, or delete the passkey of an owner', async () => {
    const refused: [string, string, object?, string?][] = [
      ['POST', '/admins', dorothy, 'body/role'],
      ['POST', '/admins', { ...dorothy, role: 'owner' }, 'body/role'],
      ['PATCH', `/admins/${second}`, { email: 'mine@tenant.test' }],
      ['PATCH', `/admins/${second}`, { role: 'analyst' }],
      ['PATCH', `/admins/${second}`, { lastName: 'Mine' }],
      ['DELETE', `/admins/${second}`],
      ['DELETE', '/admins/bulk', { adminIds: [second] }, 'body/adminIds/0'],
      ['DELETE', `/admins/${second}/passkeys/${passkeyId('tenant')}`],
    ];
    for (const [method, path, body, field = 'header/authorization'] of refused) {
      expectError(await as(method, path, body), 403, 'insufficient_scope', [field]);
    }
    await change(second, { role: 'analyst' });
    expectError(await as('PATCH', `/admins/${second}`, { role: 'owner' }), 403, 'insufficient_scope', ['body/role']);
    expect(await findListed(second)).toMatchObject({ email: 'admin2@tenant.test', role: 'analyst' });
  });

  test('manages admins who have no more permissions than the caller', async () => {
    const made = await as('POST', '/admins', { ...dorothy, role: 'administrator' });
    expect(made.status).toBe(200);
    const path = `/admins/${made.body.data.id}`;
    expect((await as('PATCH', path, { role: 'author', email: 'other@tenant.test' })).status).toBe(200);
    expect((await as('DELETE', path)).status).toBe(200);
  });
});

test('a new role is reported to every active admin, an unchanged one is not', async () => {
  await activate(second);
  const reported = () => testService.query(`select admin_id from messages where kind = 'admin_role_changed'`);
  await change(second, { role: 'owner' });
  expect(await reported()).toEqual([]);
  await change(second, { role: 'author' });
  expect(new Set((await reported()).map(({ admin_id }) => admin_id))).toEqual(new Set([first, second]));
});

test('a new role applies to open sessions from the next page view', async () => {
  await activate(second);
  const admin = await Admin.of('tenant', 2);
  expect((await admin.get('/console/keys')).status).toBe(200);
  await change(second, { role: 'analyst' });
  expect((await admin.get('/console/keys')).status).toBe(403);
  await change(second, { role: 'owner' });
  expect((await admin.get('/console/keys')).status).toBe(200);
});
