/** @jest-environment-options {"DATABASE_POOL_SIZE": "10", "TEST_REPLICA": "none"} */
import { get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { get } from '../support/client.ts';
import { insertManyLearners } from '../support/many-learners.ts';
import { companies, keys } from '../support/world.ts';
import { until } from '../support/until.ts';

/** Number of learners, of about 900 bytes each; far more than the buffers between Postgres and a client hold. */
const COUNT = 25_000;

beforeAll(async () => {
  await insertManyLearners({ companyIds: [companies.tenant, companies.directChild], count: COUNT, words: 80 });
});

const TYPES = ['application/json', 'text/csv', 'application/x-ndjson'];

/** Requests the list and returns the response unread. */
function openList(
  key: keyof typeof keys = 'tenant',
  accept = '*/*',
): Promise<{ read(): Promise<string>; hangUp(): void }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${keys[key]}`, accept };
    const request = httpGet(`${testService.url}/v1/learners`, { headers, agent: false }, (response) => {
      response.pause();
      resolve({
        read: async () => {
          let text = '';
          response.setEncoding('utf8');
          for await (const chunk of response) text += chunk;
          return text;
        },
        hangUp: () => request.destroy(),
      });
    });
    request.on('error', reject);
  });
}

/** Counts the service's connections that are busy in Postgres. */
async function busyConnections(): Promise<number> {
  const [row] = await testService.query(`select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and usename = 'awareness_service' and state <> 'idle'`);
  return row!.count as number;
}

test('a large list arrives complete and in order', async () => {
  const { body } = await get('/learners');
  const ids = body.data.map((learner: { id: string }) => learner.id);
  expect(ids).toHaveLength(COUNT + 5);
  expect(ids).toEqual(ids.toSorted());
});

test.each(TYPES.slice(1))('a large list arrives complete as %s', async (type) => {
  const list = await openList('tenant', type);
  expect((await list.read()).match(/many\d+@tenant/g)).toHaveLength(COUNT);
});

test('a client that hangs up stops its query and frees its connection', async () => {
  for (let round = 0; round < 3; round++) {
    const lists = await Promise.all([openList(), openList()]);
    expect(await busyConnections()).toBe(2);
    for (const list of lists) list.hangUp();
    await until(async () => (await busyConnections()) === 0);
  }
  expect((await get('/company')).status).toBe(200);
});

test('a client that leaves before its list begins leaves nothing running', async () => {
  const { port } = new URL(testService.url);
  for (let i = 0; i < 40; i++) {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.write(`GET /v1/learners HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${keys.tenant}\r\n\r\n`);
    await new Promise((resolve) => setTimeout(resolve, i % 8));
    socket.destroy();
  }
  await until(async () => (await busyConnections()) === 0);
  const lists = await Promise.all([openList(), openList()]);
  for (const list of lists) list.hangUp();
});

test("unread lists leave connections to other calls and other companies' lists", async () => {
  const lists = await Promise.all([openList(), openList()]);
  const late = get('/learners');
  expect((await get('/company')).status).toBe(200);
  expect((await get('/learners', 'other')).body.data).toHaveLength(5);
  lists[0].hangUp();
  expect((await late).status).toBe(200);
  for (const list of lists) list.hangUp();
});

test('slow clients of two companies leave a slot for a third company and get complete lists', async () => {
  const lists = await Promise.all(
    ['tenant', 'tenant', 'directChild', 'directChild'].map((key) => openList(key as never)),
  );
  expect((await get('/learners', 'other')).body.data).toHaveLength(5);
  // The third company's list arrives before its connection is idle, so that connection can still be counted.
  expect(await busyConnections()).toBeGreaterThanOrEqual(4);
  await until(async () => (await busyConnections()) === 0);
  for (const list of lists) {
    const { data } = JSON.parse(await list.read()) as { data: { id: string }[] };
    expect(data.length).toBeGreaterThanOrEqual(COUNT);
    expect(data.map(({ id }) => id)).toEqual(data.map(({ id }) => id).toSorted());
  }
});

test.each(TYPES)(
  'a failure mid-stream breaks the connection instead of ending the list of %s normally',
  async (type) => {
    const list = await openList('tenant', type);
    await testService.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = 'awareness_service' and state <> 'idle'`);
    await expect(list.read()).rejects.toThrow(/aborted/);
    await until(async () => (await get('/company')).status === 200);
  },
);
