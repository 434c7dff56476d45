/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { randomBytes } from 'node:crypto';
import { createPersonToken } from '../../src/identity/person-token.ts';
import { del, fingerprintOf, get, patch } from '../support/client.ts';
import { Admin, makeAdminLink } from '../support/admin.ts';
import { askPage, Learner, makeLink } from '../support/learner.ts';
import { activate, invite } from '../resources/admins/admin-state.ts';
import { adminId, companies } from '../support/world.ts';
import { textOf } from './setup-page.ts';

const enter = (token: string, headers = {}) => askPage(`/console/sign-in/${token}`, { method: 'POST', headers });
const isIn = async (admin: Admin) => (await admin.get('/console/keys')).status === 200;

describe('the page of a sign-in link', () => {
  test('names the company, signs in only by its button, and works once', async () => {
    const token = await makeAdminLink('tenant');
    const before = await fingerprintOf('tenant');
    const pages = [await askPage(`/console/sign-in/${token}`), await askPage(`/console/sign-in/${token}`)];
    for (const page of pages) {
      expect(page.status).toBe(200);
      expect(textOf(page)).toContain('The tenant company');
      expect(page.headers.get('set-cookie')).toBeNull();
    }
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await isIn(await Admin.by(token))).toBe(true);
    expect((await enter(token)).status).toBe(404);
    expect((await askPage(`/console/sign-in/${token}`)).status).toBe(404);
    const { entries } = (await get('/audit-log?operation=signIn')).body.data;
    expect(entries).toMatchObject([{ actorType: 'admin', actorId: adminId('tenant', 1) }]);
  });

  test('of concurrent sign-ins with one link only one succeeds', async () => {
    const token = await makeAdminLink('tenant');
    const statuses = (await Promise.all([enter(token), enter(token), enter(token)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, 404, 404]);
  });

  test('sets an HttpOnly, SameSite cookie', async () => {
    const page = await enter(await makeAdminLink('tenant'));
    expect(page.headers.get('set-cookie')).toMatch(/^admin=[\w-]{64}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test.each([
    ['is expired', async () => makeAdminLink('tenant', 1, '-1 second')],
    ['belongs to an admin who has not finished the setup', async () => makeAdminLink('tenant', 2)],
    ['belongs to a learner', async () => makeLink('tenant', 1)],
    ['does not exist', async () => createPersonToken(companies.tenant)],
    ['names another company', async () => moved(await makeAdminLink('tenant'))],
    ['is malformed', async () => 'nonsense'],
    ['is random text of the right length', async () => randomBytes(48).toString('base64url')],
  ])('a link that %s does not sign in', async (_case, make) => {
    const token = await make();
    expect((await askPage(`/console/sign-in/${token}`)).status).toBe(404);
    const page = await enter(token);
    expect([page.status, page.headers.get('set-cookie')]).toEqual([404, null]);
  });

  test('a cross-site form does not sign in', async () => {
    const token = await makeAdminLink('tenant');
    expect((await enter(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await enter(token)).status).toBe(303);
  });
});

/** Replaces the company id within the token with the id of another company. */
function moved(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  Buffer.from(companies.other.replaceAll('-', ''), 'hex').copy(bytes);
  return bytes.toString('base64url');
}

describe('a session', () => {
  test('ends when the admin is deleted or gets another address', async () => {
    const { id } = await invite({ email: 'soon@tenant.test' });
    await activate(id);
    const signedIn = async () => Admin.by(await linkOf(id));
    const [first, second] = [await signedIn(), await signedIn()];
    const other = await linkOf(id);
    expect([await isIn(first), await isIn(second)]).toEqual([true, true]);
    await patch(`/admins/${id}`, { email: 'moved@tenant.test' });
    expect([await isIn(first), await isIn(second), (await enter(other)).status]).toEqual([false, false, 404]);
    const third = await signedIn();
    await del(`/admins/${id}`);
    expect(await isIn(third)).toBe(false);
    expect((await third.send('/console/keys', { name: 'x', may: 'all' })).status).toBe(401);
  });

  test('ends after half an hour without a visit, and after eight hours', async () => {
    const [idle, old] = [await Admin.of('tenant'), await Admin.of('tenant')];
    const set = (admin: Admin, change: string) =>
      testService.query(`update person_sessions set ${change} where token_hash = sha256($1::bytea)`, [
        Buffer.from(admin.cookie.split('=')[1]!),
      ]);
    await set(idle, `last_used_at = now() - interval '31 minutes'`);
    await set(old, `expires_at = now()`);
    expect([await isIn(idle), await isIn(old)]).toEqual([false, false]);
  });

  test('ends when the admin signs out; signing out everywhere ends all sessions and links', async () => {
    const [one, two, three] = [await Admin.of('tenant'), await Admin.of('tenant'), await Admin.of('tenant')];
    expect((await one.post('/console/keys', {}, '/console/sign-out')).status).toBe(303);
    expect([await isIn(one), await isIn(two)]).toEqual([false, true]);
    const link = await makeAdminLink('tenant');
    expect((await two.post('/console/keys', {}, '/console/sign-out-everywhere')).status).toBe(303);
    expect([await isIn(two), await isIn(three), (await enter(link)).status]).toEqual([false, false, 404]);
  });

  test('of a learner does not open the console, and that of an admin does not open the learner pages', async () => {
    const learner = await Learner.of('tenant', 1);
    const admin = await Admin.of('tenant');
    const secret = (cookie: string) => cookie.split('=')[1];
    expect(await isIn(new Admin(`admin=${secret(learner.cookie)}`))).toBe(false);
    expect(await isIn(new Admin(learner.cookie))).toBe(false);
    const page = await askPage('/learn', { headers: { cookie: `learner=${secret(admin.cookie)}` } });
    expect(page.html).not.toContain('/learn/sign-out');
  });
});

async function linkOf(adminOfTenant: string): Promise<string> {
  const token = await makeAdminLink('tenant');
  await testService.query('update sign_in_links set admin_id = $1 where admin_id = $2', [
    adminOfTenant,
    adminId('tenant', 1),
  ]);
  return token;
}

describe('finishing the setup', () => {
  const finish = (token: string, headers = {}) =>
    askPage(`/setup/${token}`, {
      method: 'POST',
      body: new URLSearchParams({ firstName: 'Dorothy', lastName: 'Vaughan' }),
      headers: { origin: 'null', ...headers },
    });

  test('signs in to the console', async () => {
    const { id, token } = await invite({ email: 'begins@tenant.test' });
    const page = await finish(token);
    expect(page.html).toContain('href="/console"');
    const admin = new Admin(page.headers.get('set-cookie')!.split(';')[0]!);
    expect(await isIn(admin)).toBe(true);
    await del(`/admins/${id}`);
    expect(await isIn(admin)).toBe(false);
  });

  test('with a cross-site form does not sign in', async () => {
    const { token } = await invite({ email: 'elsewhere@tenant.test' });
    const page = await finish(token, { 'sec-fetch-site': 'cross-site' });
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
  });
});
