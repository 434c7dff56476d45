/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import { activate, invite } from '../resources/admins/admin-state.ts';
import { Admin, makeAdminLink } from '../support/admin.ts';
import { expectError, get, patch, send } from '../support/client.ts';
import { ageProofs, asksToConfirm, confirmByPasskey, continueForm } from '../support/confirmations.ts';
import { askPage } from '../support/learner.ts';
import { addPasskey, passkeyChallenge, showPasskey } from '../support/passkeys.ts';
import { keyWith } from '../support/scoped-keys.ts';
import { adminId } from '../support/world.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';

const SETTINGS = '/company/settings';
const require = () => patch(SETTINGS, { adminPasskeys: 'required' });
const follow = async (number: 1 | 2 = 1) =>
  askPage(`/console/sign-in/${await makeAdminLink('tenant', number)}`, { method: 'POST' });
const locationOf = (page: { status: number; headers: Headers }) => [page.status, page.headers.get('location')];

beforeEach(async () => {
  await testService.query('delete from passkeys; delete from messages; delete from company_settings');
  await testService.query('delete from person_sessions; delete from sign_ins');
});
afterAll(() => testService.query('delete from company_settings'));

test('passkeys are required only while an active owner has one', async () => {
  expectError(await require(), 400, 'owner_passkey_missing');
  await activate(adminId('tenant', 2));
  await testService.query(`update admins set role = 'administrator' where id = $1`, [adminId('tenant', 2)]);
  await addPasskey(await Admin.of('tenant', 2));
  expectError(await require(), 400, 'owner_passkey_missing');
  await addPasskey(await Admin.of('tenant', 1));
  expect(await require()).toMatchObject({ status: 200, body: { data: { adminPasskeys: 'required' } } });
  expect((await get(SETTINGS)).body.data).toMatchObject({ adminPasskeys: 'required' });
  await testService.query(`update admins set role = 'owner' where id = $1`, [adminId('tenant', 2)]);
});

