import type { Duplex } from 'node:stream';
import { openPool } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { statement } from '../../src/db/statement.ts';
import { createTenantWriter } from '../../src/db/tenant-session.ts';
import { routeOfService } from '../support/routes.ts';
import { companies } from '../support/world.ts';

const current = statement<object, { company: string }>(
  'test_current_company',
  () => sql`select current_setting('app.company_id') as company`,
);

/** A pool of one connection, which counts how often Postgres says that it is ready for the next query. */
function openCountedPool() {
  const counted = { roundTrips: 0 };
  const pool = openPool({
    ...routeOfService(),
    poolSize: 1,
    statementTimeoutMs: 7000,
    connectTimeoutMs: 15_000,
    onIdleError: () => undefined,
  });
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('readyForQuery', () => (counted.roundTrips += 1));
  });
  return { pool, counted };
}

test('a read takes one round trip, and a change two beside its statements', async () => {
  const { pool, counted } = openCountedPool();
  try {
    const writer = createTenantWriter(pool, companies.tenant);
    await writer.find(current, {});
    counted.roundTrips = 0;
    expect(await writer.find(current, {})).toEqual({ company: companies.tenant });
    expect(counted.roundTrips).toBe(1);
    counted.roundTrips = 0;
    expect(await writer.transaction((tx) => tx.find(current, {}))).toEqual({ company: companies.tenant });
    expect(counted.roundTrips).toBe(3);
  } finally {
    await pool.end();
  }
});

test('a change whose connection breaks as it begins fails, and the next one has another connection', async () => {
  const { pool } = openCountedPool();
  try {
    const writer = createTenantWriter(pool, companies.tenant);
    pool.once('acquire', (client) => {
      const { connection } = client as unknown as { connection: { stream: Duplex } };
      connection.stream.destroy();
    });
    await expect(writer.transaction((tx) => tx.find(current, {}))).rejects.toThrow('Connection terminated');
    expect(await writer.transaction((tx) => tx.find(current, {}))).toEqual({ company: companies.tenant });
  } finally {
    await pool.end();
  }
});
