import { openCursor } from '../../src/db/cursor.ts';
import { openPool } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { query } from '../../src/db/statement.ts';
import { findPgBouncers, type FoundPgBouncer, isNewEnough, newestPgBouncer, PgBouncer } from '../support/pgbouncer.ts';
import { ROLE_SETTINGS, setForRole } from '../support/pooled.ts';
import { companies, keys, learnerId } from '../support/world.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

// `make pooled-check` runs every test file through a pooler.
const { serviceUrl, name: database } = testService.database;
const newest = newestPgBouncer();
const old = findPgBouncers().find((found) => !isNewEnough(found));
const running: PgBouncer[] = [];
const endless = query<object, object>('test_endless_through_pooler', () => sql`select pg_sleep(50)`);

beforeAll(() => setForRole(process.env.TEST_ADMIN_URL!, ROLE_SETTINGS, database));
afterEach(async () => {
  stopServices();
  await Promise.all(running.splice(0).map((pooler) => pooler.stop()));
});

async function startPooler(found: FoundPgBouncer, overrides: string[] = []): Promise<PgBouncer> {
  const pooler = await PgBouncer.start(found, serviceUrl, overrides);
  running.push(pooler);
  return pooler;
}

async function start(pooler: PgBouncer, env: Record<string, string> = {}): Promise<Service> {
  const urls = { DATABASE_URL: pooler.through(serviceUrl), DATABASE_DIRECT_URL: serviceUrl };
  return startService({ ROLES: 'api', ...urls, ...env });
}

async function startReady(pooler: PgBouncer, env: Record<string, string> = {}): Promise<Service> {
  const service = await start(pooler, env);
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

async function expectRefusal(service: Service, reason: RegExp): Promise<void> {
  expect(await service.exit).toEqual({ code: 78, signal: null });
  expect(service.output()).toMatch(reason);
}

const authorized = (key: keyof typeof keys) => ({ headers: { authorization: `Bearer ${keys[key]}` } });

const describeWith = (found: FoundPgBouncer | undefined, title: string, missing: string, tests: () => void) =>
  found ? describe(title, tests) : describe.skip(`${title} (skipped: ${missing})`, tests);

describeWith(newest, 'through PgBouncer in transaction mode', 'no PgBouncer 1.21 or newer is here', () => {
  test('concurrent calls of companies get their own rows, although they share two connections', async () => {
    const pooler = await startPooler(newest!, ['default_pool_size = 2']);
    const { url } = await startReady(pooler, { RATE_LIMIT_PER_MINUTE: '0' });
    const owners = ['tenant', 'other', 'childA'] as const;
    const emails = async (owner: (typeof owners)[number], path: string) => {
      const response = await fetch(url + path, authorized(owner));
      const { data } = (await response.json()) as { data: { email: string } | { email: string }[] };
      return [data].flat().map(({ email }) => email.split('@')[1]);
    };
    const calls = Array.from({ length: 240 }, async (_, n) => {
      const owner = owners[n % owners.length]!;
      const path = n % 2 === 0 ? '/learners' : `/learners/${learnerId(owner, 1)}`;
      return { owner, domains: new Set(await emails(owner, path)) };
    });
    for (const { owner, domains } of await Promise.all(calls)) {
      expect([...domains]).toEqual([`${owner.toLowerCase()}.test`]);
    }
  });

  test('an abandoned list ends in Postgres, although the pooler invents the id of its process', async () => {
    const pooler = await startPooler(newest!);
    const times = { statementTimeoutMs: 9000, connectTimeoutMs: 15_000 };
    const connectionString = pooler.through(serviceUrl);
    const pool = openPool({ connectionString, isPooled: true, poolSize: 1, ...times, onIdleError: () => undefined });
    const isRunning = async () => {
      const rows = await testService.query(`select from pg_stat_activity
        where datname = current_database() and state = 'active' and query = 'select pg_sleep(50)'`);
      return rows.length > 0;
    };
    const options = { companyId: companies.tenant, quotaCompanyId: companies.tenant, batchSize: 10, signal: undefined };
    const cursor = await openCursor(pool, options, endless, {});
    await until(isRunning);
    cursor.close();
    await until(async () => !(await isRunning()), 3000);
    await pool.end();
  });

  test('each statement has the timeout of the process', async () => {
    const { url } = await startReady(await startPooler(newest!), { STATEMENT_TIMEOUT_MS: '300' });
    const slow = `create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(2); return new; end'`;
    await testService.query(
      `${slow}; create trigger slow before insert on groups for each row execute function slow()`,
    );
    const { headers } = authorized('tenant');
    const body = JSON.stringify({ name: 'Slow' });
    const posted = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    expect((await fetch(`${url}/groups`, posted)).status).toBe(504);
    await testService.query('drop trigger slow on groups');
    expect((await fetch(`${url}/groups`, posted)).status).toBe(200);
  });

  test('a pooler without DATABASE_DIRECT_URL is rejected', async () => {
    const pooler = await startPooler(newest!);
    await expectRefusal(
      await startService({ ROLES: 'api', DATABASE_URL: pooler.through(serviceUrl) }),
      /DATABASE_DIRECT_URL is then required/,
    );
  });

  test('a DATABASE_DIRECT_URL that points to the pooler is rejected', async () => {
    const pooler = await startPooler(newest!);
    const direct = `${pooler.through(serviceUrl)}?keepalives=1`;
    await expectRefusal(
      await start(pooler, { DATABASE_DIRECT_URL: direct }),
      /^DATABASE_DIRECT_URL points to a pooler/m,
    );
  });

  test('a role without timeouts is rejected with the statement to run', async () => {
    const admin = process.env.TEST_ADMIN_URL!;
    await setForRole(admin, { statement_timeout: '0' }, database);
    await expectRefusal(
      await start(await startPooler(newest!)),
      /: alter role awareness_service set statement_timeout = '12s';/,
    );
    await setForRole(admin, ROLE_SETTINGS, database);
  });

  test('a pooler without prepared statements is rejected', async () => {
    const pooler = await startPooler(newest!, ['max_prepared_statements = 0']);
    await expectRefusal(await start(pooler), /use PgBouncer 1\.21 or newer/);
  });
});

describeWith(old, 'PgBouncer before 1.21', 'none is here', () => {
  test('is rejected', async () => {
    await expectRefusal(await start(await startPooler(old!)), /use PgBouncer 1\.21 or newer/);
  });
});
