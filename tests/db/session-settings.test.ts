import { createTenantReader, createTenantWriter } from '../../src/db/tenant-session.ts';
import { isoTimestamp } from '../../src/db/driver/column-types.ts';
import { openPool } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { query } from '../../src/db/statement.ts';
import { routeOfService } from '../support/routes.ts';
import { companies } from '../support/world.ts';

const settings = query<object, Record<string, string>>(
  'test_settings',
  () => sql`select timestamptz '2026-03-29 10:30:00.5+00' as time, (timestamptz '2026-03-29 22:30:00+00')::date as day,
                   json_build_array(timestamptz '2026-03-29 10:30:00+00') as json,
                   current_setting('statement_timeout') as timeout`,
);
const expected = {
  time: '2026-03-29T10:30:00.500Z',
  day: '2026-03-29',
  json: ['2026-03-29T10:30:00+00:00'],
  timeout: '7s',
};

/** Opens a pool whose sessions lack the requested settings, as behind a pooler that drops them. */
function openMisledPool() {
  const pool = openPool({
    ...routeOfService(),
    poolSize: 2,
    statementTimeoutMs: 7000,
    connectTimeoutMs: 15_000,
    onIdleError: () => undefined,
  });
  pool.on('connect', (client) => {
    void client.query(`set TimeZone = 'Europe/Berlin'; set DateStyle = 'SQL, DMY'; set statement_timeout = 0`);
  });
  return pool;
}

test('times and the statement timeout are correct in a session with other settings', async () => {
  const pool = openMisledPool();
  try {
    const reader = createTenantReader(pool, companies.tenant, companies.tenant);
    expect(await reader.queryOne(settings, {})).toEqual(expected);
    const list = await reader.stream(settings, {}).open();
    // The list has no statement timeout, because its reader limits the time of each batch.
    expect(await list.next()).toEqual({ rows: [{ ...expected, timeout: '0' }], last: true });
    const writer = createTenantWriter(pool, companies.tenant);
    expect(await writer.transaction((tx) => tx.queryOne(settings, {}))).toEqual(expected);
  } finally {
    await pool.end();
  }
});

test.each([
  ['2026-03-02 08:30:00+00', '2026-03-02T08:30:00.000Z'],
  ['2026-03-02 08:30:00.5+00', '2026-03-02T08:30:00.500Z'],
  ['2026-03-02 10:30:00.123+02', '2026-03-02T08:30:00.123Z'],
  ['2026-03-02 14:00:00.12+05:30', '2026-03-02T08:30:00.120Z'],
  ['2026-03-01 23:00:00-09:30', '2026-03-02T08:30:00.000Z'],
])('the Postgres time %s becomes %s', (text, iso) => {
  expect(isoTimestamp(text)).toBe(iso);
});
