/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import { createPersonToken, hashPersonToken } from '../../src/identity/person-token.ts';
import { Admin } from '../support/admin.ts';
import { Authenticator } from '../support/authenticator.ts';
import { call, del, get, patch } from '../support/client.ts';
import { addPasskey, ORIGIN, passkeyChallenge, passkeyOptions, showPasskey } from '../support/passkeys.ts';
import { companies } from '../support/world.ts';
import { activate, invite, restoreAdminsAfterEach } from '../resources/admins/admin-state.ts';
import { textOf } from './setup-page.ts';

restoreAdminsAfterEach();

let [id, admin, device]: [string, Admin, Authenticator] = ['', new Admin(''), new Authenticator(ORIGIN)];
beforeEach(async () => {
  ({ id } = await invite({ email: 'grace.hopper@tenant.test' }));
  await activate(id);
  admin = await signIn(id);
  device = await addPasskey(admin, 'Old laptop');
});

async function signIn(adminId: string): Promise<Admin> {
  const token = createPersonToken(companies.tenant);
  await testService.query(
    `insert into sign_in_links (company_id, token_hash, admin_id, expires_at) values ($1, $2, $3, now() + interval '1 hour')`,
    [companies.tenant, hashPersonToken(token), adminId],
  );
  return Admin.by(token);
}

const signsIn = async () => (await showPasskey(device.show(await passkeyChallenge()))).status === 303;
const list = async () => (await get(`/admins/${id}/passkeys`)).body.data as { id: string; name: string }[];
const entriesOf = async (operation: string) =>
  (await get(`/audit-log?operation=${operation}`)).body.data.entries as { targets: unknown[]; actorId: string }[];

test('a new address suspends the passkeys of an admin, another change does not', async () => {
  await patch(`/admins/${id}`, { lastName: 'Hopper-Murray', email: 'Grace.Hopper@tenant.test' });
  expect(await signsIn()).toBe(true);
  await patch(`/admins/${id}`, { email: 'grace.murray@tenant.test' });
  expect(await list()).toMatchObject([{ name: 'Old laptop', suspendedUntil: expect.any(String) }]);
  expect(await signsIn()).toBe(false);
});

test('signing out everywhere removes the passkeys, as the page announces', async () => {
  expect(textOf(await admin.get('/console/passkeys'))).toContain('all of your passkeys');
  expect((await admin.post('/console/passkeys', {}, '/console/sign-out-everywhere')).status).toBe(303);
  expect(await list()).toEqual([]);
  expect(await signsIn()).toBe(false);
});

test.each([
  ['the change of address', () => patch(`/admins/${id}`, { email: 'grace.murray@tenant.test' })],
  ['signing out everywhere', () => admin.post('/console/passkeys', {}, '/console/sign-out-everywhere')],
])('a passkey whose creation began before %s is not added', async (_case, end) => {
  const options = await passkeyOptions(admin);
  const hidden = new Authenticator(ORIGIN).create(options);
  const form = await admin.get('/console/passkeys');
  const token = /name="form_token" value="([^"]+)"/.exec(form.html)![1]!;
  await end();
  const page = await admin.send('/console/passkeys', {
    form_token: token,
    name: 'Late',
    response: JSON.stringify(hidden),
  });
  expect(page.status).toBe(401);
  expect((await list()).map(({ name }) => name)).not.toContain('Late');
});

describe('GET /admins/{adminId}/passkeys', () => {
  test('lists the passkeys of an admin without their credentials', async () => {
    expect(await signsIn()).toBe(true);
    await addPasskey(admin, 'Phone');
    const passkeys = await list();
    expect(passkeys).toEqual([
      {
        id: expect.any(String),
        name: 'Old laptop',
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        suspendedUntil: null,
      },
      { id: expect.any(String), name: 'Phone', createdAt: expect.any(String), lastUsedAt: null, suspendedUntil: null },
    ]);
  });

  test('returns 404 for an unknown admin and for one of another company', async () => {
    expect((await get(`/admins/${id}/passkeys`, 'other')).status).toBe(404);
    expect((await get('/admins/0192b000-0000-7000-8000-00000000dead/passkeys')).status).toBe(404);
  });
});

describe('DELETE /admins/{adminId}/passkeys/{passkeyId}', () => {
  test('removes a passkey and records it in the audit log', async () => {
    const [passkey] = await list();
    const answer = await del(`/admins/${id}/passkeys/${passkey!.id}`);
    expect([answer.status, answer.body]).toEqual([200, { data: { id: passkey!.id } }]);
    expect(await signsIn()).toBe(false);
    expect((await del(`/admins/${id}/passkeys/${passkey!.id}`)).status).toBe(404);
    const entry = (await entriesOf('deleteAdminPasskey')).find(({ targets }) => targets.length > 0);
    expect(entry!.targets).toEqual(
      expect.arrayContaining([
        { field: 'adminId', count: 1, ids: [id] },
        { field: 'passkeyId', count: 1, ids: [passkey!.id] },
      ]),
    );
  });

  test('returns 404 for a passkey of another admin or company', async () => {
    const [passkey] = await list();
    const { id: second } = await invite({ email: 'ada@tenant.test' });
    expect((await del(`/admins/${second}/passkeys/${passkey!.id}`)).status).toBe(404);
    expect((await call('other', 'DELETE', `/admins/${id}/passkeys/${passkey!.id}`)).status).toBe(404);
    expect(await signsIn()).toBe(true);
  });
});

test('the console lists the passkeys of another admin and removes one after a confirmation', async () => {
  const colleague = await Admin.of('tenant');
  const path = `/console/admins/${id}/passkeys`;
  expect((await colleague.get('/console/admins')).html).toContain(`href="/console/admins/${id}"`);
  expect((await colleague.get(`/console/admins/${id}`)).html).toContain(`href="${path}"`);
  const page = await colleague.get(path);
  expect(textOf(page)).toContain('Old laptop');
  expect(textOf(page)).toContain('grace.hopper@tenant.test');
  const [passkey] = await list();
  expect(page.html).toContain(`href="${path}/${passkey!.id}/remove"`);
  expect(textOf(await colleague.get(`${path}/${passkey!.id}/remove`))).toContain('Old laptop');
  const done = await colleague.post(`${path}/${passkey!.id}/remove`);
  expect([done.status, done.headers.get('location')]).toEqual([303, path]);
  expect(await signsIn()).toBe(false);
  expect((await entriesOf('deleteAdminPasskey'))[0]).toMatchObject({ actorType: 'admin' });
});

test('the console returns 404 for the passkeys of unknown and foreign admins', async () => {
  const stranger = await Admin.of('other');
  const [passkey] = await list();
  const path = `/console/admins/${id}/passkeys`;
  expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.get(`${path}/${passkey!.id}/remove`)).status).toBe(404);
  expect((await stranger.post('/console/admins', {}, `${path}/${passkey!.id}/remove`)).status).toBe(404);
  expect((await stranger.get('/console/admins/nobody/passkeys')).status).toBe(404);
  expect(await signsIn()).toBe(true);
});
