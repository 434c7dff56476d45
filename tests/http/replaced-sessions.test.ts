/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import { Admin, makeAdminLink } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { askPage, Learner, makeLink, type Page } from '../support/learner.ts';
import { addPasskey, passkeyChallenge, showPasskey } from '../support/passkeys.ts';
import { invite } from '../resources/admins/admin-state.ts';
import { adminId } from '../support/world.ts';

const cookieOf = ({ headers }: Page) => headers.getSetCookie()[0]!.split(';')[0]!;
const isIn = async (cookie: string, home: string) =>
  !(await askPage(home, { headers: { cookie } })).html.includes('name="email"');
const signOuts = async () => (await get('/audit-log?operation=signOut')).body.data.entries as object[];

beforeEach(() => testService.query('delete from person_sessions'));

test('signing in with a mailed link ends the earlier session of the browser', async () => {
  const first = await Learner.of('tenant', 2);
  const other = await Learner.of('tenant', 2);
  const headers = { cookie: first.cookie };
  const page = await askPage(`/learn/sign-in/${await makeLink('tenant', 2)}`, { method: 'POST', headers });
  expect(page.status).toBe(303);
  expect(await Promise.all([first.cookie, other.cookie, cookieOf(page)].map((one) => isIn(one, '/learn')))).toEqual([
    false,
    true,
    true,
  ]);
});

test('signing in as another admin ends the session of the first one, and the audit log says so', async () => {
  const first = await Admin.of('tenant');
  const page = await first.send(`/console/sign-in/${await makeAdminLink('other')}`, {});
  expect(page.status).toBe(303);
  expect(await Promise.all([first.cookie, cookieOf(page)].map((one) => isIn(one, '/console')))).toEqual([false, true]);
  expect((await signOuts())[0]).toMatchObject({ actorType: 'admin', actorId: adminId('tenant', 1) });
});

test('signing in with a passkey ends the earlier session of the browser', async () => {
  const first = await Admin.of('tenant');
  const device = await addPasskey(first);
  const page = await showPasskey(device.show(await passkeyChallenge()), { cookie: first.cookie });
  expect(page.status).toBe(303);
  expect(await Promise.all([first.cookie, cookieOf(page)].map((one) => isIn(one, '/console')))).toEqual([false, true]);
});

test('finishing a setup ends the earlier session of the browser', async () => {
  const first = await Admin.of('tenant');
  const { token } = await invite({ email: 'begins@tenant.test' });
  const page = await first.send(`/setup/${token}`, { firstName: 'Dorothy', lastName: 'Vaughan' }, { origin: 'null' });
  expect(page.status).toBe(200);
  expect(await Promise.all([first.cookie, cookieOf(page)].map((one) => isIn(one, '/console')))).toEqual([false, true]);
});

test('a failed sign-in does not change the earlier session', async () => {
  const first = await Admin.of('tenant');
  const device = await addPasskey(first);
  const shown = device.show(await passkeyChallenge());
  await testService.query('update passkey_challenges set expires_at = now() where admin_id is null');
  expect((await showPasskey(shown, { cookie: first.cookie })).status).toBe(400);
  expect(await isIn(first.cookie, '/console')).toBe(true);
});
