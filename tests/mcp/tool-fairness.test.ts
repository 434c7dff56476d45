/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "DATABASE_POOL_SIZE": "10", "STATEMENT_TIMEOUT_MS": "2500", "TEST_REPLICA": "none"} */
import { expectError, get } from '../support/client.ts';
import { whileLocked } from '../support/locks.ts';
import { resultOf, send, toolCall } from './mcp-support.ts';

/** More calls than the pool has connections. */
const CALLS = 20;

async function expectRoomForOthers(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (let n = 0; n < 3; n++) {
    const since = Date.now();
    expect((await get('/courses', 'tenant')).status).toBe(200);
    expect(Date.now() - since).toBeLessThan(2000);
  }
}

test('slow lists of one company over REST leave connections to others', async () => {
  let lists: Promise<unknown>[] = [];
  await whileLocked('learners', async () => {
    lists = Array.from({ length: CALLS }, () => get('/learners', 'other'));
    await expectRoomForOthers();
  });
  await Promise.all(lists);
});

test('slow lists of one company in a batch over MCP leave connections to others', async () => {
  let batch: ReturnType<typeof send> | undefined;
  await whileLocked('learners', async () => {
    const calls = Array.from({ length: CALLS }, (_, id) => toolCall('service_list_learners', {}, id));
    batch = send(JSON.stringify(calls), { key: 'other' });
    await expectRoomForOthers();
  });
  const results = (await batch!).messages.map(resultOf);
  expect(results.filter(({ isError }) => isError)).toEqual([]);
});

test('a list that waits too long is an error over REST and MCP', async () => {
  await whileLocked('learners', async () => {
    const [rest, { messages }] = await Promise.all([
      get('/learners', 'other'),
      send(JSON.stringify(toolCall('service_list_learners')), { key: 'other' }),
    ]);
    expectError(rest, 504, 'service_timeout');
    expect(resultOf(messages[0]!)).toEqual({ isError: true, text: expect.stringContaining(rest.body.error!.message) });
  });
});
