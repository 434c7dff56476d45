import { createHash } from 'node:crypto';
import { type Answer, call, fingerprintOf, post } from '../../support/client.ts';
import { earlier } from '../../support/passing-time.ts';
import { companies, type CompanyName, keys } from '../../support/world.ts';

export const dorothy = { email: 'dorothy.new@tenant.test', firstName: 'Dorothy', lastName: 'Vaughan' };

/** Admin as the API returns it. */
export interface Admin {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string | null;
  status: 'invited' | 'active';
  invitedAt: string | null;
  createdAt: string;
}

export interface Message {
  id: string;
  kind: string;
  status: string;
  setup_token: string | null;
  jobs: number;
}

/** Restores the admins of the test world and empties the queue after each test. Call it at the top of a test file. */
export function restoreAdminsAfterEach(): void {
  beforeAll(() => testService.query('create table admins_of_world as table admins'));
  afterEach(async () => {
    await testService.query('delete from graphile_worker._private_jobs');
    await testService.query('delete from admins');
    await testService.query('delete from mail_log');
    await testService.query('insert into admins select * from admins_of_world');
  });
}

/** Returns an admin from a company's list. */
export async function findListed(id: string, key: CompanyName = 'tenant'): Promise<Admin | undefined> {
  const { body } = await call(key, 'GET', '/admins');
  return body.data.find((admin: Admin) => admin.id === id) as Admin | undefined;
}

export async function idsOf(company: CompanyName): Promise<string[]> {
  return (await call(company, 'GET', '/admins')).body.data.map(({ id }: Admin) => id);
}

/** Inserts admins without the API, with ids and addresses in the order of their numbers from 1. */
export async function insertAdmins(
  company: CompanyName,
  count: number,
  status: Admin['status'] = 'invited',
): Promise<string[]> {
  const rows = await testService.query(
    `insert into admins (company_id, id, email, first_name, last_name, status)
     select $1::uuid, ('0192b000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
            'many' || n || '@many.test', 'Zoë 🦊', 'No ' || n, $3
       from generate_series(1, $2::integer) as n order by random()
     returning id`,
    [companies[company], count, status],
  );
  return rows.map(({ id }) => id as string).sort();
}

export async function activate(...ids: string[]): Promise<void> {
  await testService.query(
    `update admins set status = 'active', setup_token_hash = null, setup_expires_at = null where id = any($1)`,
    [ids],
  );
}

export async function countActive(company: CompanyName = 'tenant'): Promise<number> {
  const [row] = await testService.query(
    `select count(*)::integer from admins where company_id = $1 and status = 'active'`,
    [companies[company]],
  );
  return row!.count as number;
}

/** Returns an admin's messages, queued messages last, each with the number of jobs that name it. */
export async function messagesOf(adminId: string): Promise<Message[]> {
  const rows = await testService.query(
    `select id, kind, status, setup_token from messages where admin_id = $1 order by status = 'queued', created_at, id`,
    [adminId],
  );
  const jobs = await testService.query(
    `select payload::text from graphile_worker._private_jobs as jobs
       join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id where tasks.identifier = 'send_message'`,
  );
  return rows.map((message) => {
    const naming = jobs.filter(({ payload }) => (payload as string).includes(message.id as string));
    return { ...message, jobs: naming.length } as unknown as Message;
  });
}

/** Marks an admin's queued messages as sent, as the worker does. */
export async function pretendSent(adminId: string): Promise<void> {
  await testService.query(
    `update messages set status = 'sent', setup_token = null, settled_at = now()
      where admin_id = $1 and status = 'queued'`,
    [adminId],
  );
}

/** Moves the queue times in the mail log back by an interval, such as `5 minutes`, to let time pass for mail limits. */
export async function passTime(interval: string): Promise<void> {
  await testService.query(`update mail_log set ${earlier('queued_at')}`, [interval]);
}

/** Counts the invites of all companies and the jobs that send them. Excludes notices to admins. */
export async function countPost(): Promise<{ messages: number; jobs: number }> {
  const [counts] = await testService.query(`
    select (select count(*)::integer from messages where kind = 'admin_invite') as messages,
           (select count(*)::integer from graphile_worker._private_jobs
             where payload ->> 'messageId' in (select id::text from messages where kind = 'admin_invite')) as jobs`);
  return counts as unknown as { messages: number; jobs: number };
}

/**
 * Expects an admin to have one setup link and returns its token. The only queued message holds the token and has a job,
 * no other message holds a token, and the admin's row has the hash of the token and an expiry in seven days.
 */
export async function expectOneLink(adminId: string): Promise<string> {
  const messages = await messagesOf(adminId);
  const queued = messages.filter(({ status }) => status === 'queued');
  expect(queued).toEqual([expect.objectContaining({ kind: 'admin_invite', jobs: 1 })]);
  const token = queued[0]!.setup_token!;
  expect(token).toMatch(/^[\w-]{43,}$/);
  expect(messages.filter(({ setup_token }) => setup_token !== null)).toHaveLength(1);
  const [admin] = await testService.query(
    `select encode(setup_token_hash, 'hex') as hash, abs(extract(epoch from setup_expires_at - now() - '7 days')) as off
       from admins where id = $1`,
    [adminId],
  );
  expect(admin!.hash).toBe(createHash('sha256').update(token).digest('hex'));
  expect(Number(admin!.off)).toBeLessThan(10);
  return token;
}

/** Returns the HTTP status of a setup link's page. */
export async function statusOfLink(token: string): Promise<number> {
  const response = await fetch(`${testService.url}/setup/${token}`);
  await response.text();
  return response.status;
}

/** Finishes the setup as a browser does and returns the HTTP status. */
export async function finishSetup(token: string, firstName = 'Set', lastName = 'Up'): Promise<number> {
  const body = new URLSearchParams({ firstName, lastName });
  const response = await fetch(`${testService.url}/setup/${token}`, { method: 'POST', body });
  await response.text();
  return response.status;
}

/** Creates an admin and returns its id and the token of its link. */
export async function invite(fields: object = {}, key: CompanyName = 'tenant'): Promise<{ id: string; token: string }> {
  const { status, body } = await post('/admins', { ...dorothy, ...fields }, key);
  expect(status).toBe(200);
  return { id: body.data.id as string, token: await expectOneLink(body.data.id as string) };
}

/** Sends a call while other companies write, so the client does not check that their rows stay unchanged. */
export function race(method: string, path: string, body?: object): Promise<Answer> {
  return call('tenant', method, path, { body, alone: false });
}

/** Expects a timestamp to be within ten seconds of now. */
export function expectNow(timestamp: string): void {
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(10_000);
}

/** Tables that an invite is written to, in addition to `admins`. */
export const POST_TABLES = ['messages', 'graphile_worker._private_jobs'];

/** Expects a call to return 500 and change nothing if no row can be inserted into a table. */
export async function expectUndone(table: string, method: string, path: string, body?: object): Promise<void> {
  await testService.query(`
    create function break_down() returns trigger language plpgsql
      as $$ begin raise exception 'broken for a test'; end $$;
    create trigger breaks before insert on ${table} execute function break_down()`);
  try {
    const before = [await fingerprintOf('tenant'), await countPost()];
    // The contract does not declare a 500, so the test client would reject the response.
    const response = await fetch(`${testService.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('broken');
    expect([await fingerprintOf('tenant'), await countPost()]).toEqual(before);
  } finally {
    await testService.query('drop function break_down cascade');
  }
}
