/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "TRUSTED_PROXY_HOPS": "1"} */
import pg from 'pg';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { createTasks } from '../../src/jobs/tasks.ts';
import { patch } from '../support/client.ts';
import { makeAdminLink } from '../support/admin.ts';
import { askPage, makeLink } from '../support/learner.ts';
import { earlier } from '../support/passing-time.ts';
import { adminId, learnerId } from '../support/world.ts';

const query = (sql: string, values: unknown[] = []) => testService.query(sql, values);
let pool: pg.Pool;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: testService.database.serviceUrl, max: 2 }).on('error', () => undefined);
});
afterAll(() => pool.end());
afterEach(async () => {
  for (const table of [
    'messages',
    'sign_in_links',
    'person_sessions',
    'known_devices',
    'graphile_worker._private_jobs',
  ])
    await query(`delete from ${table}`);
});

/** The two kinds of people who receive sign-in links by email. */
const KINDS = {
  admin: { page: '/console', email: 'admin1@tenant.test', column: 'admin_id', id: adminId('tenant', 1) },
  learner: { page: '/learn', email: 'learner1@tenant.test', column: 'learner_id', id: learnerId('tenant', 1) },
} as const;
type Kind = keyof typeof KINDS;
const makeLinkOf = { admin: () => makeAdminLink('tenant'), learner: () => makeLink('tenant', 1) };

/** Requests a link and has the worker queue its email. Returns the number of queued emails. */
async function ask(kind: Kind, address: string, cookie = ''): Promise<number> {
  const { page, email } = KINDS[kind];
  const before = await countMails(kind);
  const headers = { 'x-forwarded-for': address, ...(cookie && { cookie }) };
  expect((await askPage(page, { method: 'POST', body: new URLSearchParams({ email }), headers })).status).toBe(200);
  await queueMails();
  return (await countMails(kind)) - before;
}

