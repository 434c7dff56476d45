import { get as ask } from '../support/client.ts';
import { Admin } from '../support/admin.ts';
import { askPage } from '../support/learner.ts';
import { createWorld } from '../support/world.ts';
import { openOwnerDatabase } from '../../src/commands/database.ts';
import { expectRefusal, run, startService, stopServices } from './support.ts';

const LINK = /http:\/\/localhost:3000\/console\/sign-in\/([\w-]{64})\b/g;
const FIRST = {
  PUBLIC_URL: 'http://localhost:3000',
  INIT_COMPANY: 'Acme & Söhne',
  INIT_ADMIN_EMAIL: 'Ada King Lovelace <ada@acme.example>',
};

afterEach(stopServices);

function migrate(env: Record<string, string> = {}, ...args: string[]): ReturnType<typeof run> {
  return run(['src/commands/migrate.ts', ...args], { DATABASE_OWNER_URL: testService.database.ownerUrl, ...env });
}

/** Returns the tokens of the links that a successful run prints. */
async function linksOf(env: Record<string, string> = FIRST): Promise<string[]> {
  const { code, stdout, stderr } = await migrate(env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return [...stdout.matchAll(LINK)].map(([, token]) => token!);
}

async function countCompanies(): Promise<unknown> {
  return (await testService.query('select count(*)::integer as companies from companies'))[0]!.companies;
}

describe('a database with a company', () => {
  test('gets no second company, and no link is printed', async () => {
    const before = await countCompanies();
    expect(await linksOf()).toEqual([]);
    expect(await countCompanies()).toBe(before);
  });
});

describe('an empty database', () => {
  beforeEach(async () => void (await testService.query('truncate companies, file_contents cascade')));
  afterAll(async () => {
    await testService.query('truncate companies, file_contents cascade');
    const database = openOwnerDatabase(testService.database.ownerUrl);
    await createWorld(database).finally(() => database.destroy());
  });

  test('gets the company, its admin, and a link that signs the admin in once', async () => {
    const [token, ...others] = await linksOf();
    expect(others).toEqual([]);
    expect(await testService.query('select name, account_type from companies')).toEqual([
      { name: 'Acme & Söhne', account_type: 'tenant' },
    ]);
    expect(await testService.query('select email, first_name, last_name, status from admins')).toEqual([
      { email: 'ada@acme.example', first_name: 'Ada King', last_name: 'Lovelace', status: 'active' },
    ]);
    const admin = await Admin.by(token!);
    const overview = await admin.get('/console');
    expect(overview.status).toBe(200);
    expect(overview.html).toContain('Acme &amp; Söhne');
    expect((await askPage(`/console/sign-in/${token}`)).status).toBe(404);
  });

  test('has audit entries by the operator for the company and the admin', async () => {
    await linksOf();
    const rows = await testService.query(
      `select operation, actor_type, fields from audit_log
        where company_id = (select id from companies) order by operation`,
    );
    expect(rows).toEqual([
      { operation: 'createAdmin', actor_type: 'operator', fields: ['email', 'firstName', 'lastName'] },
      { operation: 'createCompany', actor_type: 'operator', fields: ['name', 'kind'] },
    ]);
  });

  test('has a link that expires after a day', async () => {
    const [token] = await linksOf();
    const [row] = await testService.query(
      `select expires_at between now() + interval '23 hours' and now() + interval '24 hours' as is_a_day from sign_in_links`,
    );
    expect(row).toEqual({ is_a_day: true });
    await testService.query(`update sign_in_links set expires_at = now() - interval '1 second'`);
    expect((await askPage(`/console/sign-in/${token}`)).status).toBe(404);
  });

  test('has an admin who can request another link in the console', async () => {
    await linksOf();
    const body = new URLSearchParams({ email: 'ada@acme.example' });
    expect((await askPage('/console', { method: 'POST', body })).status).toBe(200);
    const [row] = await testService.query(
      `select count(*)::integer as asked from graphile_worker._private_jobs
        where payload::text like '%' || (select id::text from admins) || '%'`,
    );
    expect(row).toEqual({ asked: 1 });
  });

  test('gets one company and one link when several processes migrate it simultaneously', async () => {
    const runs = await Promise.all([migrate(FIRST), migrate(FIRST), migrate(FIRST)]);
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(runs.flatMap(({ stdout }) => stdout.match(LINK) ?? [])).toHaveLength(1);
    expect(await countCompanies()).toBe(1);
    expect(await linksOf()).toEqual([]);
  });

  test('stays empty without the settings', async () => {
    expect(await linksOf({})).toEqual([]);
    expect(await countCompanies()).toBe(0);
  });

  test('gets an admin with a default name, and keeps the spelling of the address', async () => {
    await linksOf({ ...FIRST, INIT_ADMIN_EMAIL: ' Admin@acme.example ' });
    expect(await testService.query('select email, first_name, last_name from admins')).toEqual([
      { email: 'Admin@acme.example', first_name: 'First', last_name: 'Administrator' },
    ]);
  });

  test.each([
    ['INIT_COMPANY', ''],
    ['INIT_COMPANY', 'x'.repeat(201)],
    ['INIT_COMPANY', 'two\nlines'],
    ['INIT_ADMIN_EMAIL', ''],
    ['INIT_ADMIN_EMAIL', 'nobody'],
    ['INIT_ADMIN_EMAIL', 'Ada <nobody>'],
    ['INIT_ADMIN_EMAIL', 'a@acme.example, b@acme.example'],
    ['INIT_ADMIN_EMAIL', 'adä@acme.example'],
    ['INIT_ADMIN_EMAIL', `${'x'.repeat(250)}@acme.example`],
    ['INIT_ADMIN_EMAIL', 'www.ada.example <ada@acme.example>'],
    ['INIT_ADMIN_EMAIL', `${'x'.repeat(201)} Lovelace <ada@acme.example>`],
    ['PUBLIC_URL', ''],
    ['PUBLIC_URL', 'localhost:3000'],
  ])('stays empty with %s=%j, and the error names the setting', async (name, value) => {
    expectRefusal(await migrate({ ...FIRST, [name]: value }), 78, name);
    expect(await countCompanies()).toBe(0);
  });

  test('makes the service reject an invalid setting', async () => {
    const service = await startService({
      DATABASE_URL: testService.database.serviceUrl,
      ...{ INIT_COMPANY: 'Acme', INIT_ADMIN_EMAIL: 'nobody', PUBLIC_URL: 'http://localhost:3000' },
    });
    expect(await service.exit).toEqual({ code: 78, signal: null });
    expect(service.output()).toContain('INIT_ADMIN_EMAIL');
  });

  test('gets no company from the status command', async () => {
    expect((await migrate(FIRST, 'status')).stdout).not.toMatch(LINK);
    expect(await countCompanies()).toBe(0);
  });
});

test('the company of the test world has been restored', async () => {
  expect((await ask('/company')).status).toBe(200);
});
