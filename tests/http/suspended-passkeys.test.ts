/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0", "PUBLIC_URL": "https://console.test"} */
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { compose } from '../../src/mail/messages/compose.ts';
import { findQueuedMessage } from '../support/queued-messages.ts';
import { createPersonToken, hashPersonToken } from '../../src/identity/person-token.ts';
import { Admin, hiddenOf } from '../support/admin.ts';
import type { Authenticator } from '../support/authenticator.ts';
import { del, get, patch } from '../support/client.ts';
import { ageProofs, asksToConfirm } from '../support/confirmations.ts';
import { askPage, type Page } from '../support/learner.ts';
import { addPasskey, passkeyChallenge, showPasskey } from '../support/passkeys.ts';
import { openServicePool } from '../support/service-pool.ts';
import { companies } from '../support/world.ts';
import { activate, invite, restoreAdminsAfterEach } from '../resources/admins/admin-state.ts';

restoreAdminsAfterEach();
const pool = openServicePool(1);
afterAll(() => pool.end());

const PATH = '/console/passkeys';
const KEEP = `${PATH}/keep`;
const [FORMER, CURRENT] = ['grace.hopper@tenant.test', 'grace.murray@tenant.test'];

let [id, device]: [string, Authenticator] = ['', undefined as never];
beforeEach(async () => {
  ({ id } = await invite({ email: FORMER }));
  await activate(id);
  device = await addPasskey(await signIn(id), 'Old laptop');
});

async function signIn(adminId: string): Promise<Admin> {
  const token = createPersonToken(companies.tenant);
  await testService.query(
    `insert into sign_in_links (company_id, token_hash, admin_id, expires_at) values ($1, $2, $3, now() + interval '1 hour')`,
    [companies.tenant, hashPersonToken(token), adminId],
  );
  return Admin.by(token);
}

const move = async (email: string, adminId = id) =>
  expect((await patch(`/admins/${adminId}`, { email })).status).toBe(200);
const signsIn = async (used = device) => (await showPasskey(used.show(await passkeyChallenge()))).status === 303;

interface Listed {
  id: string;
  name: string;
  suspendedUntil: string | null;
}
const list = async (adminId = id) => (await get(`/admins/${adminId}/passkeys`)).body.data as Listed[];
const listSuspended = async () =>
  (await list()).filter(({ suspendedUntil }) => suspendedUntil !== null).map(({ name }) => name);

/** Requests a challenge in the session of an admin, as the page's script does. */
async function challengeIn(admin: Admin): Promise<{ challenge: string }> {
  const { form_token } = hiddenOf((await admin.get(PATH)).html);
  const headers = { cookie: admin.cookie, 'x-form-token': form_token! };
  return JSON.parse((await askPage('/console/confirm/passkey/options', { method: 'POST', headers })).html) as never;
}

const send = async (admin: Admin, to: string, fields: Record<string, string> = {}) =>
  admin.send(to, { ...hiddenOf((await admin.get(PATH)).html), ...fields });
const keepBy = async (admin: Admin, used: Authenticator): Promise<Page> =>
  send(admin, KEEP, { response: JSON.stringify(used.show(await challengeIn(admin))) });

/** Requests a restoration link, mailed to the former address of a passkey, and returns the link's path. */
async function requestLink(admin: Admin, passkeyId: string): Promise<string> {
  expect((await send(admin, `${KEEP}/link`, { passkey_id: passkeyId })).status).toBe(200);
  const [message] = await testService.query(
    `select setup_token as token, to_address as address from messages
      where kind = 'keep_passkeys' order by created_at desc limit 1`,
  );
  expect(message!.address).toBe(FORMER);
  return `${KEEP}/${message!.token as string}`;
}

