/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import pg from 'pg';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { preparing } from '../../src/mail/sending/prepare-message.ts';
import { Mailing } from '../../src/mail/sending/send-message.ts';
import { createMailTasks, createTasks } from '../../src/jobs/tasks.ts';
import { askPage, Learner } from '../support/learner.ts';
import { companies, learnerId } from '../support/world.ts';

const settings = {
  from: { name: 'Security Awareness', address: 'awareness@sender.test' },
  contact: 'awareness@sender.test',
  trainingUrl: undefined,
  publicUrl: 'https://awareness.test',
};
const sent: { to: { address: string }; text: string; messageId: string; html: string }[] = [];
let fails = false;
let pool: pg.Pool;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: testService.database.serviceUrl, max: 2 }).on('error', () => undefined);
});
afterAll(() => pool.end());
afterEach(async () => {
  sent.length = 0;
  fails = false;
  await query('delete from messages');
  await query('delete from graphile_worker._private_jobs');
});

const query = (sql: string, values: unknown[] = []) => testService.query(sql, values);
const ask = (email: string, headers: Record<string, string> = {}) =>
  askPage('/learn', { method: 'POST', body: new URLSearchParams({ email }), headers });

/** Runs the queued jobs, as the worker does. */
async function work(): Promise<void> {
  const access = new TenantAccess(pool);
  const send = async (mail: unknown) => {
    sent.push(mail as (typeof sent)[number]);
    if (fails) throw Object.assign(new Error('not now'), { code: 'EENVELOPE', responseCode: 451 });
  };
  const mailing = new Mailing({
    ...{ transport: { send }, connections: 1, ...preparing(settings) },
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
    const task = tasks[job.identifier as keyof typeof tasks]!;
    await Promise.resolve(task(job.payload, { job: { ...job, attempts: 1, locked_by: 'test' } } as never)).catch(
      () => undefined,
    );
  }
}

const tokenIn = ({ text }: { text: string }) => /\/learn\/sign-in\/([\w-]{64})/.exec(text)![1]!;

describe('requesting a link', () => {
  test("mails it to the learner, regardless of the address's case", async () => {
    expect((await ask(' LEARNER1@tenant.test ')).status).toBe(200);
    await work();
    expect(sent.map(({ to }) => to.address)).toEqual(['learner1@tenant.test']);
    const page = await (await Learner.by(tokenIn(sent[0]!))).get('/learn');
    expect(page.html).toContain('The tenant company');
  });

  test('returns the same page for an unknown address and mails nobody', async () => {
    const known = await ask('learner1@tenant.test');
    const unknown = await ask('nobody@tenant.test');
    expect(unknown.html).toBe(known.html);
    expect(unknown.status).toBe(known.status);
    const asker = { kind: 'learner', network: '127.0.0.0/24', device: null };
    const jobs = await query('select payload from graphile_worker._private_jobs order by id');
    expect(jobs.map(({ payload }) => payload as object)).toEqual([
      { ...asker, people: [{ companyId: companies.tenant, personId: learnerId('tenant', 1) }] },
      { ...asker, people: [] },
    ]);
    await query(
      'delete from graphile_worker._private_jobs where id = (select min(id) from graphile_worker._private_jobs)',
    );
    await work();
    expect(sent).toEqual([]);
  });

  test('mails nothing to an inactive learner', async () => {
    await ask('learner5@tenant.test');
    await work();
    expect(sent).toEqual([]);
  });

  test('mails a link for each company of the learner', async () => {
    await query(`update learners set email = 'learner1@tenant.test' where id = $1`, [learnerId('childA', 1)]);
    await ask('learner1@tenant.test');
    await work();
    const pages = await Promise.all(sent.map(async (mail) => (await Learner.by(tokenIn(mail))).get('/learn')));
    expect(pages.map(({ html }) => /class="name">([^<]+)/.exec(html)![1]).toSorted()).toEqual([
      'The childA company',
      'The tenant company',
    ]);
  });

  test('mails at most three links an hour to a learner, without affecting others', async () => {
    for (let time = 0; time < 5; time += 1) {
      await ask('learner2@tenant.test');
      await work();
    }
    await ask('learner3@tenant.test');
    await work();
    expect(sent.map(({ to }) => to.address)).toEqual([
      ...Array.from({ length: 3 }, () => 'learner2@tenant.test'),
      'learner3@tenant.test',
    ]);
  });

  test.each(['', 'x', 'a@b@c', 'a b@c.test', `${'x'.repeat(250)}@c.test`, 'a\0@c.test', '"><b id=x>'])(
    'for %j returns 400, marks the field and escapes the input',
    async (email) => {
      const page = await ask(email);
      expect(page.status).toBe(400);
      expect(page.html).toMatch(/aria-invalid="true" aria-describedby="email-fault"/);
      expect(page.html).not.toContain('<b id=x>');
      expect(await query('select from graphile_worker._private_jobs')).toEqual([]);
    },
  );

  test('from another site returns 403', async () => {
    expect((await ask('learner1@tenant.test', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await query('select from graphile_worker._private_jobs')).toEqual([]);
  });
});

test('a retried email has the same link, which is deleted once the email is sent', async () => {
  await ask('learner4@tenant.test');
  fails = true;
  await work();
  const [message] = await query('select id, company_id, setup_token from messages');
  const payload = JSON.stringify({ companyId: message!.company_id, messageId: message!.id });
  fails = false;
  await query(`select graphile_worker.add_job('send_message', $1::json)`, [payload]);
  await work();
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
  expect(tokenIn(sent[0]!)).toBe(message!.setup_token);
  expect(await query('select status, setup_token from messages')).toEqual([{ status: 'sent', setup_token: null }]);
});
