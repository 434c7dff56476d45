/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import { del, get } from '../support/client.ts';
import { Admin } from '../support/admin.ts';
import { Authenticator, type Wrong } from '../support/authenticator.ts';
import { askPage } from '../support/learner.ts';
import { addPasskey, ORIGIN, passkeyChallenge, passkeyOptions, showPasskey } from '../support/passkeys.ts';
import { adminId } from '../support/world.ts';
import { activate, invite } from '../resources/admins/admin-state.ts';
import { textOf } from './setup-page.ts';

const PATH = '/console/passkeys';

const sendNew = async (admin: Admin, response: unknown, name = 'Laptop') =>
  admin.post(PATH, { name, response: JSON.stringify(response) });
const adminBy = (page: { headers: Headers }) => new Admin(page.headers.get('set-cookie')!.split(';')[0]!);

async function expectOut(response: unknown): Promise<void> {
  const page = await showPasskey(response);
  expect([page.status, page.headers.get('set-cookie')]).toEqual([400, null]);
}

let admin: Admin;
beforeEach(async () => {
  await testService.query('delete from passkeys');
  admin = await Admin.of('tenant');
});

describe('a passkey', () => {
  test('is added with a name and signs in any number of times', async () => {
    const device = await addPasskey(admin, '<b id=x>');
    const page = await admin.get(PATH);
    expect(page.html).not.toContain('<b id=x>');
    expect(textOf(page)).toContain('<b id=x>');
    for (let round = 0; round < 2; round += 1) {
      const signedIn = await showPasskey(device.show(await passkeyChallenge()));
      expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/console']);
      expect((await adminBy(signedIn).get('/console/keys')).status).toBe(200);
    }
    const { entries } = (await get('/audit-log?operation=addPasskey')).body.data;
    expect(entries.at(-1)).toMatchObject({ actorType: 'admin', actorId: adminId('tenant', 1) });
  });

  test.each<[string, Wrong]>([
    ['from another site', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without user verification', { verifies: false }],
    ['for an unknown challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('%s is not added', async (_case, wrong) => {
    const device = new Authenticator(ORIGIN);
    const page = await sendNew(admin, device.create(await passkeyOptions(admin), wrong));
    expect(page.status).toBe(400);
    expect(await testService.query('select from passkeys')).toEqual([]);
  });

  test('is added once per challenge, and not for the challenge of another admin', async () => {
    const options = await passkeyOptions(admin);
    const other = await Admin.of('other');
    expect((await sendNew(other, new Authenticator(ORIGIN).create(options))).status).toBe(400);
    expect((await sendNew(admin, new Authenticator(ORIGIN).create(options))).status).toBe(400);
    const fresh = await passkeyOptions(admin);
    expect((await sendNew(admin, new Authenticator(ORIGIN).create(fresh))).status).toBe(303);
    expect((await sendNew(admin, new Authenticator(ORIGIN).create(fresh))).status).toBe(400);
  });

  test.each([
    ['no response', undefined],
    ['a number', 7],
    ['a string', 'x'],
    ['an object', { response: {} }],
  ])('%s instead of an authenticator response is rejected', async (_case, response) => {
    await passkeyOptions(admin);
    expect((await sendNew(admin, response)).status).toBe(400);
    await expectOut(response);
  });

  test('that is removed no longer signs in, and cannot be removed by another admin', async () => {
    const device = await addPasskey(admin);
    const [row] = await testService.query('select id from passkeys');
    const path = `${PATH}/${row!.id as string}/remove`;
    const other = await Admin.of('other');
    expect((await other.get(path)).status).toBe(404);
    expect((await other.post(PATH, {}, path)).status).toBe(404);
    expect((await showPasskey(device.show(await passkeyChallenge()))).status).toBe(303);
    expect((await admin.post(path)).status).toBe(303);
    await expectOut(device.show(await passkeyChallenge()));
  });
});

describe('signing in with a passkey', () => {
  test.each<[string, Wrong]>([
    ['on another site', { origin: 'https://evil.example' }],
    ['for another host', { rpId: 'evil.example' }],
    ['without user verification', { verifies: false }],
    ['for an unknown challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['with a counter that did not increase', { counter: 1 }],
    ['for another user handle', { userHandle: Buffer.alloc(32, 7).toString('base64url') }],
    ['for an empty user handle', { userHandle: '' }],
  ])('%s is rejected', async (_case, wrong) => {
    const device = await addPasskey(admin);
    expect((await showPasskey(device.show(await passkeyChallenge()))).status).toBe(303);
    await expectOut(device.show(await passkeyChallenge(), wrong));
  });

  test('works once per challenge, even with concurrent requests, and not after its expiry', async () => {
    const device = await addPasskey(admin);
    const shown = device.show(await passkeyChallenge());
    const statuses = (await Promise.all([showPasskey(shown), showPasskey(shown), showPasskey(shown)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([303, 400, 400]);
    await expectOut(shown);
    const late = await passkeyChallenge();
    await testService.query('update passkey_challenges set expires_at = now()');
    await expectOut(device.show(late));
  });

  test('fails for another admin and for a cross-site form, and deleting an admin removes their passkeys', async () => {
    const { id } = await invite({ email: 'passkey@tenant.test' });
    await activate(id);
    const device = await addPasskey(admin);
    await testService.query('update passkeys set admin_id = $1', [id]);
    const known = await addPasskey(admin, 'Second');
    await expectOut(device.show(await passkeyChallenge()));
    expect((await showPasskey(known.show(await passkeyChallenge()), { 'sec-fetch-site': 'cross-site' })).status).toBe(
      403,
    );
    await del(`/admins/${id}`);
    expect(await testService.query('select from passkeys')).toHaveLength(1);
  });
});

test('the sign-in page loads scripts only from its own origin', async () => {
  const page = await askPage('/console');
  const policy = page.headers.get('content-security-policy')!;
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  const scripts = [...page.html.matchAll(/<script type="module" src="([^"]+)"><\/script>/g)].map((found) => found[1]!);
  expect(scripts).toHaveLength(2);
  expect(page.html.match(/<script/g)).toHaveLength(2);
  for (const path of scripts) expect((await askPage(path)).headers.get('content-type')).toMatch(/^text\/javascript/);
});
