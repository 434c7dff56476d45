import type { Duplex } from 'node:stream';
import { jest } from '@jest/globals';
import { AuditTrail } from '../../src/audit/operation-audit-recorder.ts';
import { DeniedCallAudit } from '../../src/auth/denied-call-audit.ts';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import { openPool } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { mutation, pointQuery } from '../../src/db/statement.ts';
import { createTenantWriter } from '../../src/db/tenant-session.ts';
import { IdempotencyKey } from '../../src/operations/idempotency-key.ts';
import { createInvoke, type Invoke } from '../../src/operations/invoke.ts';
import type { Handlers } from '../../src/operations/operations.ts';
import { deleteGroup, updateGroup } from '../../src/resources/groups/group-handlers.ts';
import { routeOfService } from '../support/routes.ts';
import { companies, groupId } from '../support/world.ts';

const current = pointQuery<object, { company: string }>(
  'test_current_company',
  () => sql`select current_setting('app.company_id') as company`,
);

const rename = mutation<{ groupId: string; name: string }>('test_rename_group', (p, knex) =>
  knex('groups').where({ company_id: p.companyId, id: p.groupId }).update({ name: p.name }),
);

/** Opens a pool of one connection that counts round trips and row descriptions. */
function openCountedPool(options: { connectionString?: string; isPooled?: boolean } = {}) {
  const counted = { roundTrips: 0, descriptions: 0 };
  const pool = openPool({
    ...routeOfService(),
    ...options,
    poolSize: 1,
    statementTimeoutMs: 7000,
    connectTimeoutMs: 15_000,
    onIdleError: () => undefined,
  });
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
    connection.on('readyForQuery', () => (counted.roundTrips += 1));
    connection.on('rowDescription', () => (counted.descriptions += 1));
  });
  return { pool, counted };
}

test('a read takes one round trip, and a transaction two in addition to its statements', async () => {
  const { pool, counted } = openCountedPool();
  try {
    const writer = createTenantWriter(pool, companies.tenant);
    await writer.queryAll(current, {});
    counted.roundTrips = 0;
    expect(await writer.queryAll(current, {})).toEqual([{ company: companies.tenant }]);
    expect(counted.roundTrips).toBe(1);
    counted.roundTrips = 0;
    expect(await writer.transaction((tx) => tx.queryOne(current, {}))).toEqual({ company: companies.tenant });
    expect(counted.roundTrips).toBe(3);
  } finally {
    await pool.end();
  }
});

test('a short list that was read before takes one write and one round trip', async () => {
  const { pool, counted } = openCountedPool();
  const list = createTenantWriter(pool, companies.tenant).stream(current, {});
  const read = async () => {
    const cursor = await list.open();
    expect(await cursor.next()).toEqual({ rows: [{ company: companies.tenant }], last: true });
  };
  try {
    await read();
    const client = await pool.connect();
    const { connection } = client as unknown as { connection: { stream: Duplex } };
    client.release();
    const write = jest.spyOn(connection.stream, 'write');
    counted.roundTrips = 0;
    await read();
    (await pool.connect()).release();
    expect({ writes: write.mock.calls.length, roundTrips: counted.roundTrips }).toEqual({ writes: 1, roundTrips: 1 });
  } finally {
    await pool.end();
  }
});

test.each([
  ['once directly', false, 0],
  ['each time through a pooler, which can prepare it again', true, 1],
])('the columns of a prepared statement are described %s', async (_case, isPooled, told) => {
  const { pool, counted } = openCountedPool({ connectionString: testService.database.serviceUrl, isPooled });
  try {
    const writer = createTenantWriter(pool, companies.tenant);
    const read = () => writer.queryAll(current, {});
    expect(await read()).toEqual([{ company: companies.tenant }]);
    counted.descriptions = 0;
    expect(await read()).toEqual([{ company: companies.tenant }]);
    expect(counted.descriptions).toBe(told);
  } finally {
    await pool.end();
  }
});

