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

describe('the page of a mailed link', () => {
  test('says who signs in where, signs nobody in by itself, and works once', async () => {
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

  test('of two who press the button at once one is let in', async () => {
    const token = await makeAdminLink('tenant');
    const statuses = (await Promise.all([enter(token), enter(token), enter(token)])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, 404, 404]);
  });

  test('its cookie is for our pages alone, and no script reads it', async () => {
    const page = await enter(await makeAdminLink('tenant'));
    expect(page.headers.get('set-cookie')).toMatch(/^admin=[\w-]{64}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test.each([
    ['is expired', async () => makeAdminLink('tenant', 1, '-1 second')],
    ['is of an admin who has not finished the setup', async () => makeAdminLink('tenant', 2)],
    ['is a learner’s', async () => makeLink('tenant', 1)],
    ['nobody has', async () => createPersonToken(companies.tenant)],
    ['names another company', async () => moved(await makeAdminLink('tenant'))],
    ['is no secret', async () => 'nonsense'],
    ['is a text of its length', async () => randomBytes(48).toString('base64url')],
  ])('one that %s opens nothing', async (_case, make) => {
    const token = await make();
    expect((await askPage(`/console/sign-in/${token}`)).status).toBe(404);
    const page = await enter(token);
    expect([page.status, page.headers.get('set-cookie')]).toEqual([404, null]);
  });

  test('a button on another site signs nobody in', async () => {
    const token = await makeAdminLink('tenant');
    expect((await enter(token, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await enter(token)).status).toBe(303);
  });
});

/** The secret with the id of another company. */
function moved(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  Buffer.from(companies.other.replaceAll('-', ''), 'hex').copy(bytes);
  return bytes.toString('base64url');
}

describe('a session', () => {
  test('ends when the admin is removed, or gets another address', async () => {
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

  test('ends when half an hour has passed without a visit, and after eight hours', async () => {
    const [idle, old] = [await Admin.of('tenant'), await Admin.of('tenant')];
    const set = (admin: Admin, change: string) =>
      testService.query(`update person_sessions set ${change} where token_hash = sha256($1::bytea)`, [
        Buffer.from(admin.cookie.split('=')[1]!),
      ]);
    await set(idle, `last_used_at = now() - interval '31 minutes'`);
    await set(old, `expires_at = now()`);
    expect([await isIn(idle), await isIn(old)]).toEqual([false, false]);
  });

  test('is ended by the button, and all of them by the other one', async () => {
    const [one, two, three] = [await Admin.of('tenant'), await Admin.of('tenant'), await Admin.of('tenant')];
    expect((await one.post('/console/keys', {}, '/console/sign-out')).status).toBe(303);
    expect([await isIn(one), await isIn(two)]).toEqual([false, true]);
    const link = await makeAdminLink('tenant');
    expect((await two.post('/console/keys', {}, '/console/sign-out-everywhere')).status).toBe(303);
    expect([await isIn(two), await isIn(three), (await enter(link)).status]).toEqual([false, false, 404]);
  });

  test('of a learner opens nothing of the console, nor the other way round', async () => {
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

  test('ends in the console, signed in', async () => {
    const { id, token } = await invite({ email: 'begins@tenant.test' });
    const page = await finish(token);
    expect(page.html).toContain('href="/console"');
    const admin = new Admin(page.headers.get('set-cookie')!.split(';')[0]!);
    expect(await isIn(admin)).toBe(true);
    await del(`/admins/${id}`);
    expect(await isIn(admin)).toBe(false);
  });

  test('by a form of another site signs nobody in', async () => {
    const { token } = await invite({ email: 'elsewhere@tenant.test' });
    const page = await finish(token, { 'sec-fetch-site': 'cross-site' });
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
  });
});