describe('after a change of e-mail address', () => {
  test('a passkey is suspended for seven days, and signs nobody in', async () => {
    await move(CURRENT);
    const [passkey] = await list();
    const days = (Date.parse(passkey!.suspendedUntil!) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    expect(await signsIn()).toBe(false);
    const [attempt] = await testService.query(
      'select method, reason from sign_ins where person_id = $1 order by occurred_at desc, id desc limit 1',
      [id],
    );
    expect(attempt).toEqual({ method: 'passkey', reason: 'not_allowed' });
  });

  test('the new address and a suspended passkey together restore all passkeys', async () => {
    const second = await addPasskey(await signIn(id), 'Phone');
    await move(CURRENT);
    const admin = await signIn(id);
    expect((await keepBy(admin, device)).headers.get('location')).toBe(PATH);
    expect(await listSuspended()).toEqual([]);
    expect([await signsIn(), await signsIn(second)]).toEqual([true, true]);
    const { entries } = (await get('/audit-log?operation=restorePasskeys')).body.data;
    expect(entries.at(-1)).toMatchObject({ actorId: id, targets: [{ field: 'passkeyId', count: 2 }] });
    const notices = await testService.query(
      `select from messages where kind = 'passkey_added' and cardinality(subject_ids) = 2`,
    );
    expect(notices.length).toBeGreaterThan(0);
  });

  test('the new address and a link to the former address together restore the passkeys, once', async () => {
    await move(CURRENT);
    const admin = await signIn(id);
    const path = await requestLink(admin, (await list())[0]!.id);
    expect(await listSuspended()).toEqual(['Old laptop']);
    expect((await admin.get(path)).html).toContain('Keep your earlier passkeys?');
    expect(await listSuspended()).toEqual(['Old laptop']);
    expect((await send(admin, path)).status).toBe(303);
    expect(await signsIn()).toBe(true);
    await move('grace@tenant.test');
    expect((await send(await signIn(id), path)).status).toBe(404);
    expect(await listSuspended()).toEqual(['Old laptop']);
  });

  test('neither the new address nor the old proof is enough without the other', async () => {
    const before = await signIn(id);
    await move(CURRENT);
    const admin = await signIn(id);
    const path = await requestLink(admin, (await list())[0]!.id);
    const strangers = await addPasskey(await Admin.of('other'));
    // A former session has ended, and nobody else can use the link.
    expect((await before.get(path)).status).toBe(303);
    for (const other of [await Admin.of('tenant'), await Admin.of('other')])
      expect((await send(other, path)).status).toBe(404);
    expect((await keepBy(admin, strangers)).status).toBe(400);
    expect((await keepBy(await Admin.of('tenant'), device)).status).toBe(400);
    await addPasskey(admin, 'New laptop');
    expect(await listSuspended()).toEqual(['Old laptop']);
    expect(await signsIn()).toBe(false);
  });

  test('a suspended passkey confirms no session', async () => {
    await move(CURRENT);
    const admin = await signIn(id);
    const response = JSON.stringify(device.show(await challengeIn(admin)));
    expect((await send(admin, '/console/confirm/passkey', { response })).status).toBe(403);
  });

  test('a restoration needs a session with a recent sign-in', async () => {
    await move(CURRENT);
    const admin = await signIn(id);
    const path = await requestLink(admin, (await list())[0]!.id);
    const shown = JSON.stringify(device.show(await challengeIn(admin)));
    const { form_token } = hiddenOf((await admin.get(PATH)).html);
    await ageProofs();
    expect(asksToConfirm(await admin.send(KEEP, { form_token: form_token!, response: shown }))).toBe(true);
    expect(asksToConfirm(await admin.send(path, { form_token: form_token! }))).toBe(true);
    expect(await listSuspended()).toEqual(['Old laptop']);
  });

  test('a passkey ends after seven days, and cannot be restored', async () => {
    await move(CURRENT);
    const admin = await signIn(id);
    const path = await requestLink(admin, (await list())[0]!.id);
    await testService.query(`update passkeys set expires_at = now() where expires_at is not null`);
    expect((await send(admin, path)).status).toBe(404);
    expect((await keepBy(admin, device)).status).toBe(400);
    expect(await list()).toEqual([]);
    await testService.query('select purge_passkeys()');
    expect(await testService.query('select from passkeys where admin_id = $1', [id])).toEqual([]);
  });
});

describe('further changes of e-mail address', () => {
  test('a change back restores nothing, and the current address does not count as the old proof', async () => {
    await move(CURRENT);
    const [{ suspendedUntil }] = (await list()) as [Listed];
    await move(FORMER);
    expect(await list()).toMatchObject([{ suspendedUntil }]);
    expect(await signsIn()).toBe(false);
    const admin = await signIn(id);
    expect((await send(admin, `${KEEP}/link`, { passkey_id: (await list())[0]!.id })).status).toBe(404);
    expect((await keepBy(admin, device)).status).toBe(303);
    expect(await signsIn()).toBe(true);
  });

  test('a second change keeps the first end date and former address, and invalidates the mailed link', async () => {
    await move(CURRENT);
    const [{ suspendedUntil, id: passkeyId }] = (await list()) as [Listed];
    const path = await requestLink(await signIn(id), passkeyId);
    await move('grace@tenant.test');
    expect(await list()).toMatchObject([{ suspendedUntil }]);
    const admin = await signIn(id);
    expect((await send(admin, path)).status).toBe(404);
    expect((await send(admin, await requestLink(admin, passkeyId))).status).toBe(303);
    expect(await signsIn()).toBe(true);
  });

  test('a passkey that was added in between needs its own proof', async () => {
    await move(CURRENT);
    const between = await addPasskey(await signIn(id), 'In between');
    await move(FORMER);
    const admin = await signIn(id);
    expect((await keepBy(admin, device)).status).toBe(303);
    expect(await listSuspended()).toEqual(['In between']);
    expect(await signsIn(between)).toBe(false);
  });

  test('a former address that now belongs to another admin does not count as a proof', async () => {
    const { id: otherId } = await invite({ email: 'other.admin@tenant.test' });
    await activate(otherId);
    await move(CURRENT);
    const admin = await signIn(id);
    const path = await requestLink(admin, (await list())[0]!.id);
    await move(FORMER.toUpperCase(), otherId);
    expect((await send(admin, path)).status).toBe(404);
    expect((await send(admin, `${KEEP}/link`, { passkey_id: (await list())[0]!.id })).status).toBe(404);
    expect(await listSuspended()).toEqual(['Old laptop']);
    await del(`/admins/${otherId}`);
  });

  test('a restoration concurrent with a change leaves the passkey either suspended or restored', async () => {
    for (let round = 0; round < 5; round += 1) {
      await move(`round-${round}@tenant.test`);
      const admin = await signIn(id);
      const fields = hiddenOf((await admin.get(PATH)).html);
      const response = JSON.stringify(device.show(await challengeIn(admin)));
      const [page] = await Promise.all([
        admin.send(KEEP, { ...fields, response }),
        move(`round-${round}-again@tenant.test`),
      ]);
      expect([303, 400, 401, 403]).toContain(page.status);
      // The second change always comes later or ends the session, so the passkey is suspended.
      expect(await listSuspended()).toEqual(['Old laptop']);
      expect(await signsIn()).toBe(false);
    }
  });
});

test.each([
  ['en', 'Keep the passkeys'],
  ['de', 'Passkeys behalten'],
  ['fr', 'Garder les clés d’accès'],
])('the email to the former address is in %s, and does not name the new address', async (locale, action) => {
  await move(CURRENT);
  await testService.query('update admins set locale = $2 where id = $1', [id, locale]);
  const path = await requestLink(await signIn(id), (await list())[0]!.id);
  const [message] = await testService.query(`select id from messages where kind = 'keep_passkeys'`);
  const tenant = new TenantAccess(pool).ofJob(companies.tenant);
  const mail = compose((await findQueuedMessage(tenant, message!.id as string))!, {
    ...{ from: { name: 'Security Awareness', address: 'awareness@sender.test' }, contact: 'awareness@sender.test' },
    ...{ trainingUrl: undefined, publicUrl: 'https://console.test' },
  });
  expect((mail.to as { address: string }).address).toBe(FORMER);
  expect(mail.text).toContain(action);
  expect(mail.text).toContain(`https://console.test${path}`);
  expect(mail.text).not.toContain(CURRENT);
  await testService.query(`delete from messages where kind = 'keep_passkeys'`);
});

test('at most ten passkeys work at once', async () => {
  await move(CURRENT);
  const admin = await signIn(id);
  for (let number = 1; number <= 10; number += 1) await addPasskey(admin, `New ${number}`);
  expect((await keepBy(admin, device)).status).toBe(400);
  expect(await listSuspended()).toEqual(['Old laptop']);
  const last = (await list()).find(({ name }) => name === 'New 10')!;
  await del(`/admins/${id}/passkeys/${last.id}`);
  expect((await keepBy(admin, device)).status).toBe(303);
});

test('an admin can request five links in 24 hours', async () => {
  await move(CURRENT);
  const admin = await signIn(id);
  const [{ id: passkeyId }] = (await list()) as [Listed];
  for (let round = 0; round < 5; round += 1) await requestLink(admin, passkeyId);
  expect((await send(admin, `${KEEP}/link`, { passkey_id: passkeyId })).status).toBe(429);
  const foreign = (await list()).map(({ id: own }) => own);
  expect((await send(await Admin.of('other'), `${KEEP}/link`, { passkey_id: foreign[0]! })).status).toBe(404);
});

test('while passkeys are required, a restored passkey opens the console', async () => {
  await addPasskey(await Admin.of('tenant'));
  await patch('/company/settings', { adminPasskeys: 'required' });
  await move(CURRENT);
  const admin = await signIn(id);
  expect((await admin.get('/console/keys')).headers.get('location')).toBe(PATH);
  expect((await keepBy(admin, device)).status).toBe(303);
  expect((await admin.get('/console/keys')).status).toBe(200);
  await testService.query('delete from company_settings; delete from passkeys');
});