test('columns that changed since their description fail the statement once', async () => {
  await testService.query('create table test_shapes (value integer); insert into test_shapes values (7)');
  await testService.query('grant select on test_shapes to awareness_service');
  const shapes = pointQuery<object, { value: unknown }>('test_shapes', () => sql`select * from test_shapes`);
  const { pool } = openCountedPool({ connectionString: testService.database.serviceUrl, isPooled: false });
  try {
    const writer = createTenantWriter(pool, companies.tenant);
    expect(await writer.queryAll(shapes, {})).toEqual([{ value: 7 }]);
    await testService.query('alter table test_shapes alter value type text');
    await expect(writer.queryAll(shapes, {})).rejects.toMatchObject({ code: '0A000' });
    expect(await writer.queryAll(shapes, {})).toEqual([{ value: '7' }]);
  } finally {
    await pool.end();
  }
});

test('an audit record adds no round trip to a statement or a transaction', async () => {
  const { pool, counted } = openCountedPool();
  const own = { companyId: companies.tenant, accountType: 'tenant', keyId: 'round-trips' } as const;
  const caller = { ...own, modules: [], scopes: null, expiresAt: null };
  const group = { groupId: groupId('tenant', 1), name: 'Renamed' };
  const writer = () => {
    const recorder = AuditTrail.ofCall({ operationId: 'updateGroup', caller, input: group });
    return createTenantWriter(pool, companies.tenant, { recorder });
  };
  try {
    await writer().mutate(rename, group);
    counted.roundTrips = 0;
    await writer().mutate(rename, group);
    expect(counted.roundTrips).toBe(1);
    counted.roundTrips = 0;
    await writer().transaction((tx) => tx.mutate(rename, group));
    expect(counted.roundTrips).toBe(3);
    const entries = await testService.query(`select targets from audit_log where actor_id = 'round-trips'`);
    expect(entries).toHaveLength(3);
    expect(entries[0]!.targets).toEqual([{ field: 'groupId', count: 1, ids: [group.groupId] }]);
    const [second, third] = [writer(), { ...group, groupId: companies.tenant }];
    await second.mutate(rename, third);
    await second.mutate(rename, group);
    await expect(second.mutate(rename, group)).rejects.toThrow('in one statement or one transaction');
  } finally {
    await pool.end();
  }
});

test('an unkeyed mutation costs one round trip, a keyed one five, and its replay four', async () => {
  const { pool, counted } = openCountedPool();
  const caller = { companyId: companies.tenant, accountType: 'tenant', keyId: 'k', modules: [], scopes: null } as const;
  const access = new TenantAccess(pool);
  const handlers = { updateGroup, deleteGroup } as unknown as Handlers;
  const invoke = createInvoke(access, handlers, new DeniedCallAudit(access));
  const cost = async (...call: Parameters<Invoke>) => {
    counted.roundTrips = 0;
    await invoke(...call);
    return counted.roundTrips;
  };
  const [first, second] = ([1, 2] as const).map((number) => ({ groupId: groupId('tenant', number) }));
  const once = { key: new IdempotencyKey('a key', []), serialize: async (data: unknown) => JSON.stringify(data) };
  try {
    const who = { ...caller, expiresAt: null };
    await invoke('updateGroup', who, { ...first, body: { name: 'Warm' } });
    expect(await cost('deleteGroup', who, first!)).toBe(1);
    // Begin, claim the key, delete, store the response, commit; then begin, find the key, read the response, roll back.
    expect(await cost('deleteGroup', who, second!, once)).toBe(5);
    expect(await cost('deleteGroup', who, second!, once)).toBe(4);
  } finally {
    await pool.end();
  }
});

test('a transaction whose connection breaks at its start fails, and the next one gets a new connection', async () => {
  const { pool } = openCountedPool();
  try {
    const writer = createTenantWriter(pool, companies.tenant);
    pool.once('acquire', (client) => {
      const { connection } = client as unknown as { connection: { stream: Duplex } };
      connection.stream.destroy();
    });
    await expect(writer.transaction((tx) => tx.queryOne(current, {}))).rejects.toThrow('Connection terminated');
    expect(await writer.transaction((tx) => tx.queryOne(current, {}))).toEqual({ company: companies.tenant });
  } finally {
    await pool.end();
  }
});
