import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { compose } from '../../../src/mail/messages/compose.ts';
import { findQueuedMessage } from '../../support/queued-messages.ts';
import { notifyExpiringCertificates } from '../../../src/resources/identity-providers/notify-expiring-certificates.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { companies } from '../../support/world.ts';
import { identityProviderId } from '../../support/world-identity-providers.ts';

const pool = openServicePool(2);
const tenant = new TenantAccess(pool).ofJob(companies.tenant);
const SETTINGS = {
  from: { name: 'Security Awareness', address: 'awareness@sender.test' },
  ...{ contact: 'awareness@sender.test', trainingUrl: undefined, publicUrl: 'https://awareness.test' },
};
beforeEach(() => testService.query('delete from messages'));
afterAll(() => pool.end());

/**
 * Sets the number of days until the provider's certificates expire. @param learners `optional` if learners can sign in
 * with the provider
 */
async function expireIn(days: number, learners = 'optional'): Promise<void> {
  await testService.query(
    `update identity_providers set protocol = 'saml', saml = '{}', tested_at = now(), learners = $2,
            certificates_expire_at = now() + $3 * interval '1 day'
      where id = $1`,
    [identityProviderId('tenant'), learners, days],
  );
}

async function countNotices(): Promise<number> {
  const before = await listNotices();
  await notifyExpiringCertificates(tenant);
  return (await listNotices()).length - before.length;
}

const listNotices = () => testService.query(`select id from messages where kind = 'certificate_expiring'`);

test('active admins are notified 30 days, 7 days and 1 day before the last certificate expires', async () => {
  const counts: [number, number][] = [];
  for (const days of [31, 29.9, 29, 6.9, 6, 0.9, 0.1, -5]) {
    await expireIn(days);
    counts.push([days, await countNotices()]);
  }
  expect(counts.filter(([, count]) => count > 0)).toEqual([
    [29.9, 1],
    [6.9, 1],
    [0.9, 1],
  ]);
});

test('the certificates of a provider that is switched off do not matter', async () => {
  await testService.query('update identity_providers set expiry_notice_days = null');
  await expireIn(3, 'off');
  expect(await countNotices()).toBe(0);
  await pool.query(`select queue_for_expiring_certificates('notify_expiring_certificates', '2026-03-02')`);
  const jobs = await testService.query(
    `select id from graphile_worker._private_jobs where payload ->> 'day' is not null`,
  );
  expect(jobs).toEqual([]);
});

test('the email names the provider and the time, and only companies with such a provider get a job', async () => {
  await testService.query('update identity_providers set expiry_notice_days = null');
  await expireIn(3);
  expect(await countNotices()).toBe(1);
  const [{ id }] = (await listNotices()) as [{ id: string }];
  const message = (await findQueuedMessage(tenant, id))!;
  const text = compose({ ...message, locale: 'fr' }, SETTINGS).text as string;
  expect(text).toContain('Own provider');
  expect(text).toContain('UTC');
  expect(text).toContain('métadonnées');
  for (const day of ['2026-03-02', '2026-03-02'])
    await pool.query(`select queue_for_expiring_certificates('notify_expiring_certificates', $1)`, [day]);
  const jobs = await testService.query(
    `select payload ->> 'companyId' as company from graphile_worker._private_jobs where payload ->> 'day' is not null`,
  );
  expect(jobs).toEqual([{ company: companies.tenant }]);
});
