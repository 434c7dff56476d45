import type pg from 'pg';
import { connectionShares } from '../../src/db/connection-shares.ts';
import { PipelinedConnection } from '../../src/db/driver/pipelined-connection.ts';
import { openPool } from '../../src/db/pool.ts';
import { readPipeline } from '../../src/db/driver/read-pipeline.ts';
import { readingSessionSettings } from '../../src/db/driver/session-settings.ts';
import { sql } from '../../src/db/sql.ts';
import { pointQuery, type Statement } from '../../src/db/statement.ts';
import { createTenantReader } from '../../src/db/tenant-session.ts';
import { until } from '../support/until.ts';
import { DatabaseWire } from '../support/database-wire.ts';
import { routeOfService } from '../support/routes.ts';
import { companies } from '../support/world.ts';

const NAME = 'pipeline-test';

// A statement without a scope, which reads all rows that row-level security lets through.
const seen = pointQuery<object, { companies: string[] }>(
  'test_seen',
  () => sql`select array_agg(distinct company_id)::text[] as companies from learners`,
);
const sleep = pointQuery<{ seconds: number }, { company: string; slept: string }>(
  'test_sleep',
  (p) => sql`select current_setting('app.company_id') as company, pg_sleep(${p.seconds}::float8)::text as slept`,
);
interface Started {
  company: string;
  at: string;
}
// The company and the start of the transaction.
const started = pointQuery<object, Started>(
  'test_started',
  () => sql`select current_setting('app.company_id') as company, extract(epoch from now())::text as at`,
);
const lock = pointQuery<object, { id: string }>(
  'test_pipelined_lock',
  (p) => sql`select id from companies where id = ${p.companyId} for update`,
);

let pool: pg.Pool;

function openNamedPool(name: string, { connectionString, isPooled }: ReturnType<typeof routeOfService>): pg.Pool {
  const url = new URL(connectionString);
  url.searchParams.set('application_name', name);
  return openPool({
    connectionString: url.href,
    isPooled,
    poolSize: 4,
    statementTimeoutMs: 9000,
    connectTimeoutMs: 15_000,
    onIdleError: () => undefined,
  });
}

/** Opens a pool of connections to Postgres itself, even if the run has a pooler. */
function openStraightPool(name: string): pg.Pool {
  return openNamedPool(name, { connectionString: testService.database.serviceUrl, isPooled: false });
}

beforeEach(() => {
  pool = openNamedPool(NAME, routeOfService());
});
afterEach(async () => {
  if (!pool.ended) await pool.end();
});

function find<P, R>(companyId: string, statement: Statement<P, R>, params: P): Promise<R | undefined> {
  return createTenantReader(pool, companyId, companyId).queryOne(statement, params);
}

/** Opens the pipeline; lookups before that use the pool. */
async function openPipeline(): Promise<void> {
  await until(() => readPipeline(pool).isOpen);
  await find(companies.tenant, seen, {});
}

test('each of hundreds of concurrent lookups sees only its own company, without the pool', async () => {
  await openPipeline();
  const ids = Object.values(companies);
  const callers = Array.from({ length: 600 }, (_, index) => ids[index % ids.length]!);
  for (let round = 0; round < 3; round++) {
    const found = await Promise.all(callers.map((id) => find(id, seen, {})));
    expect(found).toEqual(callers.map((id) => ({ companies: [id] })));
  }
  expect(pool.totalCount).toBe(0);
});

test('concurrent lookups share a transaction with at most four of the same company and no other', async () => {
  const config = { connectionString: testService.database.serviceUrl };
  const connection = await PipelinedConnection.open({ config, timeoutMs: 1000, onBreak: () => undefined });
  const ids = [companies.tenant, companies.other].flatMap((id) => Array.from({ length: 6 }, () => id));
  const units = ids.map((companyId) => ({ companyId, statement: started, values: [] }));
  const found = (await Promise.all(units.map((unit) => connection.run<Started>(unit)))).flat();
  await connection.end();
  expect(found.map(({ company }) => company)).toEqual(ids);
  const sizes = Map.groupBy(found, ({ company, at }) => `${company} ${at}`);
  expect([...sizes.values()].map(({ length }) => length)).toEqual([4, 2, 4, 2]);
});

