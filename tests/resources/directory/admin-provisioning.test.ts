/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../../support/admin.ts';
import { call, del, expectError, get, patch as change, post, put } from '../../support/client.ts';
import { createPersonToken, hashPersonToken } from '../../../src/identity/person-token.ts';
import { adminId, companies, roleId, unknownId } from '../../support/world.ts';
import { activate, restoreAdminsAfterEach } from '../admins/admin-state.ts';
import { ask, GROUP, makeUser, newUser, patch } from './directory-support.ts';

const SETTING = '/company/admin-provisioning';
const [first, second] = [adminId('tenant', 1), adminId('tenant', 2)];
let number = 0;
const fresh = (name: string) => `${name}${(number += 1)}`;

restoreAdminsAfterEach();
afterEach(async () => {
  await testService.query('delete from company_settings');
  await testService.query('delete from messages');
  await testService.query(`update companies set domain = 'tenant.test', domain_lock = false where id = $1`, [
    companies.tenant,
  ]);
});

const values = (...ids: string[]) => ids.map((value) => ({ value }));

/** Creates a group with members as a directory does, and returns its id. */
async function makeGroup(...memberIds: string[]): Promise<string> {
  const body = { schemas: [GROUP], displayName: fresh('Provisioning '), members: values(...memberIds) };
  const created = await ask('POST', '/Groups', { body });
  expect(created.status).toBe(201);
  return created.body.id as string;
}

/** Adds members as Entra ID does. */
const join = async (group: string, ...ids: string[]) => {
  const { status } = await patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: values(...ids) });
  expect(status).toBe(204);
};
const leave = (group: string, id: string) =>
  patch(`/Groups/${group}`, { op: 'Remove', path: 'members', value: values(id) });

/** Switches the provisioning on, for pairs of group and role. */
async function provision(roles: Record<string, string>, others: object = {}) {
  const body = {
    enabled: true,
    roles: Object.entries(roles).map(([groupId, role]) => ({ groupId, role })),
    ...others,
  };
  const answer = await put(SETTING, body);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

const listAdmins = async () => (await get('/admins')).body.data as Record<string, unknown>[];
const findAdmin = async (name: string) => (await listAdmins()).find(({ email }) => email === `${name}@tenant.test`);
const skippedMembers = async () => (await get(SETTING)).body.data.skipped;

const noticesOf = async () =>
  testService.query(
    `select kind, count(*)::integer as count, max(cardinality(subject_ids)) as subjects
       from messages group by kind order by kind`,
  );

/** Signs an admin in with a mailed link. */
async function signIn(id: string): Promise<Admin> {
  const token = createPersonToken(companies.tenant);
  await testService.query(
    `insert into sign_in_links (company_id, token_hash, admin_id, expires_at) values ($1, $2, $3, now() + interval '5 minutes')`,
    [companies.tenant, hashPersonToken(token), id],
  );
  return Admin.by(token);
}
const isIn = async (admin: Admin) => !(await admin.get('/console')).html.includes('name="email"');

test('is off by default, and then no group makes anybody an admin', async () => {
  expect((await get(SETTING)).body.data).toEqual({
    ...{ enabled: false, joinsExistingAdmins: false, roles: [], skipped: [] },
  });
  const before = await listAdmins();
  await makeGroup(await makeUser(fresh('off')));
  expect(await listAdmins()).toEqual(before);
});

test('a member becomes an active admin, follows changes, and is deleted when leaving', async () => {
  const [name, id] = ['eve', await makeUser('eve')];
  const group = await makeGroup();
  expect(await provision({ [group]: 'administrator' })).toMatchObject({
    roles: [{ groupId: group, role: 'administrator', roleId: null, groupName: expect.any(String) }],
  });
  await join(group, id);
  const admin = (await findAdmin(name))!;
  expect(admin).toMatchObject({
    ...{ firstName: 'Mary', lastName: 'Somerville', status: 'active', role: 'administrator' },
    ...{ invitedAt: null, managedBy: 'directory' },
  });
  const session = await signIn(admin.id as string);
  expect(await isIn(session)).toBe(true);
  await patch(`/Users/${id}`, { op: 'Replace', path: 'name.familyName', value: 'Greig' });
  expect(await findAdmin(name)).toMatchObject({ id: admin.id, lastName: 'Greig' });
  expect(await isIn(session)).toBe(true);
  await patch(`/Users/${id}`, { op: 'Replace', path: 'emails[type eq "work"].value', value: 'eve.greig@tenant.test' });
  expect(await findAdmin('eve.greig')).toMatchObject({ id: admin.id });
  expect(await isIn(session)).toBe(false);
  const again = await signIn(admin.id as string);
  const begun = performance.now();
  await leave(group, id);
  expect(await isIn(again)).toBe(false);
  expect(performance.now() - begun).toBeLessThan(1000);
  expect(await findAdmin('eve.greig')).toBeUndefined();
});

test.each<[string, (user: string, group: string) => Promise<unknown>]>([
  ['PATCH by Entra ID', (user) => patch(`/Users/${user}`, { op: 'Replace', path: 'active', value: 'False' })],
  ['PATCH by Okta', (user) => patch(`/Users/${user}`, { op: 'replace', value: { active: false } })],
  ['PUT', async (user) => ask('PUT', `/Users/${user}`, { body: { ...(await readUser(user)), active: false } })],
  ['DELETE', (user) => ask('DELETE', `/Users/${user}`)],
  ['deletion of the group', (_user, group) => ask('DELETE', `/Groups/${group}`)],
  [
    'PUT of the group without members',
    async (_user, group) => {
      const { displayName } = (await ask('GET', `/Groups/${group}`)).body;
      return ask('PUT', `/Groups/${group}`, { body: { schemas: [GROUP], displayName, members: [] } });
    },
  ],
])('%s deletes the admin and ends the sessions, also after a reactivation', async (_way, end) => {
  const name = fresh('leaver');
  const id = await makeUser(name);
  const group = await makeGroup(id);
  await provision({ [group]: 'owner' });
  const before = (await findAdmin(name))!;
  const session = await signIn(before.id as string);
  expect(await isIn(session)).toBe(true);
  await end(id, group);
  expect(await isIn(session)).toBe(false);
  expect(await findAdmin(name)).toBeUndefined();
  await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true });
  expect(await isIn(session)).toBe(false);
  expect((await findAdmin(name))?.id).not.toBe(before.id);
});

