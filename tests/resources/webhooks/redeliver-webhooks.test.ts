/** @jest-environment-options {"WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { v7 as uuidv7 } from 'uuid';
import { expectError, patch, post } from '../../support/client.ts';
import { webhookEndpointId } from '../../support/world-sources.ts';
import { Deliveries, group } from './delivery-state.ts';

const here = new Deliveries();
const redeliver = (body: object) => post(`/webhook-endpoints/${here.endpoint.id}/redeliver`, body);
const at = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString();
const LAST_HOUR = () => ({ from: at(-3_600_000), to: at(3_600_000) });

beforeAll(() => here.listen());
beforeEach(() => here.begin());
afterEach(() => here.end());
afterAll(() => here.close());

test('the events of a period are sent once more with their ids and bytes, together with new events', async () => {
  for (const name of ['One', 'Two', 'Three']) await group(name);
  await here.turnsUntil(3);
  const { body } = await redeliver(LAST_HOUR());
  expect(body.data).toMatchObject({ eventIds: [], missingEventIds: [] });
  expect(Date.parse(body.data.to)).toBeLessThanOrEqual(Date.now());
  const fresh = await group('Fresh');
  await here.turnsUntil(7);
  const [first, again] = [
    here.received.slice(0, 3),
    here.received.filter(({ body }) => !body.includes(fresh)).slice(3),
  ];
  expect(again.map(({ id }) => id).toSorted()).toEqual(first.map(({ id }) => id).toSorted());
  expect(again.map(({ body }) => body).toSorted()).toEqual(first.map(({ body }) => body).toSorted());
  expect(await here.turn()).toBe(false);
  expect(here.received).toHaveLength(7);
  expect(await here.state()).toMatchObject({ redeliveringFrom: null, redeliveringTo: null });
});

test('only events within the period are sent again, even if the first attempt fails', async () => {
  await group('Before');
  await here.turnsUntil(1);
  const from = at(0);
  const id = await group('Within');
  await here.turnsUntil(2);
  await redeliver({ from, to: at(1000) });
  here.answer = () => [500];
  await here.turnsUntil(3);
  here.answer = () => [200];
  await here.later();
  await here.turnsUntil(4);
  for (const { body } of here.received.slice(2)) expect(body).toContain(id);
  await here.turn();
  expect((await here.state()).redeliveringFrom).toBeNull();
});

test('an event that is also due for a retry arrives when the receiver accepts it', async () => {
  const id = await group('Failing');
  here.answer = () => [500];
  await here.turnsUntil(1);
  await redeliver(LAST_HOUR());
  await here.later();
  // Pretends that the endpoint accepted a different event; after a failure, an endpoint gets only one event at first.
  await testService.query(`update webhook_endpoints set failures = 0, last_status = 204`);
  await here.turnsUntil(3);
  expect((await here.state()).failures).toBe(1);
  here.answer = () => [200];
  await here.later();
  await here.turnsUntil(4);
  for (const { body } of here.received) expect(body).toContain(id);
  expect(await testService.query('select from webhook_retries')).toEqual([]);
});

test('a second redelivery returns 400 while one runs, and disabling the endpoint ends the first', async () => {
  await redeliver(LAST_HOUR());
  expect((await here.state()).redeliveringFrom).not.toBeNull();
  const both = await Promise.all([redeliver(LAST_HOUR()), redeliver(LAST_HOUR())]);
  for (const one of both) expectError(one, 400, 'webhook_redelivery_running');
  for (const enabled of [false, true]) await patch(`/webhook-endpoints/${here.endpoint.id}`, { enabled });
  const starts = await Promise.all([redeliver(LAST_HOUR()), redeliver(LAST_HOUR())]);
  expect(starts.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});

test('named events are sent again, and unknown, foreign or purged events are returned as missing', async () => {
  for (const name of ['Kept', 'Gone']) await group(name);
  await here.turnsUntil(2);
  const [kept, gone] = here.received.map(({ id }) => id) as [string, string];
  await testService.query('delete from events where id = $1', [gone]);
  const [madeUp, foreign] = [uuidv7(), webhookEndpointId('other')];
  const { body } = await redeliver({ eventIds: [gone, kept, madeUp, foreign] });
  expect(body.data).toMatchObject({ from: null, eventIds: [kept], missingEventIds: [gone, madeUp, foreign] });
  await here.turnsUntil(3);
  expect(here.received[2]).toMatchObject({ id: kept, body: here.received[0]!.body });
  expect(await testService.query('select from webhook_retries')).toEqual([]);
});

test('an event that was never sent to the endpoint is sent with its period', async () => {
  const id = await group('Before the endpoint');
  await here.turnsUntil(1);
  await here.make({ types: ['group.created'] });
  await redeliver(LAST_HOUR());
  await here.turnsUntil(2);
  expect(here.received[1]!.body).toContain(id);
});

test('events of children are sent to their parent again, by period and by id', async () => {
  await here.make({ children: true }, 'msp');
  const path = `/webhook-endpoints/${here.endpoint.id}/redeliver`;
  const id = await group('Of a child', 'childA');
  await here.turnsUntil(1);
  await post(path, LAST_HOUR(), 'msp');
  await here.turnsUntil(2);
  const eventIds = [here.received[0]!.id];
  expect((await post(path, { eventIds }, 'msp')).body.data).toMatchObject({ eventIds, missingEventIds: [] });
  await here.turnsUntil(3);
  for (const { body } of here.received) expect(body).toContain(id);
});

test.each([
  ['body/from', { to: '2026-01-01T00:00:00Z' }],
  ['body/to', { from: '2026-01-01T00:00:00Z' }],
  ['body/to', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }],
  ['body/from', { from: at(60_000), to: at(120_000) }],
  ['body/eventIds', { from: at(-1000), to: at(0), eventIds: [uuidv7()] }],
  ['body/eventIds', { eventIds: [] }],
  ['body/eventIds/0', { eventIds: ['one'] }],
  ['body', {}],
])('an invalid %s returns 400 naming it', async (field, body) => {
  expectError(await redeliver(body), 400, 'invalid_request', [field]);
});

test('the endpoint of another company returns 404', async () => {
  const path = `/webhook-endpoints/${webhookEndpointId('other')}/redeliver`;
  expectError(await post(path, LAST_HOUR()), 404, 'not_found');
  expectError(await post(path, { eventIds: [uuidv7()] }), 404, 'not_found');
});
