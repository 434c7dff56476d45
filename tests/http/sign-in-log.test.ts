/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test", "TRUSTED_PROXY_HOPS": "1"} */
import { Admin, makeAdminLink } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { askPage, Learner, makeLink } from '../support/learner.ts';
import { addPasskey, passkeyChallenge, showPasskey } from '../support/passkeys.ts';
import { adminId, learnerId } from '../support/world.ts';

const PERSON = adminId('tenant', 1);
const list = async (query = '') => (await get(`/sign-ins${query}`)).body.data as Record<string, unknown>[];
afterEach(() => testService.query('delete from sign_ins'));

test('a sign-in by a link is listed with IP address and browser, and the second use of the link as a failure', async () => {
  const token = await makeAdminLink('tenant');
  const headers = { 'x-forwarded-for': '203.0.113.9', 'user-agent': `Firefox ö ${'x'.repeat(400)}` };
  const enter = () => askPage(`/console/sign-in/${token}`, { method: 'POST', headers });
  expect([(await enter()).status, (await enter()).status]).toEqual([303, 404]);
  const userAgent = `Firefox ? ${'x'.repeat(400)}`.slice(0, 300);
  const entry = { kind: 'admin', personId: PERSON, method: 'sign_in_link', address: '203.0.113.9', userAgent };
  expect(await list()).toEqual([
    expect.objectContaining({ ...entry, outcome: 'failed', reason: 'link_used' }),
    expect.objectContaining({ ...entry, outcome: 'succeeded', reason: null }),
  ]);
});

test('an expired link is listed as a failure, and an unknown one is not', async () => {
  const token = await makeLink('tenant', 1);
  await testService.query('update sign_in_links set expires_at = now()');
  expect((await askPage(`/learn/sign-in/${token}`)).status).toBe(404);
  expect((await askPage(`/learn/sign-in/${token.slice(0, -1)}x`)).status).toBe(404);
  const entry = { kind: 'learner', personId: learnerId('tenant', 1), reason: 'link_expired' };
  expect(await list()).toEqual([expect.objectContaining(entry)]);
});

test('a stored passkey with a wrong proof is listed, an unknown passkey is not, and a rejected one is not audited', async () => {
  const admin = await Admin.of('tenant');
  const [device, unknown] = [await addPasskey(admin), await addPasskey(admin, 'Phone')];
  expect((await showPasskey(device.show(await passkeyChallenge()))).status).toBe(303);
  expect((await list())[0]).toMatchObject({ personId: PERSON, method: 'passkey', outcome: 'succeeded' });
  await testService.query(`delete from passkeys where name = 'Phone'`);
  await testService.query(`update passkeys set counter = 1000 where name = 'Laptop' and admin_id = $1`, [PERSON]);
  const audited = async () => (await get('/audit-log?operation=signIn')).body.data.entries.length as number;
  const before = [await audited(), (await list()).length];
  for (const shown of [device.show({ challenge: 'invented' }), device.show(await passkeyChallenge())])
    expect((await showPasskey(shown)).status).toBe(400);
  expect((await showPasskey(unknown.show(await passkeyChallenge()))).status).toBe(400);
  expect([await audited(), (await list()).length]).toEqual([before[0], before[1]! + 2]);
  expect((await list('?outcome=failed')).map(({ reason }) => reason)).toEqual(['passkey_rejected', 'passkey_rejected']);
});

test('failures of a person above 20 an hour are dropped; sign-ins and other people are recorded', async () => {
  const token = await makeLink('tenant', 1);
  await testService.query('update sign_in_links set expires_at = now()');
  for (let attempt = 0; attempt < 23; attempt += 1) await askPage(`/learn/sign-in/${token}`);
  expect(await list()).toHaveLength(20);
  await Learner.of('tenant', 1);
  await askPage(`/console/sign-in/${await makeAdminLink('tenant', 1, '-1 minutes')}`);
  expect(await list()).toHaveLength(22);
  await testService.query(`update sign_ins set occurred_at = occurred_at - interval '61 minutes'`);
  await askPage(`/learn/sign-in/${token}`);
  expect(await list()).toHaveLength(23);
});

test('entries stay readable after the learner was deleted', async () => {
  await Learner.of('tenant', 4);
  await testService.query('delete from learners where id = $1', [learnerId('tenant', 4)]);
  expect(await list(`?learnerId=${learnerId('tenant', 4)}`)).toHaveLength(1);
});