async function readUser(id: string): Promise<object> {
  const { schemas, userName, name, emails } = (await ask('GET', `/Users/${id}`)).body;
  return { schemas, userName, name, emails };
}

test('the first group of the list decides the role, and leaving it gives that of the next', async () => {
  const name = fresh('two');
  const id = await makeUser(name);
  const [strong, weak] = [await makeGroup(id), await makeGroup(id)];
  await provision({ [strong]: 'owner', [weak]: 'analyst' });
  expect(await findAdmin(name)).toMatchObject({ role: 'owner' });
  await leave(strong, id);
  expect(await findAdmin(name)).toMatchObject({ role: 'analyst' });
  await join(strong, id);
  expect(await findAdmin(name)).toMatchObject({ role: 'owner' });
  await provision({ [weak]: 'analyst', [strong]: 'owner' });
  expect(await findAdmin(name)).toMatchObject({ role: 'analyst' });
  const roles = [{ groupId: strong, roleId: roleId('tenant') }];
  expect((await put(SETTING, { enabled: true, roles })).status).toBe(200);
  expect(await findAdmin(name)).toMatchObject({ role: 'custom', roleId: roleId('tenant') });
});

test('calls cannot change or delete an admin of the directory until it is switched off', async () => {
  const name = fresh('owned');
  const group = await makeGroup(await makeUser(name));
  await provision({ [group]: 'analyst' });
  const { id } = (await findAdmin(name))!;
  for (const fields of [{ role: 'owner' }, { email: 'x@tenant.test' }, { firstName: 'X' }, { lastName: 'X' }])
    expectError(await change(`/admins/${id}`, fields), 400, 'admin_in_directory');
  expectError(await del(`/admins/${id}`), 400, 'admin_in_directory');
  expectError(await del('/admins/bulk', { adminIds: [id] }), 400, 'admin_in_directory');
  expect((await change(`/admins/${id}`, { locale: 'fr', role: 'analyst' })).body.data.locale).toBe('fr');
  await provision({}, { enabled: false });
  expect(await findAdmin(name)).toMatchObject({ id, role: 'analyst', managedBy: null });
  expect((await change(`/admins/${id}`, { firstName: 'X' })).status).toBe(200);
  await leave(group, id as string);
  expect((await del(`/admins/${id}`)).status).toBe(200);
});

test('an invited admin with the address of a member stays by hand, unless the setting joins such admins', async () => {
  const id = await makeUser('admin2', { emails: [{ value: 'ADMIN2@tenant.test', primary: true }] });
  const group = await makeGroup(id);
  expect((await provision({ [group]: 'analyst' })).skipped).toEqual([{ learnerId: id, reason: 'admin_invited' }]);
  expect((await listAdmins()).find((one) => one.id === second)).toMatchObject({ managedBy: null, status: 'invited' });
  await testService.query('update admins set emergency_access = true where id = $1', [second]);
  expect((await provision({ [group]: 'analyst' }, { joinsExistingAdmins: true })).skipped).toHaveLength(1);
  await testService.query('update admins set emergency_access = false where id = $1', [second]);
  expect((await provision({ [group]: 'analyst' }, { joinsExistingAdmins: true })).skipped).toEqual([]);
  const joined = (await listAdmins()).find((one) => one.id === second);
  expect(joined).toMatchObject({ managedBy: 'directory', status: 'active', role: 'analyst', firstName: 'Mary' });
  await ask('DELETE', `/Users/${id}`);
  expect((await listAdmins()).some((one) => one.id === second)).toBe(false);
});

test('the last active owner keeps role and access, all admins are notified once, and a new owner ends that', async () => {
  const [name, next] = [fresh('last'), fresh('next')];
  const id = await makeUser(name);
  const group = await makeGroup(id);
  const lower = await makeGroup();
  await provision({ [group]: 'owner', [lower]: 'analyst' });
  await testService.query(`update admins set status = 'invited' where id = $1`, [first]);
  await testService.query('delete from messages');
  const admin = (await findAdmin(name))!;
  const session = await signIn(admin.id as string);
  await join(lower, id);
  await leave(group, id);
  expect(await findAdmin(name)).toMatchObject({ role: 'owner', managedBy: 'directory' });
  await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
  expect(await findAdmin(name)).toMatchObject({ role: 'owner', status: 'active' });
  expect(await skippedMembers()).toEqual([{ learnerId: id, reason: 'last_owner' }]);
  expect(await isIn(session)).toBe(true);
  expect(await noticesOf()).toEqual([{ kind: 'last_owner_kept', count: 1, subjects: 1 }]);
  await join(group, await makeUser(next));
  expect(await findAdmin(next)).toMatchObject({ role: 'owner' });
  expect(await findAdmin(name)).toBeUndefined();
  expect(await isIn(session)).toBe(false);
});

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
  const session = await signIn((await findAdmin(name))!.id as string);
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

test('changes at the same time leave exactly the admins of the last state', async () => {
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

test('switching on while the directory changes misses no change', async () => {
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