async function queueMails(): Promise<void> {
  const services = {
    pool,
    access: new TenantAccess(pool),
    breachFeed: undefined as never,
    freeMail: new Set<string>(),
    signatureRetentionDays: 30,
  };
  const jobs = await query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = 'send_sign_in_links' returning j.payload`,
  );
  for (const { payload } of jobs) await createTasks(services).send_sign_in_links!(payload, {} as never);
}

async function countMails(kind: Kind): Promise<number> {
  const { column, id } = KINDS[kind];
  const [row] = await query(`select count(*)::integer as mails from messages where ${column} = $1`, [id]);
  return row!.mails as number;
}

/** Marks the queued emails as sent, each with a working link. */
async function sendMails(kind: Kind): Promise<void> {
  await query(`update messages set status = 'sent', settled_at = now() where status = 'queued'`);
  await makeLinkOf[kind]();
}

async function askOften(kind: Kind, addresses: readonly string[]): Promise<number> {
  let mails = 0;
  for (const address of addresses) {
    mails += await ask(kind, address);
    await sendMails(kind);
  }
  return mails;
}

/** Signs in and returns the cookie that identifies the device from then on. */
async function signInOnDevice(kind: Kind, cookie = ''): Promise<string> {
  const token = await makeLinkOf[kind]();
  const { page } = KINDS[kind];
  const entered = await askPage(`${page}/sign-in/${token}`, { method: 'POST', headers: cookie ? { cookie } : {} });
  const session = entered.headers.get('set-cookie')!.split(';')[0]!;
  const home = await askPage(page, { headers: { cookie: [session, cookie].filter(Boolean).join('; ') } });
  const device = /device=[\w-]{43}/.exec(home.headers.get('set-cookie') ?? cookie)![0];
  await query('delete from sign_in_links');
  return device;
}

const many = (count: number, network: (n: number) => string) => Array.from({ length: count }, (_, n) => network(n));

describe.each<Kind>(['admin', 'learner'])('sign-in links for a %s', (kind) => {
  test('are limited to three an hour per network, regardless of the number of addresses', async () => {
    expect(
      await askOften(
        kind,
        many(5, (n) => `203.0.113.${n}`),
      ),
    ).toBe(3);
    expect(
      await askOften(
        kind,
        many(5, (n) => `2001:db8:0:11${n}0::1`),
      ),
    ).toBe(3);
  });

  test('requested from one network leave the limit of another network untouched', async () => {
    await askOften(
      kind,
      many(12, () => '203.0.113.5'),
    );
    expect(await ask(kind, '198.51.100.7')).toBe(1);
  });

  test('requested from many networks are limited, but not for a device that has signed in', async () => {
    const device = await signInOnDevice(kind);
    expect(
      await askOften(
        kind,
        many(35, (n) => `203.0.${n}.5`),
      ),
    ).toBe(10);
    expect(await ask(kind, '203.0.200.5')).toBe(0);
    expect(await ask(kind, '203.0.1.5', device)).toBe(1);
    await sendMails(kind);
    const more = [await ask(kind, '203.0.1.5', device), await ask(kind, '203.0.1.5', device)];
    expect([...more, await ask(kind, '203.0.1.5', device)]).toEqual([1, 1, 0]);
  });

  test('are mailed if all links of the person have ended, even after many requests by strangers', async () => {
    await askOften(
      kind,
      many(35, (n) => `203.0.${n}.5`),
    );
    expect(await ask(kind, '198.51.100.7')).toBe(0);
    await query('update sign_in_links set expires_at = now()');
    expect(await ask(kind, '198.51.100.7')).toBe(1);
    expect(await ask(kind, '198.51.100.7')).toBe(0);
  });

  test('stay valid when another link is requested', async () => {
    const first = await makeLinkOf[kind]();
    await askOften(
      kind,
      many(3, () => '203.0.113.5'),
    );
    const entered = await askPage(`${KINDS[kind].page}/sign-in/${first}`, { method: 'POST' });
    expect(entered.status).toBe(303);
  });

  test('requested with a forged or foreign device cookie count for the network', async () => {
    const made = `device=${'x'.repeat(43)}`;
    const others = await signInOnDevice(kind === 'admin' ? 'learner' : 'admin');
    await askOften(
      kind,
      many(3, () => '203.0.113.5'),
    );
    expect([await ask(kind, '203.0.113.5', made), await ask(kind, '203.0.113.5', others)]).toEqual([0, 0]);
  });

  test('requested by a stranger do not replace a queued request of the device', async () => {
    const device = await signInOnDevice(kind);
    await askOften(
      kind,
      many(3, () => '203.0.113.5'),
    );
    const { page, email } = KINDS[kind];
    for (const cookie of [device, '']) {
      const headers = { 'x-forwarded-for': '203.0.113.5', cookie };
      await askPage(page, { method: 'POST', body: new URLSearchParams({ email }), headers });
    }
    await queueMails();
    expect(await countMails(kind)).toBe(4);
  });
});

describe('a known device', () => {
  test('is one secret for everyone who signs in on it, stored only as a hash', async () => {
    const device = await signInOnDevice('admin');
    expect(await signInOnDevice('learner', device)).toBe(device);
    const rows = await query('select k::text as text from known_devices k');
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(device.slice('device='.length));
    for (const kind of ['admin', 'learner'] as const) {
      await askOften(
        kind,
        many(12, () => '203.0.113.5'),
      );
      expect(await ask(kind, '203.0.113.5', device)).toBe(1);
    }
  });

  test('has a long-lived HttpOnly, SameSite cookie', async () => {
    const entered = await askPage(`/console/sign-in/${await makeAdminLink('tenant')}`, { method: 'POST' });
    const home = await askPage('/console', { headers: { cookie: entered.headers.get('set-cookie')!.split(';')[0]! } });
    expect(home.headers.get('set-cookie')).toMatch(
      /^device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
    );
  });

  test.each<[string, Kind, (device: string) => Promise<unknown>]>([
    ["a change to the admin's address", 'admin', () => moveAdmin()],
    ["a change to the learner's address", 'learner', () => moveLearner()],
    ['180 days', 'admin', () => query(`update known_devices set ${earlier('expires_at')}`, ['181 days'])],
    ['signing out everywhere', 'learner', () => endAll()],
  ])('is forgotten after %s', async (_case, kind, end) => {
    const device = await signInOnDevice(kind);
    await end(device);
    await askOften(
      kind,
      many(3, () => '203.0.113.5'),
    );
    expect(await ask(kind, '203.0.113.5', device)).toBe(0);
  });

  test('is one of at most twenty: a new one ends the one with the oldest sign-in', async () => {
    for (let count = 0; count < 22; count += 1) await signInOnDevice('learner');
    const [row] = await query('select count(*)::integer as devices from known_devices');
    expect(row!.devices).toBe(20);
  });
});

async function moveAdmin(): Promise<void> {
  await patch(`/admins/${adminId('tenant', 1)}`, { email: 'elsewhere@tenant.test' });
  await query(`update admins set email = 'admin1@tenant.test' where id = $1`, [adminId('tenant', 1)]);
}

async function moveLearner(): Promise<void> {
  const names = { firstName: 'Ada', lastName: 'tenant' };
  const path = `/learners/${learnerId('tenant', 1)}`;
  for (const email of ['elsewhere@tenant.test', 'learner1@tenant.test'])
    expect((await patch(path, { ...names, email })).status).toBe(200);
}

async function endAll(): Promise<void> {
  const entered = await askPage(`/learn/sign-in/${await makeLink('tenant', 1)}`, { method: 'POST' });
  const cookie = entered.headers.get('set-cookie')!.split(';')[0]!;
  const form = (await askPage('/learn', { headers: { cookie } })).html;
  const token = /name="form_token" value="([^"]+)"/.exec(form)![1]!;
  const body = new URLSearchParams({ form_token: token });
  expect((await askPage('/learn/sign-out-everywhere', { method: 'POST', body, headers: { cookie } })).status).toBe(303);
}
