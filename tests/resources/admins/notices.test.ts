/** @jest-environment-options {"PUBLIC_URL": "https://console.test", "RATE_LIMIT_PER_MINUTE": "0"} */
import { openServicePool } from '../../support/service-pool.ts';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { compose } from '../../../src/mail/messages/compose.ts';
import { findQueuedMessage } from '../../support/queued-messages.ts';
import { Admin } from '../../support/admin.ts';
import { patch, post } from '../../support/client.ts';
import { addPasskey } from '../../support/passkeys.ts';
import { adminId, companies } from '../../support/world.ts';
import { activate, dorothy, restoreAdminsAfterEach } from './admin-state.ts';

restoreAdminsAfterEach();
const pool = openServicePool(2);
afterAll(() => pool.end());
beforeEach(() => activate(adminId('tenant', 2)));
afterEach(() => testService.query('delete from messages'));

const settings = {
  from: { name: 'Security Awareness', address: 'awareness@sender.test' },
  contact: 'awareness@sender.test',
  trainingUrl: undefined,
  publicUrl: 'https://awareness.test',
};

/** Composes the queued emails of a kind and returns their addresses and texts, sorted by address. */
async function mailsOf(kind: string): Promise<{ to: string; text: string }[]> {
  const tenant = new TenantAccess(pool).ofJob(companies.tenant);
  const rows = await testService.query(`select id from messages where kind = $1 and status = 'queued'`, [kind]);
  const mails = await Promise.all(
    rows.map(async ({ id }) => {
      const mail = compose((await findQueuedMessage(tenant, id as string))!, settings);
      return {
        to: (mail.to as { address: string }).address,
        text: `${mail.subject}\n${mail.text as string}`.replaceAll('\u200b', ''),
      };
    }),
  );
  return mails.toSorted((a, b) => (a.to < b.to ? -1 : 1));
}
const both = ['admin1@tenant.test', 'admin2@tenant.test'];
const addressesOf = async (kind: string) => (await mailsOf(kind)).map(({ to }) => to);

test('a new admin is reported to every active admin', async () => {
  expect((await post('/admins', dorothy)).status).toBe(200);
  const mails = await mailsOf('admin_added');
  expect(mails.map(({ to }) => to)).toEqual(both);
  for (const { text } of mails) expect(text).toContain(`Dorothy Vaughan (${dorothy.email})`);
});

test('a changed address is reported to active admins, and to the old address without naming the new one', async () => {
  await patch(`/admins/${adminId('tenant', 2)}`, { email: 'moved@tenant.test' });
  const mails = await mailsOf('admin_address_changed');
  expect(mails.map(({ to }) => to)).toEqual(['admin1@tenant.test', 'admin2@tenant.test', 'moved@tenant.test']);
  expect(mails.map(({ text }) => text.includes('moved@tenant.test'))).toEqual([true, false, true]);
});

test('changes to a name, or only to the case of an address, are not reported', async () => {
  await patch(`/admins/${adminId('tenant', 2)}`, { email: 'ADMIN2@tenant.test', lastName: 'Other' });
  expect(await addressesOf('admin_address_changed')).toEqual([]);
});

test('a new passkey is reported to every active admin', async () => {
  await addPasskey(await Admin.of('tenant'), 'Strange laptop');
  const mails = await mailsOf('passkey_added');
  expect(mails.map(({ to }) => to)).toEqual(both);
  for (const { text } of mails) expect(text).toMatch(/Strange laptop, Mary tenant \(admin1@tenant\.test\)/);
});

test('a new API key is reported to every active admin, whether from a call, a rotation or the console', async () => {
  const made = (await post('/api-keys', { name: 'Unexpected' })).body.data;
  await post(`/api-keys/${made.apiKey.id}/rotate`);
  await (await Admin.of('tenant')).post('/console/keys', { name: 'In the console', may: 'read' });
  const mails = await mailsOf('api_key_created');
  expect(mails.map(({ to }) => to)).toEqual([
    ...both.slice(0, 1),
    ...both.slice(0, 1),
    both[0],
    both[1],
    both[1],
    both[1],
  ]);
  expect(mails.map(({ text }) => /(Unexpected|In the console) \(sk_/.exec(text)![1]).toSorted()).toEqual(
    [...Array.from({ length: 4 }, () => 'Unexpected'), 'In the console', 'In the console'].toSorted(),
  );
});

test('a failed call reports nothing', async () => {
  expect((await post('/admins', { ...dorothy, email: 'admin1@tenant.test' })).status).toBe(400);
  expect(await addressesOf('admin_added')).toEqual([]);
});

test('each admin gets at most 20 notices about new API keys', async () => {
  for (let number = 0; number < 23; number += 1) await post('/api-keys', { name: `Key ${number}` });
  expect((await addressesOf('api_key_created')).filter((to) => to === both[0])).toHaveLength(20);
});
