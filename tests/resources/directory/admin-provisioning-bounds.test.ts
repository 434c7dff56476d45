/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { call, del, expectError, get, patch as change, post, put } from '../../support/client.ts';
import { adminId, companies, roleId, unknownId } from '../../support/world.ts';
import { activate } from '../admins/admin-state.ts';
import { ask, makeUser, newUser, patch } from './directory-support.ts';
import {
  findAdmin,
  fresh,
  isIn,
  join,
  leave,
  listAdmins,
  makeGroup,
  noticesOf,
  provision,
  restoreProvisioningAfterEach,
  SETTING,
  signIn,
  skippedMembers,
} from './provisioning-support.ts';

const second = adminId('tenant', 2);

restoreProvisioningAfterEach();

test('a member outside the locked domain is skipped, and SCIM accepts the change', async () => {
  const name = fresh('foreign');
  const id = await makeUser(name);
  const group = await makeGroup();
  await provision({ [group]: 'analyst' });
  await testService.query(`update companies set domain = 'other.test', domain_lock = true where id = $1`, [
    companies.tenant,
  ]);
  await join(group, id);
  expect(await findAdmin(name)).toBeUndefined();
  expect(await skippedMembers()).toEqual([{ learnerId: id, reason: 'email_domain_not_allowed' }]);
});

test('calls that change learners and groups cannot make anybody an admin', async () => {
  const [member, outsider] = [fresh('member'), fresh('outsider')];
  const [id, other] = [await makeUser(member), await makeUser(outsider)];
  const group = await makeGroup(id);
  await provision({ [group]: 'owner' });
  expect((await post(`/groups/${group}/learners/add`, { learnerIds: [other] })).status).toBe(200);
  const stolen = { email: 'thief@tenant.test', firstName: 'Thief', lastName: 'Thief' };
  expect((await change(`/learners/${id}`, stolen)).status).toBe(200);
  await patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Lead' });
  await patch(`/Users/${other}`, { op: 'replace', path: 'title', value: 'Lead' });
  expect(await findAdmin('thief')).toBeUndefined();
  expect(await findAdmin(outsider)).toBeUndefined();
  expect(await findAdmin(member)).toMatchObject({ firstName: 'Mary', role: 'owner' });
  await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  expect((await post('/learners/activate', { learnerIds: [id] })).status).toBe(200);
  await patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Head' });
  expect(await findAdmin(member)).toBeUndefined();
  await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
  expect(await findAdmin(member)).toMatchObject({ role: 'owner' });
});

test.each<[string, (user: string, group: string) => Promise<unknown>]>([
  ['deactivates the user', (user) => post('/learners/deactivate', { learnerIds: [user] })],
  ['deletes the learner', (user) => del(`/learners/${user}`)],
  ['removes the member', (user, group) => post(`/groups/${group}/learners/remove`, { learnerIds: [user] })],
  ['replaces the groups of the learner', (user) => put(`/learners/${user}/groups`, { groupIds: [] })],
  ['deletes the group', (_user, group) => del(`/groups/${group}`)],
])('a call that %s ends the access of the admin at once', async (_what, end) => {
  const name = fresh('called');
  const id = await makeUser(name);
  const group = await makeGroup(id);
  await provision({ [group]: 'owner' });
  const session = await signIn((await findAdmin(name))!.id);
  expect(await end(id, group)).toMatchObject({ status: 200 });
  expect(await isIn(session)).toBe(false);
  expect(await findAdmin(name)).toBeUndefined();
});

test('many members become admins with one notice to each previous admin, and one entry in the audit log', async () => {
  await activate(second);
  const ids = await Promise.all(Array.from({ length: 30 }, () => makeUser(fresh('many'))));
  const group = await makeGroup();
  await provision({ [group]: 'analyst' });
  await testService.query('delete from messages');
  await join(group, ...ids);
  expect((await listAdmins()).filter(({ managedBy }) => managedBy === 'directory')).toHaveLength(30);
  expect(await noticesOf()).toEqual([{ kind: 'admin_added', count: 2, subjects: 30 }]);
  const { entries } = (await get('/audit-log?operation=updateScimGroup&limit=1000')).body.data;
  expect(entries.flatMap(({ targets }: { targets: object[] }) => targets)).toContainEqual(
    expect.objectContaining({ field: 'adminId', count: 30 }),
  );
});

