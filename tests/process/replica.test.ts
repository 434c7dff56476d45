import type pg from 'pg';
import { openPool } from '../../src/db/pool.ts';
import { Replica, setReplica } from '../../src/db/replica.ts';
import { sql } from '../../src/db/sql.ts';
import { query } from '../../src/db/statement.ts';
import { createTenantReader } from '../../src/db/tenant-session.ts';
import type { TenantReader } from '../../src/db/tenant.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { Standby } from '../support/standby.ts';
import { companies, keys, learnerId } from '../support/world.ts';
import { type Service, freePort, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

const { serviceUrl, name: database } = testService.database;
const authorized = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };

let standby: Standby;

beforeAll(async () => {
  // The Postgres of the tests does not wait for the disk, and so sends changes to its standby only a moment later.
  await testService.query(`alter database ${database} set synchronous_commit = on`);
  standby = await Standby.start(process.env.TEST_ADMIN_URL!, process.env.TEST_DATA_FOLDER!);
});
afterEach(stopServices);
afterAll(() => standby.stop());

interface Process extends Service {
  /** Returns the number of reads by outcome. */
  outcomes(): Promise<Record<string, number>>;
}

async function start(env: Record<string, string> = {}): Promise<Process> {
  const port = await freePort();
  const service = await startService({
    DATABASE_URL: serviceUrl,
    DATABASE_READ_URL: standby.at(serviceUrl),
    ROLES: 'api',
    RATE_LIMIT_PER_MINUTE: '0',
    METRICS_PORT: String(port),
    ...env,
  });
  // With a standby on the same busy machine, a process takes long to start.
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200, 120_000);
  const outcomes = async () => {
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Object.fromEntries(
      [...page.matchAll(/^replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm)].map(([, name, n]) => [name!, Number(n)]),
    );
  };
  return { ...service, outcomes };
}

let made = 0;

async function createGroup({ url }: Service): Promise<string> {
  const name = `Replicated ${++made}`;
  const response = await fetch(`${url}/groups`, {
    method: 'POST',
    headers: authorized,
    body: JSON.stringify({ name }),
  });
  expect(response.status).toBe(200);
  return name;
}

async function groupsOf({ url }: Service): Promise<string[]> {
  const response = await fetch(`${url}/groups`, { headers: authorized });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { name: string }[] };
  return data.map(({ name }) => name);
}

async function whenUsed(service: Process): Promise<void> {
  const before = (await service.outcomes()).replica ?? 0;
  await until(async () => {
    await groupsOf(service);
    return ((await service.outcomes()).replica ?? 0) > before;
  });
}

test('a change through one process appears at once in the lists of all processes, read from the replica', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  await Promise.all([whenUsed(one), whenUsed(other)]);
  for (let n = 0; n < 40; n++) {
    const name = await createGroup(one);
    for (const groups of await Promise.all([groupsOf(other), groupsOf(one), groupsOf(other)])) {
      expect(groups).toContain(name);
    }
  }
  const { replica, ...others } = await other.outcomes();
  // On a busy machine the standby is often behind, and the primary serves the list.
  expect(replica).toBeGreaterThan(0);
  expect(others).not.toHaveProperty('away');
});

test('reads by id and changes never use the replica', async () => {
  const service = await start();
  await whenUsed(service);
  const before = await service.outcomes();
  for (const path of [`/learners/${learnerId('tenant', 1)}`, '/company']) {
    expect(await statusOf(service.url + path, keys.tenant)).toBe(200);
  }
  await createGroup(service);
  expect(await service.outcomes()).toEqual(before);
});

test('a lagging replica is not used until it has caught up', async () => {
  const service = await start();
  await whenUsed(service);
  await standby.query('select pg_wal_replay_pause()');
  const { lagging = 0 } = await service.outcomes();
  const name = await createGroup(service);
  const startedAt = performance.now();
  expect(await groupsOf(service)).toContain(name);
  expect(await groupsOf(service)).toContain(name);
  expect(performance.now() - startedAt).toBeLessThan(2000);
  expect((await service.outcomes()).lagging).toBe(lagging + 2);
  await until(() => /"reason":"lagging".*reading lists from the primary/.test(service.output()));
  await standby.query('select pg_wal_replay_resume()');
  await whenUsed(service);
  await until(() => service.output().includes('replica recovered; reading lists from it again'));
});

test('lists succeed while the replica is killed under load, and use it again once it is back', async () => {
  const service = await start();
  await whenUsed(service);
  let isOver = false;
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver) await groupsOf(service);
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await standby.kill();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  isOver = true;
  await Promise.all(callers);
  expect((await service.outcomes()).away).toBeGreaterThan(0);
  await until(() => /"reason":"away".*reading lists from the primary/.test(service.output()));
  await standby.restart();
  await whenUsed(service);
});

test('a server that is not a standby of the primary is not used', async () => {
  const service = await start({ DATABASE_READ_URL: serviceUrl });
  await groupsOf(service);
  expect(await service.outcomes()).toEqual({ away: 1 });
  await until(() => service.output().includes('The replica is not a standby'));
});

describe('a read that fails on the replica', () => {
  const failing = query<object, { id: string }>(
    'test_failing_on_replica',
    () => sql`select id::text from learners where 1 / (case when pg_is_in_recovery() then 0 else 1 end) = 1`,
  );
  const slow = query<object, { slept: string }>('test_slow_on_replica', () => sql`select pg_sleep(3)::text as slept`);
  let pools: pg.Pool[];
  beforeEach(() => {
    const times = { poolSize: 2, statementTimeoutMs: 500, connectTimeoutMs: 15_000, onIdleError: () => undefined };
    pools = [serviceUrl, standby.at(serviceUrl)].map((connectionString) => openPool({ connectionString, ...times }));
  });
  afterEach(() => Promise.all(pools.map((pool) => pool.end())));

  /** Returns the outcomes of the reads. Repeats the reads while the standby lags, because it then serves none. */
  async function outcomesOf(read: (reader: TenantReader) => Promise<void>): Promise<ReadonlyMap<string, number>> {
    const [primary, pool] = pools as [pg.Pool, pg.Pool];
    for (;;) {
      const replica = new Replica({ primary, pool, logger: createLogs('silent').logger });
      setReplica(primary, replica);
      await read(createTenantReader(primary, companies.tenant, companies.tenant));
      if (!replica.outcomes.has('lagging')) return replica.outcomes;
    }
  }

  test('is repeated on the primary', async () => {
    const outcomes = await outcomesOf(async (reader) => {
      expect(await reader.queryAll(failing, {})).toHaveLength(5);
    });
    expect(outcomes).toEqual(new Map([['away', 1]]));
  });

  test('is repeated on the primary if it is a list that has returned no rows', async () => {
    const outcomes = await outcomesOf(async (reader) => {
      const { rows, last } = await (await reader.stream(failing, {}).open()).next();
      expect({ rows: rows.length, last }).toEqual({ rows: 5, last: true });
    });
    expect(outcomes).toEqual(new Map([['away', 1]]));
  });

  test('is not repeated if it takes too long, because the repetition would also take too long', async () => {
    const outcomes = await outcomesOf(async (reader) => {
      await expect(reader.queryAll(slow, {})).rejects.toMatchObject({ code: '57014' });
    });
    expect(outcomes).toEqual(new Map());
  });
});
