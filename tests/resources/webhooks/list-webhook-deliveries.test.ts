/** @jest-environment-options {"WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { v7 as uuidv7 } from 'uuid';
import { del, expectError, get, patch, post } from '../../support/client.ts';
import { webhookEndpointId } from '../../support/world-sources.ts';
import { Deliveries, group } from './delivery-state.ts';

const here = new Deliveries();
const path = () => `/webhook-endpoints/${here.endpoint.id}/deliveries`;
const listed = async (query = '') => (await get(`${path()}${query}`)).body.data as any[];

beforeAll(() => here.listen());
beforeEach(() => here.begin());
afterEach(() => here.end());
afterAll(() => here.close());

test('attempts are listed newest first, with the response and the time of the next attempt', async () => {
  here.answer = () => [500, {}, 'no disk space'];
  await group('Tried twice');
  await here.turnsUntil(1);
  await here.later();
  here.answer = () => [200, {}, 'ok'];
  await here.turnsUntil(2);
  const [second, first] = await listed();
  const event = { eventId: here.received[0]!.id, eventType: 'group.created', error: null };
  expect(second).toMatchObject({
    ...event,
    number: 2,
    outcome: 'delivered',
    status: 200,
    answer: 'ok',
    nextTryAt: null,
  });
  expect(first).toMatchObject({ ...event, number: 1, outcome: 'failed', status: 500, answer: 'no disk space' });
  const wait = Date.parse(first.nextTryAt) - Date.parse(first.triedAt);
  expect([wait > 3000, wait < 8000, first.durationMs >= 0]).toEqual([true, true, true]);
});

test('pages and filters return each attempt once', async () => {
  await Promise.all(['A', 'B', 'C'].map((name) => group(name)));
  await here.turnsUntil(3);
  here.answer = () => [500];
  await group('D');
  await here.turnsUntil(4);
  const { data: deliveries, page } = (await get(`${path()}?limit=3`)).body as any;
  const rest = (await get(`${path()}?limit=3&cursor=${page.nextCursor}`)).body as any;
  expect(rest.page.nextCursor).toBeNull();
  expect(await listed()).toEqual([...deliveries, ...rest.data]);
  expect(await listed('?outcome=failed')).toEqual([deliveries[0]]);
  expect(await listed('?outcome=delivered')).toHaveLength(3);
  const of = `?eventId=${here.received[0]!.id}`;
  expect((await listed(of)).map(({ eventId }) => eventId)).toEqual([here.received[0]!.id]);
  expect(await listed(`${of}&outcome=failed`)).toEqual([]);
});

test('a response body that is long or not storable is stored as far as possible', async () => {
  here.answer = () => [400, {}, `\0${'€'.repeat(5000)}`];
  await group('Long');
  await here.turnsUntil(1);
  const [{ answer }] = await listed();
  expect(answer).toMatch(/^\uFFFD€{680,682}\uFFFD?$/);
  await here.later();
  here.answer = () => [200, {}, 'x'.repeat(5000)];
  await here.turnsUntil(2);
  expect((await listed())[0].answer).toBe('x'.repeat(200));
});

test.each([
  ['http://127.0.0.1:1/', 'connection_failed'],
  ['https://127.0.0.1:PORT/', 'tls_failed'],
  ['https://nowhere.invalid/', 'name_not_found'],
])('an attempt without a response names the cause: %s is %s', async (url, error) => {
  await patch(`/webhook-endpoints/${here.endpoint.id}`, { url: url.replace('PORT', String(here.port)) });
  await post(`/webhook-endpoints/${here.endpoint.id}/test`);
  await here.turn();
  expect(await listed()).toMatchObject([
    { eventType: 'webhook.test', outcome: 'failed', status: null, error, answer: '', number: 1 },
  ]);
});

test('attempts are deleted with their endpoint and purged after seven days', async () => {
  for (let count = 0; count < 3; count++) await post(`/webhook-endpoints/${here.endpoint.id}/test`);
  await here.turnsUntil(3);
  const [newest] = await listed();
  await testService.query(
    `update webhook_delivery_attempts set tried_at = now() - interval '8 days' where endpoint_id = $1 and id <> $2`,
    [here.endpoint.id, newest.id],
  );
  const purge = async () => {
    let after = Array(2).fill('00000000-0000-0000-0000-000000000000');
    for (let calls = 0; after && calls < 100; calls++) {
      const [row] = await testService.query('select purge_webhook_delivery_attempts(7, $1, 1) as after', [after]);
      after = row!.after as string[];
    }
    expect(after).toBeNull();
  };
  await purge();
  expect(await listed()).toEqual([newest]);
  await del(`/webhook-endpoints/${here.endpoint.id}`);
  expectError(await get(path()), 404, 'not_found');
  await purge();
  expect(
    await testService.query('select from webhook_delivery_attempts where endpoint_id = $1', [here.endpoint.id]),
  ).toEqual([]);
});

test.each([
  ['cursor=made-up', 'query/cursor'],
  ['limit=0', 'query/limit'],
  ['outcome=lost', 'query/outcome'],
  ['eventId=one', 'query/eventId'],
])('?%s returns 400 naming the parameter', async (query, field) => {
  expectError(await get(`${path()}?${query}`), 400, 'invalid_request', [field]);
});

test('foreign and unknown ids find no deliveries', async () => {
  expectError(await get(`/webhook-endpoints/${webhookEndpointId('other')}/deliveries`), 404, 'not_found');
  expect(await listed(`?eventId=${webhookEndpointId('other')}`)).toEqual([]);
  expect(await listed(`?eventId=${uuidv7()}`)).toEqual([]);
});
