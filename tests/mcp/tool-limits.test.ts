/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "8", "AUTH_FAILURES_PER_MINUTE": "3"} */
import { call as rest, expectError, get } from '../support/client.ts';
import type { KeyName } from '../support/world.ts';
import { call, request, resultOf, send, sendModern, toolCall } from './mcp-support.ts';

const batchOf = (count: number, name = 'service_get_company') =>
  JSON.stringify(Array.from({ length: count }, (_, id) => toolCall(name, {}, id)));

/** Returns the remaining calls of a key, after this call. */
async function leftOver(key: KeyName): Promise<number> {
  const { status, headers } = await get('/company', key);
  expect(status).toBe(200);
  return Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
}

async function expectLimited(key: KeyName): Promise<void> {
  const answers = [
    await send(JSON.stringify(toolCall('service_get_company')), { key }),
    await send(batchOf(3), { key }),
    await sendModern('tools/call', { name: 'service_get_company', arguments: {} }, { key }),
    await send('no json', { key }),
  ];
  for (const { status, headers, messages } of answers) {
    const wait = Number(headers.get('retry-after'));
    expect({ status, messages }).toEqual({
      status: 429,
      messages: [{ jsonrpc: '2.0', id: null, error: expect.objectContaining({ data: { code: 'rate_limited' } }) }],
    });
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(messages[0]!.error!.message).toMatch(new RegExp(`try again in (${wait}|${wait - 1}) seconds`));
  }
}

test('a call counts once, over REST and MCP, in either era', async () => {
  await call('service_get_company', {}, 'tenant');
  expect(await leftOver('tenant')).toBe(6);
  await sendModern('tools/call', { name: 'service_get_tool_help', arguments: {} }, { key: 'tenant' });
  expect(await leftOver('tenant')).toBe(4);
});

test('each request in a batch counts, with any method', async () => {
  await send(batchOf(5), { key: 'other' });
  expect(await leftOver('other')).toBe(2);
  const listed = [request('ping', undefined, 1), request('tools/list', {}, 2), request('tools/list', {}, 3)];
  const { messages } = await send(JSON.stringify(listed), { key: 'other' });
  const inOrder = messages.toSorted((a, b) => Number(a.id) - Number(b.id));
  expect(inOrder.map(({ error }) => error?.data?.code)).toEqual([undefined, undefined, 'rate_limited']);
  expect(inOrder[2]!.error!.message).toMatch(/try again in \d+ seconds\.$/);
  expectError(await get('/company', 'other'), 429, 'rate_limited');
});

test('a notification does not count in addition to its request', async () => {
  const batch = [{ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } }, request('ping')];
  await send(JSON.stringify(batch), { key: 'directChild' });
  expect(await leftOver('directChild')).toBe(6);
});

test('rejected calls count', async () => {
  await send(JSON.stringify([1, 2, 3].map((id) => toolCall('service_get_learner', { learnerId: 'none' }, id))), {
    key: 'msp',
  });
  await call('service_list_learners', { limit: 'all' }, 'msp');
  expect(await leftOver('msp')).toBe(3);
});

test('a batch over the limit completes its first calls and rejects the rest with the wait', async () => {
  const { status, messages } = await send(batchOf(12), { key: 'childA' });
  expect(status).toBe(200);
  const results = messages.map(resultOf);
  expect(results.filter(({ isError }) => !isError)).toHaveLength(8);
  const refused = results.filter(({ isError }) => isError);
  expect(refused).toHaveLength(4);
  for (const { text } of refused) expect(text).toMatch(/try again in \d+ seconds\.$/);
  await expectLimited('childA');
});

test('a key without remaining calls gets 429 with the wait, and other keys continue', async () => {
  for (let n = 0; n < 8; n++) expect((await rest('childB', 'GET', '/company')).status).toBe(200);
  await expectLimited('childB');
  expectError(await get('/company', 'childB'), 429, 'rate_limited');
  expect((await call('service_get_company', {}, 'distributor')).isError).toBe(false);
});

test('the body of a limited key is not read', async () => {
  await send(batchOf(8), { key: 'prospect' });
  for (const body of ['[]', '<html>', 'x'.repeat(64 * 1024 + 1)])
    expect((await send(body, { key: 'prospect' })).status).toBe(429);
});

test('simultaneous calls cannot exceed the limit', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(batchOf(1), { key: 'strangerMsp' })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(8);
});

test('a batch can have at most 100 messages', async () => {
  const lists = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, id) => request('ping', undefined, id)));
  const { status, messages } = await send(lists(101), { key: 'directChild' });
  expect({ status, messages }).toMatchObject({ status: 400, messages: [{ error: { code: -32600 } }] });
  expect((await send(lists(100), { key: 'directChild' })).messages).toHaveLength(100);
});

test('invalid keys are limited by IP address, and missing or valid keys are not', async () => {
  const list = JSON.stringify(request('tools/list'));
  for (let n = 0; n < 10; n++) expect((await send(list, { key: null })).status).toBe(401);
  for (let n = 0; n < 3; n++) expect((await send(list, { key: 'unknown' })).status).toBe(401);
  const { status, headers, messages } = await send(list, { key: 'unknown' });
  expect({ status, messages }).toMatchObject({
    status: 429,
    messages: [{ error: { data: { code: 'rate_limited' } } }],
  });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expectError(await get('/company', 'unknown'), 429, 'rate_limited');
  expect((await send(list, { key: 'distributor' })).status).toBe(200);
});
