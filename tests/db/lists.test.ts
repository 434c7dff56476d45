import { openCursor } from '../../src/db/cursor.ts';
import { openPool } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { query } from '../../src/db/statement.ts';
import { createTenantReader } from '../../src/db/tenant-session.ts';
import { until } from '../support/until.ts';
import { routeOfService } from '../support/routes.ts';
import { companies } from '../support/world.ts';

const slow = query<object, { pid: number }>(
  'test_slow_list',
  () => sql`select pg_backend_pid() as pid from pg_sleep(1.2)`,
);
const quick = query<object, { pid: number }>('test_pid', () => sql`select pg_backend_pid() as pid`);
const list = { companyId: companies.tenant, quotaCompanyId: companies.tenant, batchSize: 10, signal: undefined };

function openSmallPool(statementTimeoutMs: number) {
  return openPool({
    ...routeOfService(),
    poolSize: 1,
    statementTimeoutMs,
    connectTimeoutMs: 15_000,
    onIdleError: () => undefined,
  });
}

const endless = query<object, object>('test_endless_list', () => sql`select pg_sleep(60)`);

async function isEndlessRunning(): Promise<boolean> {
  const rows = await testService.query(`select from pg_stat_activity
    where datname = current_database() and state = 'active' and query = 'select pg_sleep(60)'`);
  return rows.length > 0;
}

test('a list that times out closes its connection, so that no later query can be cancelled for it', async () => {
  const pool = openSmallPool(1000);
  try {
    const reader = createTenantReader(pool, companies.other, companies.other);
    const before = await reader.queryOne(quick, {});
    const cursor = await openCursor(pool, list, slow, {});
    await expect(cursor.next()).rejects.toMatchObject({ code: '57014' });
    expect((await reader.queryOne(quick, {}))!.pid).not.toBe(before!.pid);
  } finally {
    await pool.end();
  }
});

test('abandoning a list cancels its query at once, even if all connections are busy', async () => {
  const pool = openSmallPool(9000);
  try {
    const cursor = await openCursor(pool, list, endless, {});
    const other = createTenantReader(pool, companies.other, companies.other);
    await until(isEndlessRunning);
    cursor.close();
    const busy = Promise.all([other.queryOne(slow, {}), other.queryOne(slow, {}), other.queryOne(slow, {})]).then(
      () => 'done',
    );
    expect(await Promise.race([busy, until(async () => !(await isEndlessRunning()))])).toBeUndefined();
    await busy;
  } finally {
    await pool.end();
  }
});

test.each([9, 10, 11, 25])(
  'a list that was short and now has %i rows is read completely, and so are later ones',
  async (last) => {
    const pool = openSmallPool(9000);
    const numbers = query<{ last: number }, { number: number }>(
      `test_numbers_${last}`,
      (p) => sql`select number from generate_series(1, ${p.last}::integer) as number`,
    );
    const readAll = async (upTo: number) => {
      const cursor = await openCursor(pool, list, numbers, { last: upTo });
      const read: number[] = [];
      for (let isLast = false; !isLast;) {
        const batch = await cursor.next();
        expect(batch.rows.length).toBeLessThanOrEqual(list.batchSize);
        read.push(...batch.rows.map(({ number }) => number));
        isLast = batch.last;
      }
      return read;
    };
    try {
      for (const upTo of [3, 3, last, 0, last, 3])
        expect(await readAll(upTo)).toEqual(Array.from({ length: upTo }, (_, index) => index + 1));
    } finally {
      await pool.end();
    }
  },
);

test('a failure after the first batch of a list is reported by the cursor', async () => {
  const pool = openSmallPool(9000);
  const broken = query<{ last: number }, object>(
    'test_broken_numbers',
    (p) => sql`select 1 / (15 - number) from generate_series(1, ${p.last}::integer) as number`,
  );
  try {
    await (await openCursor(pool, list, broken, { last: 3 })).next();
    const cursor = await openCursor(pool, list, broken, { last: 25 });
    expect((await cursor.next()).rows).toHaveLength(10);
    await expect(cursor.next()).rejects.toMatchObject({ code: '22012' });
    expect(await (await openCursor(pool, list, quick, {})).next()).toMatchObject({ last: true });
  } finally {
    await pool.end();
  }
});
