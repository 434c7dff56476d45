/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test", "TRUSTED_PROXY_HOPS": "1"} */
import { Admin, makeAdminLink } from '../../support/admin.ts';
import { del, patch, post, put } from '../../support/client.ts';
import { askPage } from '../../support/learner.ts';
import { addPasskey } from '../../support/passkeys.ts';
import { adminId } from '../../support/world.ts';
import { activate, invite, restoreAdminsAfterEach } from '../admins/admin-state.ts';
import { eventsOf, here, requireShapes } from './event-state.ts';

restoreAdminsAfterEach();

let start: string;
beforeAll(async () => (start = await here()));
afterAll(() => testService.query('delete from company_settings'));

async function signInFrom(address: string): Promise<void> {
  const headers = { 'x-forwarded-for': address };
  const page = await askPage(`/console/sign-in/${await makeAdminLink('tenant')}`, { method: 'POST', headers });
  expect(page.status).toBe(303);
}

test('an admin emits events when invited, moved and given more permissions', async () => {
  let id = '';
  const invited = await eventsOf(async () => ({ id } = await invite({ email: 'events@tenant.test', role: 'auditor' })));
  const data = { adminId: id };
  expect(invited).toEqual([['admin.created', data]]);
  await activate(id);
  const change = (body: object) => eventsOf(() => patch(`/admins/${id}`, body));
  expect(await change({ role: 'analyst' })).toEqual([['admin.role.changed', data]]);
  expect(await change({ role: 'analyst', lastName: 'Same', email: 'EVENTS@tenant.test' })).toEqual([]);
  expect(await change({ email: 'moved@tenant.test' })).toEqual([['admin.address.changed', data]]);
  expect(await eventsOf(() => patch('/admins/none', { role: 'owner' }))).toEqual([]);
});

test('a passkey emits events when added, suspended, restored and removed, but not with its admin', async () => {
  const { id } = await invite({ email: 'passkeys@tenant.test' });
  await activate(id);
  await testService.query('delete from passkeys');
  const first = await Admin.of('tenant');
  const events = await eventsOf(() => addPasskey(first));
  const [{ id: passkeyId }] = (await testService.query('select id from passkeys')) as [{ id: string }];
  const data = { adminId: adminId('tenant', 1), passkeyId };
  expect(events).toEqual([['admin.passkey.added', data]]);
  const set = (text: string) => eventsOf(() => testService.query(`update passkeys set ${text}`));
  expect(await set('counter = counter + 1, last_used_at = now()')).toEqual([]);
  expect(await set(`expires_at = now() + interval '1 day', former_email = 'x@tenant.test'`)).toEqual([
    ['admin.passkey.removed', data],
  ]);
  expect(await set('expires_at = null, former_email = null')).toEqual([['admin.passkey.added', data]]);
  expect(await eventsOf(() => del(`/admins/${adminId('tenant', 1)}/passkeys/${passkeyId}`))).toEqual([
    ['admin.passkey.removed', data],
  ]);
  await addPasskey(first);
  await testService.query('update passkeys set admin_id = $1', [id]);
  expect(await eventsOf(() => del(`/admins/${id}`))).toEqual([]);
});

test('the first sign-in from another network emits an event', async () => {
  await testService.query('delete from sign_ins');
  expect(await eventsOf(() => signInFrom('203.0.113.7'))).toEqual([]);
  expect(await eventsOf(() => signInFrom('203.0.113.8'))).toEqual([]);
  expect(await eventsOf(() => signInFrom('198.51.100.4'))).toEqual([
    ['admin.new_network', { adminId: adminId('tenant', 1), signInId: expect.any(String) }],
  ]);
});

test('sign-in settings emit events that name the setting', async () => {
  await addPasskey(await Admin.of('tenant'));
  const changed = (setting: string) => [['sign_in_settings.changed', { setting, identityProviderId: null }]];
  const require = () => patch('/company/settings', { adminPasskeys: 'required' });
  expect(await eventsOf(require)).toEqual(changed('admin_passkeys'));
  expect(await eventsOf(require)).toEqual([]);
  const provision = () => put('/company/admin-provisioning', { enabled: false, roles: [] });
  expect(await eventsOf(provision)).toEqual(changed('admin_provisioning'));
  let identityProviderId = '';
  const created = await eventsOf(async () => {
    const provider = await post('/identity-providers', {
      ...{ name: 'Events', protocol: 'oidc', issuer: 'https://id.events.test', clientId: 'events' },
      clientSecret: 'a-secret-of-the-client',
    });
    identityProviderId = provider.body.data.id;
  });
  const data = { setting: 'identity_provider', identityProviderId };
  expect(created).toEqual([['sign_in_settings.changed', data]]);
  expect(await eventsOf(() => del(`/identity-providers/${identityProviderId}`))).toEqual([
    ['sign_in_settings.changed', data],
  ]);
});

test('a rejected change emits no event', async () => {
  await testService.query(`delete from passkeys; delete from company_settings`);
  const work = async () => {
    expect((await patch('/company/settings', { adminPasskeys: 'required' })).status).toBe(400);
    expect((await patch(`/admins/${adminId('tenant', 1)}`, { email: 'not an address' })).status).toBe(400);
  };
  expect(await eventsOf(work)).toEqual([]);
});

test('each of these events has the shape of its webhook', async () => {
  const types = await requireShapes(start);
  for (const type of ['admin.created', 'admin.role.changed', 'admin.address.changed', 'admin.passkey.added'])
    expect(types).toContain(type);
  for (const type of ['admin.passkey.removed', 'admin.new_network', 'sign_in_settings.changed'])
    expect(types).toContain(type);
});
