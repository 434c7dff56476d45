/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import pg from 'pg';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { preparing } from '../../src/mail/sending/prepare-message.ts';
import { Mailing } from '../../src/mail/sending/send-message.ts';
import { createMailTasks, createTasks } from '../../src/jobs/tasks.ts';
import { Admin } from '../support/admin.ts';
import { askPage } from '../support/learner.ts';
import { adminId, companies } from '../support/world.ts';

const settings = {
  from: { name: 'Security Awareness', address: 'awareness@sender.test' },
  contact: 'awareness@sender.test',
  trainingUrl: 'https://training.test',
  publicUrl: 'https://awareness.test',
};
const sent: { to: { address: string }; text: string; subject: string; headers: object }[] = [];
let pool: pg.Pool;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: testService.database.serviceUrl, max: 2 }).on('error', () => undefined);
});
afterAll(() => pool.end());
afterEach(async () => {
  sent.length = 0;
  await query('delete from messages');
  await query('delete from graphile_worker._private_jobs');
});

const query = (sql: string, values: unknown[] = []) => testService.query(sql, values);
const ask = (email: string, headers: Record<string, string> = {}) =>
  askPage('/console', { method: 'POST', body: new URLSearchParams({ email }), headers });
const tokenIn = ({ text }: { text: string }) => /\/console\/sign-in\/([\w-]{64})/.exec(text)![1]!;

/** Runs the queued jobs, as the worker does. */
async function work(): Promise<void> {
  const access = new TenantAccess(pool);
  const mailing = new Mailing({
    ...{
      transport: { send: async (mail: unknown) => void sent.push(mail as (typeof sent)[number]) },
      connections: 1,
      ...preparing(settings),
    },
    ...{ logger: { warn: () => undefined } as never, metrics: { messageSettled: () => undefined } },
  });
  const services = {
    pool,
    access,
    breachFeed: undefined as never,
    freeMail: new Set<string>(),
    signatureRetentionDays: 30,
  };
  const tasks = { ...createTasks(services), ...createMailTasks(services, mailing) };
  for (;;) {
    const [job] = await query(
      `select j.id, t.identifier, j.payload from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id order by j.id limit 1`,
    );
    if (!job) return;
    await query('delete from graphile_worker._private_jobs where id = $1', [job.id]);
    await tasks[job.identifier as keyof typeof tasks]!(job.payload, {
      job: { ...job, attempts: 1, locked_by: 'test' },
    } as never);
  }
}

test('the console asks visitors without a session for an e-mail address', async () => {
  const { status, html } = await askPage('/console');
  expect(status).toBe(200);
  expect(html).toMatch(/<form method="post" action="\/console">/);
});

test('a link is mailed to the admin, regardless of case, and signs in once', async () => {
  expect((await ask('ADMIN1@tenant.test')).status).toBe(200);
  await work();
  expect(sent.map(({ to }) => to.address)).toEqual(['admin1@tenant.test']);
  expect(sent[0]!.headers).not.toHaveProperty('List-Unsubscribe');
  const token = tokenIn(sent[0]!);
  const [link] = await query('select expires_at - now() as left from sign_in_links where admin_id = $1', [
    adminId('tenant', 1),
  ]);
  expect(JSON.stringify(link!.left)).toMatch(/"minutes":(29|30)\b/);
  expect((await (await Admin.by(token)).get('/console/keys')).status).toBe(200);
  expect((await askPage(`/console/sign-in/${token}`)).status).toBe(404);
});

test('the response is equal for admins, invited admins, learners and strangers; only the admin gets mail', async () => {
  const addresses = ['admin1@tenant.test', 'admin2@tenant.test', 'learner1@tenant.test', 'nobody@nowhere.test'];
  const pages = await Promise.all(addresses.map((address) => ask(address)));
  expect(new Set(pages.map(({ status, html }) => `${status} ${html}`)).size).toBe(1);
  await work();
  expect(sent.map(({ to }) => to.address)).toEqual(['admin1@tenant.test']);
});

test('an admin of two companies gets a link for each', async () => {
  await query('update admins set email = $1 where id = $2', ['admin1@tenant.test', adminId('msp', 1)]);
  await ask('admin1@tenant.test');
  await work();
  expect(sent.map(({ text }) => /The (\w+) company/.exec(text)![1]).toSorted()).toEqual(['msp', 'tenant']);
  for (const mail of sent) expect((await (await Admin.by(tokenIn(mail))).get('/console/keys')).status).toBe(200);
  await query('update admins set email = $1 where id = $2', ['admin1@msp.test', adminId('msp', 1)]);
});

test('a mailbox gets at most three links an hour', async () => {
  for (let round = 0; round < 5; round += 1) {
    await ask('admin1@tenant.test');
    await work();
  }
  expect(sent).toHaveLength(3);
});

test('an admin who was deleted in the meantime gets no email', async () => {
  await query(
    `insert into admins (company_id, id, email, first_name, last_name, status)
     values ($1, $2, 'gone@tenant.test', 'Gone', 'Soon', 'active')`,
    [companies.tenant, '0192a3b4-0000-7000-8000-300000009999'],
  );
  await ask('gone@tenant.test');
  await query(`delete from admins where email = 'gone@tenant.test'`);
  await work();
  expect(sent).toEqual([]);
});

test.each([
  ['text without an address', 'nonsense', {}, 400],
  ['HTML', '"><b id=x>', {}, 400],
  ['an injected header', 'a@tenant.test\r\nBcc: b@evil.example', {}, 400],
  ['an empty address', '', {}, 400],
  ['a request from another site', 'admin1@tenant.test', { 'sec-fetch-site': 'cross-site' }, 403],
])('%s is rejected with a page, and no email is sent', async (_case, email, headers, status) => {
  const page = await ask(email, headers);
  expect(page.status).toBe(status);
  expect(page.html).not.toContain('<b id=x>');
  await work();
  expect(sent).toEqual([]);
});
