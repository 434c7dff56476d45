import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { compose } from '../../../src/mail/messages/compose.ts';
import { findQueuedMessage } from '../../support/queued-messages.ts';
import { notifyExpiringKeys } from '../../../src/resources/api-keys/notify-expiring-keys.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { adminId, companies } from '../../support/world.ts';
import { inDays } from './key-calls.ts';
const pool = openServicePool(2);
const tenant = new TenantAccess(pool).ofJob(companies.tenant);
afterEach(() => testService.query(`delete from api_keys where name = 'scoped'; delete from messages`));
afterAll(() => pool.end());

const SETTINGS = {
  from: { name: 'Security Awareness', address: 'awareness@sender.test' },
  contact: 'awareness@sender.test',
  trainingUrl: undefined,
  publicUrl: 'https://awareness.test',
};

/** Creates a key that is a year old and expires in the given number of days. */
async function oldKey(days: number): Promise<string> {
  const key = await keyWith('tenant', null, { expiresAt: inDays(days) });
  await testService.query(`update api_keys set created_at = now() - interval '1 year' where public_id = $1`, [
    key.slice(3, 15),
  ]);
  return key;
}

async function messages() {
  return testService.query(
    `select id, admin_id, cardinality(subject_ids) as keys from messages where kind = 'api_key_expiring'
      order by created_at`,
  );
}

async function countNoticesAfter(days: number): Promise<number> {
  await testService.query(`update api_keys set expires_at = $1 where name = 'scoped'`, [inDays(days)]);
  const before = (await messages()).length;
  await notifyExpiringKeys(tenant);
  return (await messages()).length - before;
}

test('active admins get one email each 30 days, 7 days and 1 day before a key expires', async () => {
  await oldKey(40);
  const told: [number, number][] = [];
  for (const days of [31, 29.9, 29, 8, 6.9, 6, 2, 0.9, 0.5]) told.push([days, await countNoticesAfter(days)]);
  expect(told.filter(([, count]) => count > 0)).toEqual([
    [29.9, 1],
    [6.9, 1],
    [0.9, 1],
  ]);
  for (const { admin_id: admin } of await messages()) expect(admin).toBe(adminId('tenant', 1));
});

test('a late worker sends one email, which omits a key that was created for five days', async () => {
  await oldKey(3);
  await keyWith('tenant', null, { expiresAt: inDays(5) });
  await notifyExpiringKeys(tenant);
  await notifyExpiringKeys(tenant);
  expect((await messages()).map(({ keys }) => keys)).toEqual([1]);
});

test("the email names keys that still expire soon, not rotated keys, in the admin's language", async () => {
  const [kept, rotated] = [await oldKey(5), await oldKey(6)];
  await notifyExpiringKeys(tenant);
  await testService.query(`update api_keys set replaced_by = id where public_id = $1`, [rotated.slice(3, 15)]);
  const [{ id }] = (await messages()) as [{ id: string }];
  const message = (await findQueuedMessage(tenant, id))!;
  expect(message).toMatchObject({ email: 'admin1@tenant.test', subjectIds: [expect.any(String), expect.any(String)] });
  const text = compose({ ...message, locale: 'de' }, SETTINGS).text as string;
  expect(text).toContain('Dieser API-Schlüssel von The tenant company');
  expect(text).toContain(`scoped (sk_${kept.slice(3, 15)})`);
  expect(text).not.toContain(rotated.slice(3, 15));
  expect(text).not.toContain(kept.slice(16, 30));
});

test('only companies with an expiring key get a job, one per day', async () => {
  await oldKey(5);
  for (const day of ['2026-03-02', '2026-03-02', '2026-03-03'])
    await pool.query(`select queue_for_expiring_keys('notify_expiring_keys', $1)`, [day]);
  const jobs = await testService.query(
    `select payload ->> 'companyId' as company, payload ->> 'day' as day from graphile_worker._private_jobs
      where payload ->> 'messageId' is null order by 2`,
  );
  expect(jobs).toEqual(['2026-03-02', '2026-03-03'].map((day) => ({ company: companies.tenant, day })));
});
