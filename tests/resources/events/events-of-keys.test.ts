import { del, patch, post } from '../../support/client.ts';
import { keyWith } from '../../support/scoped-keys.ts';
import { groupId } from '../../support/world.ts';
import { inDays } from '../api-keys/key-calls.ts';
import { eventsOf, here, requireShapes } from './event-state.ts';

const anyTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
let start: string;
beforeAll(async () => (start = await here()));
afterEach(() => testService.query(`delete from api_keys where name in ('scoped', 'Of events')`));

test('an API key emits events when created, rotated, about to expire and revoked', async () => {
  let [first, second] = ['', ''];
  const expiresAt = inDays(20).toISOString();
  const made = async () => (first = (await post('/api-keys', { name: 'Of events', expiresAt })).body.data.apiKey.id);
  expect(await eventsOf(made)).toEqual([['api_key.created', { apiKeyId: first, expiresAt: anyTime }]]);
  const rotated = async () => (second = (await post(`/api-keys/${first}/rotate`)).body.data.apiKey.id);
  expect(await eventsOf(rotated)).toEqual([
    ['api_key.created', { apiKeyId: second, expiresAt: anyTime }],
    ['api_key.rotated', { apiKeyId: first, replacedBy: second, expiresAt: anyTime }],
  ]);
  expect(
    await eventsOf(() => testService.query(`update api_keys set expiry_notice_days = 30 where id = $1`, [second])),
  ).toEqual([['api_key.expiring', { apiKeyId: second, expiresAt: anyTime }]]);
  const revoked = () => del(`/api-keys/${second}`);
  expect(await eventsOf(revoked)).toEqual([['api_key.revoked', { apiKeyId: second }]]);
  expect(await eventsOf(revoked)).toEqual([]);
});

test('a leaked key emits api_key.revoked, and a key without expiry has a null expiresAt', async () => {
  let key = '';
  const [[type, data]] = (await eventsOf(async () => (key = await keyWith('tenant', null)))) as [[string, object]];
  expect([type, data]).toEqual(['api_key.created', { apiKeyId: expect.any(String), expiresAt: null }]);
  const { apiKeyId } = data as { apiKeyId: string };
  expect(await eventsOf(() => post('/leaked-keys', { keys: [key] }))).toEqual([['api_key.revoked', { apiKeyId }]]);
});

test('a webhook endpoint emits events when created, changed, paused, disabled, enabled and deleted', async () => {
  let path = '';
  let data = {};
  const url = 'https://soc.example.org/events';
  const made = await eventsOf(async () => {
    const { id } = (await post('/webhook-endpoints', { url })).body.data;
    [path, data] = [`/webhook-endpoints/${id}`, { webhookEndpointId: id }];
  });
  expect(made).toEqual([['webhook_endpoint.created', data]]);
  const updated = [['webhook_endpoint.updated', data]];
  for (const body of [{ url: `${url}/2` }, { types: ['learner.created'] }, { groupIds: [groupId('tenant', 1)] }])
    expect(await eventsOf(() => patch(path, body))).toEqual(updated);
  expect(await eventsOf(() => post(`${path}/rotate`))).toEqual(updated);
  expect(await eventsOf(() => patch(path, { url: `${url}/2`, enabled: true }))).toEqual([]);
  const pause = (seconds: number) =>
    eventsOf(() =>
      testService.query(`update webhook_endpoints set paused_until = now() + $1 * interval '1 second' where url = $2`, [
        seconds,
        `${url}/2`,
      ]),
    );
  expect(await pause(5)).toEqual([]);
  expect(await pause(300)).toEqual([['webhook_endpoint.paused', { ...data, pausedUntil: anyTime }]]);
  const off = await eventsOf(() => patch(path, { enabled: false }));
  expect(off).toEqual([['webhook_endpoint.disabled', { ...data, reason: 'requested' }]]);
  expect(await eventsOf(() => patch(path, { enabled: true }))).toEqual(updated);
  expect(await eventsOf(() => del(path))).toEqual([['webhook_endpoint.deleted', data]]);
});

test('each of these events matches the schema of its webhook', async () => {
  expect((await requireShapes(start)).size).toBe(9);
});
