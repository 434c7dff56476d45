/** @jest-environment-options {"TRUSTED_PROXY_HOPS": "1"} */
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { createTasks } from '../../../src/jobs/tasks.ts';
import { compose } from '../../../src/mail/messages/compose.ts';
import { findQueuedMessage } from '../../support/queued-messages.ts';
import { makeAdminLink } from '../../support/admin.ts';
import { askPage, makeLink } from '../../support/learner.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { companies } from '../../support/world.ts';

const pool = openServicePool(2);
afterAll(() => pool.end());
afterEach(async () => {
  for (const table of ['messages', 'sign_ins', 'graphile_worker._private_jobs'])
    await testService.query(`delete from ${table}`);
});

const BROWSER = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0 http://buy.test';

async function signIn(address: string, to = '/console'): Promise<void> {
  const token = to === '/console' ? await makeAdminLink('tenant') : await makeLink('tenant', 1);
  const headers = { 'x-forwarded-for': address, 'user-agent': BROWSER };
  expect((await askPage(`${to}/sign-in/${token}`, { method: 'POST', headers })).status).toBe(303);
}

/** Runs the queued jobs, and returns the emails about new networks. */
async function mails(): Promise<{ to: string; text: string }[]> {
  const access = new TenantAccess(pool);
  const services = {
    pool,
    access,
    breachFeed: undefined as never,
    freeMail: new Set<string>(),
    signatureRetentionDays: 30,
  };
  const jobs = await testService.query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'notify_new_network' returning j.payload`,
  );
  for (const { payload } of jobs) await createTasks(services).notify_new_network!(payload, {} as never);
  const rows = await testService.query(`select id from messages where kind = 'admin_new_network' order by created_at`);
  const settings = {
    from: { name: 'Security Awareness', address: 'awareness@sender.test' },
    contact: 'awareness@sender.test',
    trainingUrl: undefined,
    publicUrl: 'https://awareness.test',
  };
  const made: { to: string; text: string }[] = [];
  for (const { id } of rows) {
    const mail = compose((await findQueuedMessage(access.ofJob(companies.tenant), id as string))!, settings);
    made.push({ to: (mail.to as { address: string }).address, text: mail.text as string });
  }
  return made;
}

test('an admin gets one email for the first sign-in from each further network', async () => {
  await signIn('203.0.113.7');
  expect(await mails()).toEqual([]);
  await signIn('203.0.113.200');
  expect(await mails()).toEqual([]);
  await signIn('198.51.100.4');
  await signIn('198.51.100.5');
  const made = await mails();
  expect(made.map(({ to }) => to)).toEqual(['admin1@tenant.test']);
  const text = made[0]!.text.replaceAll('\u200b', '');
  expect(text).toMatch(/198\.51\.100\.4, Chrome, macOS, \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
  expect(text).not.toContain('buy.test');
});

test('failed sign-ins, and sign-ins of learners, send no email', async () => {
  await signIn('203.0.113.7');
  const expired = await makeAdminLink('tenant', 1, '-1 minutes');
  await askPage(`/console/sign-in/${expired}`, { headers: { 'x-forwarded-for': '198.51.100.4' } });
  await signIn('203.0.113.7', '/learn');
  await signIn('198.51.100.4', '/learn');
  expect(await mails()).toEqual([]);
});