test('lookups survive broken connections under load, and the pipeline opens new connections', async () => {
  pool = openStraightPool(NAME);
  await openPipeline();
  let isOver = false;
  const calls: Promise<unknown>[] = [];
  const caller = async (id: string) => {
    while (!isOver) expect(await find(id, seen, {})).toEqual({ companies: [id] });
  };
  for (const id of Object.values(companies)) for (let i = 0; i < 10; i++) calls.push(caller(id));
  await testService.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [NAME]);
  await until(() => pool.totalCount > 0);
  await until(() => readPipeline(pool).isOpen);
  isOver = true;
  await Promise.all(calls);
}, 30_000);

test('the pool retries a slow lookup and the lookups behind it', async () => {
  await openPipeline();
  const slow = [companies.tenant, companies.other].map((id) => find(id, sleep, { seconds: 1.5 }));
  const ids = Object.values(companies);
  const startedAt = performance.now();
  const quick = await Promise.all(ids.map((id) => find(id, seen, {})));
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(quick).toEqual(ids.map((id) => ({ companies: [id] })));
  expect(await Promise.all(slow)).toEqual([
    { company: companies.tenant, slept: '' },
    { company: companies.other, slept: '' },
  ]);
  expect(pool.totalCount).toBeGreaterThan(0);
});

test('a company has at most 64 lookups in flight, or four while others read', async () => {
  await openPipeline();
  const { lookups } = connectionShares(pool);
  const own = Array.from({ length: 70 }, () => find(companies.tenant, seen, {}));
  await Promise.resolve();
  expect({ held: lookups.held, waiting: lookups.waiting }).toEqual({ held: 64, waiting: 6 });
  const others = Array.from({ length: 40 }, () => find(companies.other, seen, {}));
  await Promise.resolve();
  expect({ held: lookups.held, waiting: lookups.waiting }).toEqual({ held: 68, waiting: 42 });
  await Promise.all([...own, ...others]);
  expect({ held: lookups.held, waiting: lookups.waiting }).toEqual({ held: 0, waiting: 0 });
});

test('a lookup that locks a row is rejected by Postgres', async () => {
  await openPipeline();
  await expect(find(companies.tenant, lock, {})).rejects.toMatchObject({ code: '25006' });
});

test('a failed lookup breaks the connection and fails the later lookups of its batch, but not the earlier ones', async () => {
  const broken: Error[] = [];
  const config = { connectionString: testService.database.serviceUrl };
  const connection = await PipelinedConnection.open({
    config,
    timeoutMs: 1000,
    onBreak: (error) => broken.push(error),
  });
  const statements: { statement: Statement<object, unknown>; values: unknown[] }[] = [
    { statement: seen, values: [] },
    { statement: lock, values: [companies.tenant] },
    { statement: seen, values: [] },
  ];
  const settled = await Promise.allSettled(
    statements.map((unit) => connection.run({ companyId: companies.tenant, ...unit })),
  );
  expect(settled).toMatchObject([
    { status: 'fulfilled', value: [{ companies: [companies.tenant] }] },
    { status: 'rejected', reason: { code: '25006' } },
    { status: 'rejected', reason: { code: '25006' } },
  ]);
  expect(broken).toMatchObject([{ code: '25006' }]);
});

// The settings of the session, and the statements prepared in it to read for a company.
const session = pointQuery<object, Record<string, unknown>>(
  'test_session',
  () => sql`select current_setting('statement_timeout') as timeout, current_setting('TimeZone') as zone,
                   timestamptz '2026-03-29 10:30:00.5+00' as time, current_setting('transaction_read_only') as "readOnly",
                   array(select name from pg_prepared_statements where name like 'set_%') as setters`,
);
const READING = { timeout: '1s', zone: 'UTC', time: '2026-03-29T10:30:00.500Z', readOnly: 'on' };
const unitOf = (statement: typeof session) => ({ companyId: companies.tenant, statement, values: [] });

test('on a direct connection, lookups set only the company', async () => {
  pool = openStraightPool('pipeline-session');
  await openPipeline();
  expect(await find(companies.tenant, session, {})).toEqual({ ...READING, setters: ['set_company'] });
});

