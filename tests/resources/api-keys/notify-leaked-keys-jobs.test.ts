import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { findQueuedMessage } from '../../support/queued-messages.ts';
import { notifyLeakedKeys } from '../../../src/resources/api-keys/notify-leaked-keys.ts';
import { send } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { adminId, companies } from '../../support/world.ts';
const pool = openServicePool(2);
const access = new TenantAccess(pool);
const report = (keys: string[]) =>
  send('POST', '/leaked-keys', { body: JSON.stringify({ keys }), headers: { 'content-type': 'application/json' } });
afterAll(() => pool.end());

test('active admins of each company get one email that names the leaked keys of the company', async () => {
  const found = [await keyWith('tenant', null), await keyWith('tenant', null), await keyWith('other', null)];
  await report([...found, 'sk_nothing']);
  await report(found);
  const jobs = await testService.query(
    `select payload ->> 'companyId' as company, payload -> 'keyIds' as keys from graphile_worker._private_jobs
      where payload ->> 'messageId' is null`,
  );
  const ofCompany = (company: string) => jobs.filter((job) => job.company === company).flatMap(({ keys }) => keys);
  const [ours, theirs] = [ofCompany(companies.tenant), ofCompany(companies.other)];
  expect([jobs.length, ours.length, theirs.length]).toEqual([2, 2, 1]);

  const tenant = access.ofJob(companies.tenant);
  await notifyLeakedKeys(tenant, ours as string[]);
  await notifyLeakedKeys(tenant, ours as string[]);
  const messages = await testService.query(`select id, kind, admin_id as admin from messages`);
  expect(messages).toEqual([{ id: expect.any(String), kind: 'api_key_leaked', admin: adminId('tenant', 1) }]);
  const { subjectNames } = (await findQueuedMessage(tenant, messages[0]!.id as string))!;
  const publicIds = found.slice(0, 2).map((key) => key.slice(3, 15));
  expect(subjectNames.map((name) => /^scoped \(sk_(\w+)\), [\d: -]+ UTC$/.exec(name)?.[1]).toSorted()).toEqual(
    publicIds.toSorted(),
  );
});