test('a change notifies all active admins, and only a key without scopes can make it', async () => {
  await activate(adminId('tenant', 2));
  await addPasskey(await Admin.of('tenant'));
  await testService.query('delete from messages');
  const key = await keyWith('tenant', ['company:read', 'company:write']);
  const change = (body: object) =>
    send('PATCH', SETTINGS, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expectError(await change({ adminPasskeys: 'required' }), 403, 'insufficient_scope');
  expect((await change({ minGroupSize: 9 })).status).toBe(200);
  const notices = () => testService.query(`select kind, count(*)::integer from messages group by kind`);
  expect(await notices()).toEqual([]);
  await require();
  await require();
  expect(await notices()).toEqual([{ kind: 'admin_passkeys_changed', count: 2 }]);
});

test('a mailed link does not sign in an admin with a passkey', async () => {
  const device = await addPasskey(await Admin.of('tenant'));
  await require();
  const link = await makeAdminLink('tenant');
  const page = await askPage(`/console/sign-in/${link}`);
  expect(page.html).toContain('requires a passkey');
  expect(page.html).not.toContain('<form');
  expect((await askPage(`/console/sign-in/${link}`, { method: 'POST' })).status).toBe(404);
  expect(locationOf(await showPasskey(device.show(await passkeyChallenge())))).toEqual([303, '/console']);
  await patch(SETTINGS, { adminPasskeys: 'optional' });
  // A rejected link is not used up.
  expect(locationOf(await askPage(`/console/sign-in/${link}`, { method: 'POST' }))).toEqual([303, '/console']);
});

test('an admin without a passkey can only add one, which then opens the console', async () => {
  await activate(adminId('tenant', 2));
  await addPasskey(await Admin.of('tenant', 1));
  await require();
  const admin = await Admin.of('tenant', 2);
  for (const path of ['/console', '/console/keys', '/console/sessions', '/console/passkeys/x/remove'])
    expect(locationOf(await admin.get(path))).toEqual([303, '/console/passkeys']);
  expect((await admin.get('/console/passkeys')).html).toContain('class="warning"');
  const refused = await admin.post('/console/passkeys', {}, '/console/sign-out-everywhere');
  expect(locationOf(refused)).toEqual([303, '/console/passkeys']);
  await addPasskey(admin);
  expect((await admin.get('/console/keys')).status).toBe(200);
  // The next link no longer signs in.
  expect((await follow(2)).status).toBe(404);
});

test('a session from before the change is asked for the passkey, and continues where it was', async () => {
  const [admin, other] = [await Admin.of('tenant'), await Admin.of('tenant')];
  const device = await addPasskey(admin);
  await require();
  expect((await admin.get('/console/keys')).status).toBe(200);
  const asked = await other.get('/console/sign-ins?page=2');
  expect(asksToConfirm(asked)).toBe(true);
  expect(asksToConfirm(await other.post('/console', {}, '/console/sign-out-everywhere'))).toBe(true);
  expect(asksToConfirm(await other.post('/console', {}, '/console/passkeys/options'))).toBe(true);
  expect((await confirmByPasskey(other, asked, device)).status).toBe(204);
  expect(locationOf(await continueForm(other, asked))).toEqual([303, '/console/sign-ins?page=2']);
  expect((await other.get('/console/sign-ins?page=2')).status).toBe(200);
});

test('an admin whose passkeys were removed adds another one', async () => {
  const admin = await Admin.of('tenant');
  await addPasskey(admin);
  await require();
  await testService.query('delete from passkeys');
  expect(locationOf(await follow())).toEqual([303, '/console']);
  await addPasskey(await Admin.of('tenant'));
  expect((await follow()).status).toBe(404);
});

test('of two sessions without a passkey, only the first adds one', async () => {
  await activate(adminId('tenant', 2));
  await addPasskey(await Admin.of('tenant', 1));
  await require();
  const [first, second] = [await Admin.of('tenant', 2), await Admin.of('tenant', 2)];
  await addPasskey(first);
  expect(asksToConfirm(await second.post('/console', {}, '/console/passkeys'))).toBe(true);
  expect(await testService.query('select from passkeys where admin_id = $1', [adminId('tenant', 2)])).toHaveLength(1);
});

test('signing out everywhere, which removes the passkeys, needs a recent sign-in', async () => {
  const admin = await Admin.of('tenant');
  await addPasskey(admin);
  await ageProofs();
  expect(asksToConfirm(await admin.post('/console/passkeys', {}, '/console/sign-out-everywhere'))).toBe(true);
  expect(await testService.query('select from passkeys')).toHaveLength(1);
});

test('an owner changes the rule in the console, and sees why it is rejected', async () => {
  const admin = await Admin.of('tenant');
  const change = () =>
    admin.post(
      '/console/identity-providers',
      { adminPasskeys: 'required' },
      '/console/identity-providers/admin-passkeys',
    );
  const rejected = await change();
  expect([rejected.status, rejected.html.includes('an owner needs a passkey first')]).toEqual([400, true]);
  await addPasskey(admin);
  expect(locationOf(await change())).toEqual([303, '/console/identity-providers']);
  expect((await get(SETTINGS)).body.data).toMatchObject({ adminPasskeys: 'required' });
});

test('an invited admin adds a passkey after the setup', async () => {
  await addPasskey(await Admin.of('tenant', 1));
  await require();
  const { id, token } = await invite();
  const body = new URLSearchParams({ firstName: 'Grace', lastName: 'Hopper' });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const page = await fetch(`${testService.url}/setup/${token}`, { method: 'POST', body, headers });
  const admin = new Admin(page.headers.get('set-cookie')!.split(';')[0]!);
  expect(locationOf(await admin.get('/console'))).toEqual([303, '/console/passkeys']);
  await addPasskey(admin);
  expect((await admin.get('/console')).status).toBe(200);
  await testService.query('delete from admins where id = $1', [id]);
});

test('while an identity provider is also required, only emergency access signs in with a passkey', async () => {
  const [admin, other] = [await Admin.of('tenant'), await Admin.of('tenant')];
  const device = await addPasskey(admin);
  await require();
  const id = identityProviderId('tenant');
  await testService.query(`update identity_providers set tested_at = now(), admins = 'required' where id = $1`, [id]);
  expect((await showPasskey(device.show(await passkeyChallenge()))).status).toBe(400);
  expect((await follow()).status).toBe(404);
  // The session by link is asked for the provider, because the passkey is not allowed.
  const asked = await other.get('/console');
  expect(asksToConfirm(asked)).toBe(true);
  expect(asked.html).toContain(`/${id}/confirm"`);
  expect((await confirmByPasskey(other, asked, device)).status).toBe(403);
  expect(await testService.query(`select reason from sign_ins where action = 'confirmation'`)).toEqual([
    { reason: 'not_allowed' },
  ]);
  await patch(`/admins/${adminId('tenant', 1)}`, { emergencyAccess: true });
  expect(locationOf(await showPasskey(device.show(await passkeyChallenge())))).toEqual([303, '/console']);
  expect((await confirmByPasskey(other, asked, device)).status).toBe(204);
  expect((await other.get('/console')).status).toBe(200);
  await patch(`/admins/${adminId('tenant', 1)}`, { emergencyAccess: false });
  await testService.query(`update identity_providers set admins = 'off' where id = $1`, [id]);
});