test('in a session with other settings than requested, each lookup sets them', async () => {
  const config = { connectionString: testService.database.serviceUrl, options: '-c TimeZone=Europe/Berlin' };
  const connection = await PipelinedConnection.open({ config, timeoutMs: 1000, onBreak: () => undefined });
  expect(await connection.run(unitOf(session))).toEqual([{ ...READING, setters: ['set_reader'] }]);
  await connection.end();
});

test('rows are decoded correctly although columns are described only once per statement', async () => {
  const config = { connectionString: testService.database.serviceUrl, ...readingSessionSettings(1000) };
  const connection = await PipelinedConnection.open({ config, timeoutMs: 1000, onBreak: () => undefined });
  const rounds = Array.from({ length: 20 }, (_, n) =>
    n % 2 ? unitOf(session) : { ...unitOf(session), statement: seen },
  );
  // Later runs request no description.
  for (const unit of rounds.slice(0, 2)) await connection.run(unit);
  for (const [n, rows] of (await Promise.all(rounds.map((unit) => connection.run(unit)))).entries()) {
    expect(rows).toEqual([n % 2 ? expect.objectContaining(READING) : { companies: [companies.tenant] }]);
  }
  await connection.end();
});

test('the pool serves lookups if the pipeline cannot open a connection', async () => {
  expect(await find(companies.tenant, { ...seen, isPointQuery: false }, {})).toEqual({ companies: [companies.tenant] });
  Object.assign(pool.options, { connectionString: 'postgresql://127.0.0.1:1/nowhere' });
  for (let i = 0; i < 3; i++) {
    expect(await find(companies.tenant, seen, {})).toEqual({ companies: [companies.tenant] });
    expect(readPipeline(pool).isOpen).toBe(false);
  }
});

test('ending the pool closes the pipeline connections after lookups in flight', async () => {
  const name = 'pipeline-that-ends';
  pool = openStraightPool(name);
  await openPipeline();
  const last = find(companies.tenant, sleep, { seconds: 0.3 });
  await pool.end();
  expect(await last).toEqual({ company: companies.tenant, slept: '' });
  const connections = 'select from pg_stat_activity where application_name = $1';
  await until(async () => (await testService.query(connections, [name])).length === 0);
});

test('a connection to a silent database is broken even if statements are written continuously', async () => {
  const wire = new DatabaseWire();
  await wire.mend();
  const broken = Promise.withResolvers<Error>();
  const config = { connectionString: wire.url };
  const connection = await PipelinedConnection.open({ config, timeoutMs: 1000, onBreak: broken.resolve });
  const unit = { companyId: companies.tenant, statement: seen, values: [] };
  expect(await connection.run(unit)).toEqual([{ companies: [companies.tenant] }]);
  const answers: Promise<unknown>[] = [];
  const writer = setInterval(() => answers.push(connection.run(unit).catch((error: unknown) => error)), 50);
  await until(() => answers.length > 2);
  wire.freeze();
  const reason = await broken.promise;
  clearInterval(writer);
  wire.cut();
  expect(reason).toMatchObject({ code: 'ETIMEDOUT' });
  expect((await Promise.all(answers)).at(-1)).toBe(reason);
});

test('an idle connection is not broken', async () => {
  const broken = Promise.withResolvers<Error>();
  const config = { connectionString: testService.database.serviceUrl };
  const connection = await PipelinedConnection.open({ config, timeoutMs: 1000, onBreak: broken.resolve });
  const wait = new Promise((resolve) => setTimeout(() => resolve('still open'), 6000));
  expect(await Promise.race([broken.promise, wait])).toBe('still open');
  await connection.end();
});

test('a connection whose session cannot be inspected is closed', async () => {
  const url = new URL(testService.database.serviceUrl);
  url.searchParams.set('application_name', 'pipeline-that-fails');
  // Not a value that Postgres accepts.
  const timeoutMs = '\0' as unknown as number;
  const opening = PipelinedConnection.open({
    config: { connectionString: url.href },
    timeoutMs,
    onBreak: () => undefined,
  });
  await expect(opening).rejects.toMatchObject({ code: '22021' });
  const connections = `select from pg_stat_activity where application_name = 'pipeline-that-fails'`;
  await until(async () => (await testService.query(connections)).length === 0);
});