test('members above the limit are skipped', async () => {
  const group = await makeGroup();
  await testService.query(
    `with made as (
       insert into learners (company_id, id, email, email_key, first_name, last_name)
       select $1::uuid, new_id(), 'mass' || n || '@tenant.test', 'mass' || n || '@tenant.test', 'M', 'N'
         from generate_series(1, 1003) n returning id, email),
     linked as (
       insert into directory_learners (company_id, learner_id, user_name, user_name_key, email, given_name, family_name, active)
       select $1::uuid, id, email, email, email, 'M', 'N', true from made)
     insert into group_learners (company_id, group_id, learner_id, by_directory) select $1::uuid, $2, id, true from made`,
    [companies.tenant, group],
  );
  const { skipped } = await provision({ [group]: 'analyst' });
  expect(skipped).toHaveLength(3);
  expect(skipped[0]).toMatchObject({ reason: 'too_many_admins' });
  const count = `select count(*)::integer as n from admins where directory_learner_id is not null`;
  expect(await testService.query(count)).toEqual([{ n: 1000 }]);
  await ask('DELETE', `/Groups/${group}`);
  expect(await testService.query(count)).toEqual([{ n: 0 }]);
  await testService.query(`delete from learners where email like 'mass%'`);
});

test('only a caller who can do everything changes the setting, and all active admins are notified', async () => {
  const group = await makeGroup();
  await provision({ [group]: 'analyst' });
  expect(await noticesOf()).toEqual([{ kind: 'admin_provisioning_changed', count: 1, subjects: 1 }]);
  const role = { groupId: group, role: 'analyst' };
  expectError(
    await put(SETTING, { enabled: true, roles: [{ groupId: unknownId, role: 'owner' }] }),
    400,
    'invalid_request',
    ['body/roles/0/groupId'],
  );
  expectError(await put(SETTING, { enabled: true, roles: [role, role] }), 400, 'invalid_request', [
    'body/roles/1/groupId',
  ]);
  expectError(await put(SETTING, { enabled: true, roles: [{ groupId: group }] }), 400, 'invalid_request', [
    'body/roles/0/role',
  ]);
  const both = { ...role, roleId: roleId('tenant') };
  expectError(await put(SETTING, { enabled: true, roles: [both] }), 400, 'invalid_request', ['body/roles/0/roleId']);
});

test('a role that a group gives cannot be deleted', async () => {
  const group = await makeGroup();
  const role = (await post('/roles', { name: fresh('Role '), scopes: ['learners:read'] })).body.data;
  await provision({}, { roles: [{ groupId: group, roleId: role.id }] });
  expectError(await del(`/roles/${role.id}`), 400, 'role_in_use');
  await provision({}, { enabled: false });
  expect((await del(`/roles/${role.id}`)).status).toBe(200);
});

test('concurrent changes leave exactly the admins of the final state', async () => {
  const names = Array.from({ length: 6 }, () => fresh('race'));
  const ids = await Promise.all(names.map((name) => makeUser(name)));
  const [one, two] = [await makeGroup(), await makeGroup()];
  await provision({ [one]: 'author', [two]: 'analyst' });
  const changes = ids.flatMap((id, index) => [
    () => join(one, id),
    () => patch(`/Users/${id}`, { op: 'replace', path: 'active', value: index % 2 === 0 }),
    () => join(two, id),
    () => (index % 3 === 0 ? leave(one, id) : patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'x' })),
  ]);
  await Promise.all(changes.map((run) => run()));
  const groups = await Promise.all(
    [one, two].map(async (group) => {
      const { members = [] } = (await ask('GET', `/Groups/${group}`)).body;
      return new Set((members as { value: string }[]).map(({ value }) => value));
    }),
  );
  const wanted = ids.flatMap((id, index) => {
    if (index % 2 === 1) return [];
    return [[`${names[index]}@tenant.test`, groups[0]!.has(id) ? 'author' : 'analyst']];
  });
  const actual = (await listAdmins()).filter(({ managedBy }) => managedBy === 'directory');
  expect(actual.map(({ email, role }) => [email, role]).toSorted()).toEqual(wanted.toSorted());
});

test('switching provisioning on while the directory changes misses no change', async () => {
  const group = await makeGroup();
  const names = Array.from({ length: 4 }, () => fresh('switch'));
  const ids = await Promise.all(names.map((name) => makeUser(name)));
  const body = { enabled: true, roles: [{ groupId: group, role: 'analyst' }] };
  const setting = call('tenant', 'PUT', SETTING, { body, alone: false });
  await Promise.all([...ids.map((id) => join(group, id)), setting]);
  const admins = await listAdmins();
  for (const name of names) expect(admins.some(({ email }) => email === `${name}@tenant.test`)).toBe(true);
});

test('a user whom the directory creates again returns as a new admin', async () => {
  const name = fresh('back');
  const id = await makeUser(name);
  const group = await makeGroup(id);
  await provision({ [group]: 'analyst' });
  await ask('DELETE', `/Users/${id}`);
  expect((await ask('POST', '/Users', { body: newUser(name) })).body.id).toBe(id);
  expect(await findAdmin(name)).toBeUndefined();
  await join(group, id);
  expect(await findAdmin(name)).toMatchObject({ role: 'analyst' });
});
