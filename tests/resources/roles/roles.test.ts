import { call, del, expectError, fingerprintOf, get, patch, post } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { adminId, roleId, unknownId } from '../../support/world.ts';

const hr = { name: 'Human resources', scopes: ['groups:read', 'learners:read'] };
const own = roleId('tenant');

afterEach(async () => {
  await testService.query(`update admins set role = 'owner', role_id = null where role = 'custom'`);
  await testService.query('delete from messages');
  await testService.query(`delete from roles where name <> 'Own role'`);
});

test('GET /roles lists the built-in roles and then those of the company', async () => {
  const { data } = (await get('/roles')).body;
  expect(data.map(({ role }: { role: string }) => role)).toEqual([
    ...['owner', 'administrator', 'author', 'analyst', 'auditor', 'manager'],
    'custom',
  ]);
  expect(data.at(-1)).toEqual({
    role: 'custom',
    id: own,
    name: 'Own role',
    description: null,
    scopes: ['groups:read'],
  });
  expect(data[0]).toMatchObject({ id: null, scopes: null });
});

test('GET /roles/{roleId} returns a role of the company with its ETag, and no other', async () => {
  const { status, body, headers } = await get(`/roles/${own}`);
  expect({ status, name: body.data.name }).toEqual({ status: 200, name: 'Own role' });
  expect(headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
  expectError(await get(`/roles/${roleId('other')}`), 404, 'not_found');
  expectError(await get(`/roles/${unknownId}`), 404, 'not_found');
});

test('a change or deletion of a role with an outdated If-Match returns 412', async () => {
  const path = `/roles/${(await post('/roles', hr)).body.data.id}`;
  const ifMatch = { 'if-match': (await get(path)).headers.get('etag')! };
  const change = { body: { scopes: ['groups:read'] }, headers: ifMatch };
  expect((await call('tenant', 'PATCH', path, change)).status).toBe(200);
  expectError(await call('tenant', 'PATCH', path, change), 412, 'changed_meanwhile');
  expectError(await call('tenant', 'DELETE', path, { headers: ifMatch }), 412, 'changed_meanwhile');
  const current = { 'if-match': (await get(path)).headers.get('etag')! };
  expect((await call('tenant', 'DELETE', path, { headers: current })).status).toBe(200);
});

test('a role is created, changed and deleted', async () => {
  const { status, body } = await post('/roles', hr);
  expect({ status, ...body.data }).toMatchObject({ status: 200, role: 'custom', ...hr, description: null });
  const path = `/roles/${body.data.id}`;
  const changed = { name: 'HR', description: 'Keeps learners up to date.', scopes: ['learners:read'] };
  expect((await patch(path, changed)).body.data).toEqual({ ...body.data, ...changed });
  expect((await patch(path, { description: null })).body.data).toEqual({ ...body.data, ...changed, description: null });
  expect((await patch(path, {})).body.data.name).toBe('HR');
  expect((await del(path)).body.data).toEqual({ id: body.data.id });
  expectError(await del(path), 404, 'not_found');
});

test.each<[string, object, string]>([
  ['an unknown scope', { ...hr, scopes: ['learners:fly'] }, 'body/scopes/0'],
  ['no scope', { ...hr, scopes: [] }, 'body/scopes'],
  ['a scope twice', { ...hr, scopes: ['groups:read', 'groups:read'] }, 'body/scopes'],
  ['an invisible name', { ...hr, name: '\u200b' }, 'body/name'],
  ['an unknown field', { ...hr, role: 'owner' }, 'body/role'],
])('a role with %s is rejected and changes nothing', async (_case, body, field) => {
  const before = await fingerprintOf('tenant');
  expectError(await post('/roles', body), 400, 'invalid_request', [field]);
  expect(await fingerprintOf('tenant')).toBe(before);
});

test('a name is unique regardless of case, also after a change', async () => {
  const created = (await post('/roles', hr)).body.data;
  expectError(await post('/roles', { ...hr, name: 'HUMAN Resources' }), 400, 'role_name_taken', ['body/name']);
  expectError(await patch(`/roles/${created.id}`, { name: 'own ROLE' }), 400, 'role_name_taken', ['body/name']);
  expect((await post('/roles', hr, 'other')).status).toBe(200);
});

test('a company can have at most 50 roles', async () => {
  await testService.query(
    `insert into roles (company_id, id, name, scopes)
     select company_id, gen_random_uuid(), 'Role ' || n, '{groups:read}' from roles, generate_series(2, 50) as n where id = $1`,
    [own],
  );
  expectError(await post('/roles', hr), 400, 'invalid_request', ['body']);
});

test('a role that an admin has cannot be deleted', async () => {
  await patch(`/admins/${adminId('tenant', 2)}`, { roleId: own });
  expectError(await del(`/roles/${own}`), 400, 'role_in_use');
  await patch(`/admins/${adminId('tenant', 2)}`, { role: 'analyst' });
  const { id } = (await post('/roles', hr)).body.data;
  expect((await del(`/roles/${id}`)).status).toBe(200);
});

test('an admin cannot give a role more permissions than they have, or change a role that has more', async () => {
  const key = await keyWith('tenant', ['roles:write', 'roles:delete', 'groups:read', 'learners:read']);
  const as = (method: string, path: string, body?: object) =>
    call('tenant', method, path, { body, headers: { authorization: `Bearer ${key}` } });
  const wider = { name: 'Wider', scopes: ['groups:read', 'learners:delete'] };
  expectError(await as('POST', '/roles', wider), 403, 'insufficient_scope', ['body/scopes/1']);
  const made = (await as('POST', '/roles', hr)).body.data;
  const path = `/roles/${made.id}`;
  expectError(await as('PATCH', path, { scopes: wider.scopes }), 403, 'insufficient_scope', ['body/scopes/1']);
  await patch(path, { scopes: ['groups:read', 'admins:write'] });
  expectError(await as('PATCH', path, { name: 'Mine' }), 403, 'insufficient_scope');
  expectError(await as('DELETE', path), 403, 'insufficient_scope');
  expect((await get('/roles')).body.data.at(-1)).toMatchObject({ id: made.id, name: hr.name });
});

test('new scopes of a role are reported to the active admins, fewer scopes are not', async () => {
  await patch(`/admins/${adminId('tenant', 2)}`, { roleId: own });
  await testService.query('delete from messages');
  const reported = () => testService.query(`select admin_id from messages where kind = 'admin_role_changed'`);
  await patch(`/roles/${own}`, { scopes: ['groups:read', 'groups:write'] });
  expect(await reported()).toEqual([{ admin_id: adminId('tenant', 1) }]);
  await patch(`/roles/${own}`, { scopes: ['groups:read'] });
  expect(await reported()).toHaveLength(1);
});

test.each([
  ['another company', roleId('other')],
  ['nobody', unknownId],
])('a role of %s is not found, and no admin gets it', async (_case, id) => {
  expectError(await patch(`/roles/${id}`, { name: 'Mine' }), 404, 'not_found');
  expectError(await del(`/roles/${id}`), 404, 'not_found');
  expectError(await patch(`/admins/${adminId('tenant', 2)}`, { roleId: id }), 404, 'not_found');
});
