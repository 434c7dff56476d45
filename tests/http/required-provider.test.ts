/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import { activate } from '../resources/admins/admin-state.ts';
import { Admin, makeAdminLink } from '../support/admin.ts';
import { del, get, patch, post } from '../support/client.ts';
import { askPage } from '../support/learner.ts';
import { addPasskey, passkeyChallenge, showPasskey } from '../support/passkeys.ts';
import { adminId, companies } from '../support/world.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';

const id = identityProviderId('tenant');
const require = () => patch(`/identity-providers/${id}`, { admins: 'required' });
const allow = (emergencyAccess: boolean, number: 1 | 2 = 1) =>
  patch(`/admins/${adminId('tenant', number)}`, { emergencyAccess });
const missing = { status: 400, body: { error: { code: 'emergency_access_missing' } } };

beforeEach(async () => {
  await testService.query(
    `update identity_providers set tested_at = now(), admins = 'off', learners = 'off' where id = $1`,
    [id],
  );
  await testService.query('delete from passkeys; delete from messages; update admins set emergency_access = false');
});

test('a provider can be required for admins only while an active owner with a passkey has emergency access', async () => {
  expect(await require()).toMatchObject(missing);
  expect((await allow(true)).status).toBe(200);
  expect(await require()).toMatchObject(missing);
  const admin = await Admin.of('tenant');
  await addPasskey(admin);
  expect((await allow(false)).status).toBe(200);
  expect(await require()).toMatchObject(missing);
  expect((await allow(true)).status).toBe(200);
  expect(await require()).toMatchObject({ status: 200, body: { data: { admins: 'required' } } });
  // An existing session continues.
  expect((await admin.get('/console/passkeys')).status).toBe(200);
});

test('while a provider is required, only admins with emergency access sign in by passkey, and all are notified', async () => {
  await activate(adminId('tenant', 2));
  const [first, second] = [await Admin.of('tenant', 1), await Admin.of('tenant', 2)];
  const [withAccess, withoutAccess] = [await addPasskey(first), await addPasskey(second)];
  await allow(true);
  await testService.query('delete from messages');
  expect((await require()).status).toBe(200);
  const notices = () => testService.query('select kind, count(*)::integer from messages group by kind order by kind');
  expect(await notices()).toEqual([{ kind: 'sign_in_settings_changed', count: 2 }]);
  expect((await showPasskey(withoutAccess.show(await passkeyChallenge()))).status).toBe(400);
  expect(await notices()).toEqual([{ kind: 'sign_in_settings_changed', count: 2 }]);
  expect((await showPasskey(withAccess.show(await passkeyChallenge()))).status).toBe(303);
  expect(await notices()).toEqual([
    { kind: 'emergency_sign_in', count: 2 },
    { kind: 'sign_in_settings_changed', count: 2 },
  ]);
  const link = await makeAdminLink('tenant');
  expect((await askPage(`/console/sign-in/${link}`)).html).toContain(`/sso/${companies.tenant}/${id}/console`);
  expect((await askPage(`/console/sign-in/${link}`, { method: 'POST' })).status).toBe(404);
  expect((await patch(`/identity-providers/${id}`, { admins: 'optional' })).status).toBe(200);
  await testService.query('delete from messages');
  expect((await showPasskey(withoutAccess.show(await passkeyChallenge()))).status).toBe(303);
  expect(await notices()).toEqual([]);
});

test('the last owner with emergency access cannot be removed while a provider is required', async () => {
  await activate(adminId('tenant', 2));
  const [first, second] = [await Admin.of('tenant', 1), await Admin.of('tenant', 2)];
  await addPasskey(first);
  await addPasskey(second);
  await allow(true);
  expect((await require()).status).toBe(200);
  const path = `/admins/${adminId('tenant', 1)}`;
  const [{ id: passkey }] = (await get(`${path}/passkeys`)).body.data as [{ id: string }];
  const attempts = [
    () => allow(false),
    () => patch(path, { role: 'auditor' }),
    () => patch(path, { email: 'moved@tenant.test' }),
    () => del(path),
    () => del('/admins/bulk', { adminIds: [adminId('tenant', 1)] }),
    () => del(`${path}/passkeys/${passkey}`),
  ];
  for (const attempt of attempts) expect(await attempt()).toMatchObject(missing);
  const page = await first.post(`/console/passkeys/${passkey}/remove`);
  expect(page.status).toBe(400);
  expect((await get(`${path}/passkeys`)).body.data).toHaveLength(1);

  expect((await allow(true, 2)).status).toBe(200);
  const races = await Promise.all([allow(false, 1), allow(false, 2)]);
  expect(races.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect((await patch(`/identity-providers/${id}`, { admins: 'optional' })).status).toBe(200);
  expect((await allow(false, 1)).status).toBe(200);
  expect((await allow(false, 2)).status).toBe(200);
});

test('a mailed link offers each required provider, because no domain decides between two', async () => {
  const own = { protocol: 'oidc', issuer: 'https://second.example.org', clientId: 'awareness' };
  const second = (await post('/identity-providers', { name: 'Second <b>', ...own })).body.data as { id: string };
  const link = await makeAdminLink('tenant');
  const listPaths = async () => {
    const { html } = await askPage(`/console/sign-in/${link}`);
    return [...html.matchAll(/class="button" href="([^"]+)">([^<]+)</g)].map(([, path, text]) => [path, text]);
  };
  const pathOf = (provider: string) => `/sso/${companies.tenant}/${provider}/console`;
  await testService.query(`update identity_providers set tested_at = now(), admins = 'required' where id = $1`, [id]);
  expect(await listPaths()).toEqual([[pathOf(id), expect.any(String)]]);
  await testService.query(`update identity_providers set tested_at = now(), admins = 'required' where id = $1`, [
    second.id,
  ]);
  expect(await listPaths()).toEqual([
    [pathOf(id), expect.stringContaining('Continue with ') as string],
    [pathOf(second.id), expect.stringContaining('Continue with Second &lt;b> (') as string],
  ]);
  expect((await askPage(`/console/sign-in/${link}`, { method: 'POST' })).status).toBe(404);
  await del(`/identity-providers/${second.id}`);
});
