/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { del, expectError, get, patch as change, put } from '../../support/client.ts';
import { adminId, roleId } from '../../support/world.ts';
import { invite } from '../admins/admin-state.ts';
import { ask, GROUP, makeUser, patch } from './directory-support.ts';
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

const [first, second] = [adminId('tenant', 1), adminId('tenant', 2)];

restoreProvisioningAfterEach();

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
  const session = await signIn(admin.id);
  expect(await isIn(session)).toBe(true);
  await patch(`/Users/${id}`, { op: 'Replace', path: 'name.familyName', value: 'Greig' });
  expect(await findAdmin(name)).toMatchObject({ id: admin.id, lastName: 'Greig' });
  expect(await isIn(session)).toBe(true);
  await patch(`/Users/${id}`, { op: 'Replace', path: 'emails[type eq "work"].value', value: 'eve.greig@tenant.test' });
  expect(await findAdmin('eve.greig')).toMatchObject({ id: admin.id });
  expect(await isIn(session)).toBe(false);
  const again = await signIn(admin.id);
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
  const session = await signIn(before.id);
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

test("the first group of the list decides the role, and leaving it gives the next group's role", async () => {
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
  await leave(group, id);
  expect((await del(`/admins/${id}`)).status).toBe(200);
});

test("an invited admin with a member's address stays manual, unless the setting joins such admins", async () => {
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

test('a chain of addresses moves at once when the address that blocks it becomes free', async () => {
  const [one, two] = [fresh('one'), fresh('two')];
  const [first, next] = [await makeUser(one), await makeUser(two)];
  const group = await makeGroup(first, next);
  await provision({ [group]: 'analyst' });
  const free = `${fresh('blocked')}@tenant.test`;
  const { id } = await invite({ email: free });
  const rename = (user: string, email: string) =>
    patch(`/Users/${user}`, { op: 'Replace', path: 'emails[type eq "work"].value', value: email });
  await rename(next, free);
  expect(await findAdmin(two)).toMatchObject({ managedBy: 'directory' });
  await rename(first, `${two}@tenant.test`);
  expect(await findAdmin(one)).toMatchObject({ managedBy: 'directory' });
  expect((await del(`/admins/${id}`)).status).toBe(200);
  expect((await listAdmins()).filter(({ email }) => email === free)).toMatchObject([{ managedBy: 'directory' }]);
  expect(await findAdmin(two)).toMatchObject({ managedBy: 'directory' });
  expect(await findAdmin(one)).toBeUndefined();
});

test('a new address from the directory suspends the passkeys of the admin', async () => {
  const name = fresh('passkey');
  const user = await makeUser(name);
  await provision({ [await makeGroup(user)]: 'analyst' });
  const admin = (await findAdmin(name))!;
  await testService.query(
    `insert into passkeys (company_id, id, admin_id, credential_id, public_key, counter, name)
     select company_id, new_id(), id, sha256('directory'), '', 0, 'Laptop' from admins where id = $1`,
    [admin.id],
  );
  const email = `${fresh('moved')}@tenant.test`;
  await patch(`/Users/${user}`, { op: 'Replace', path: 'emails[type eq "work"].value', value: email });
  const [row] = await testService.query(
    'select former_email, expires_at > now() as "isSuspended" from passkeys where admin_id = $1',
    [admin.id],
  );
  expect(row).toEqual({ former_email: `${name}@tenant.test`, isSuspended: true });
});

test('the last active owner keeps role and access until there is a new owner, and all admins are notified once', async () => {
  const [name, next] = [fresh('last'), fresh('next')];
  const id = await makeUser(name);
  const group = await makeGroup(id);
  const lower = await makeGroup();
  await provision({ [group]: 'owner', [lower]: 'analyst' });
  await testService.query(`update admins set status = 'invited' where id = $1`, [first]);
  await testService.query('delete from messages');
  const admin = (await findAdmin(name))!;
  const session = await signIn(admin.id);
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
