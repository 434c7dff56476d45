/** @jest-environment-options {"WEBHOOKS_TO_LOOPBACK": "yes"} */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { SealedSecrets } from '../../../src/auth/sealed-secrets.ts';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openPool } from '../../../src/db/pool.ts';
import { startWebhookRounds } from '../../../src/jobs/webhook-rounds.ts';
import { createLogs } from '../../../src/logger.ts';
import { deliverWebhooks } from '../../../src/resources/webhook-endpoints/deliver-webhooks.ts';
import { createWebhookSender } from '../../../src/webhooks/post-webhook.ts';
import { get, post } from '../../support/client.ts';
import { routeOfService } from '../../support/routes.ts';
import { SECRETS_KEY } from '../../support/world-sources.ts';
import { companies } from '../../support/world.ts';

const times = { statementTimeoutMs: 15_000, connectTimeoutMs: 15_000 };
const pool = openPool({ ...routeOfService(), poolSize: 4, ...times, onIdleError: () => undefined });
const access = new TenantAccess(pool);
const secrets = new SealedSecrets([Buffer.from(SECRETS_KEY, 'base64')]);
const send = createWebhookSender({ ports: [], ownHosts: [], allowsLoopback: true }, 1000);

interface Received {
  headers: Record<string, string>;
  body: string;
  id: string;
}
let received: Received[] = [];
let answer: (one: Received) => [status: number, headers?: Record<string, string>] = () => [204];
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    const headers = request.headers as Record<string, string>;
    const one = { headers, body, id: headers['webhook-id']! };
    received.push(one);
    const [status, more] = answer(one);
    response.writeHead(status, more).end('thanks');
  });
});

let endpoint: { id: string; secret: string };
const turn = () => deliverWebhooks(access.ofJob(companies.tenant), endpoint.id, { post: send, secrets });
/** Turns until so many tries were received: transactions of other tests may hold the log back for a moment. */
const turnsUntil = async (count: number) => {
  const begun = Date.now();
  while (received.length < count && Date.now() - begun < 5000) if (!(await turn())) await sleep(20);
  expect(received).toHaveLength(count);
};
const state = async () => (await get('/webhook-endpoints')).body.data.find(({ id }: any) => id === endpoint.id);
const make = async (fields: object = {}) => {
  const { port } = receiver.address() as AddressInfo;
  endpoint = (await post('/webhook-endpoints', { url: `http://127.0.0.1:${port}/hook`, ...fields })).body.data;
};
const group = async (name: string) => (await post('/groups', { name })).body.data.id as string;
/** As if the waits were over. */
const later = async () => {
  await testService.query(`update webhook_endpoints set paused_until = null`);
  await testService.query(`update webhook_deliveries set next_try_at = now()`);
};

beforeAll(async () => once(receiver.listen(0, '127.0.0.1'), 'listening'));
beforeEach(async () => {
  [received, answer] = [[], () => [204]];
  await testService.query('delete from events');
  await make();
});
afterEach(() => testService.query(`delete from webhook_endpoints where url like 'http:%'`));
afterAll(async () => {
  receiver.close();
  await pool.end();
});

test('what happens after the endpoint was made arrives, in order, as a library of the standard verifies', async () => {
  const ids = [await group('First'), await group('Second'), await group('Third')];
  await turnsUntil(3);
  const events = received.map(({ body, headers }) => new Webhook(endpoint.secret).verify(body, headers) as any);
  expect(events.map(({ type, data }) => [type, data.groupId])).toEqual(ids.map((id) => ['group.created', id]));
  expect(received.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect(await turn()).toBe(false);
  expect(received).toHaveLength(3);
  expect(await state()).toMatchObject({ failures: 0, lastStatus: 204, pausedUntil: null });
});

test('only the types that were asked for arrive', async () => {
  await make({ types: ['group.deleted'] });
  await group('Of no interest');
  await post(`/webhook-endpoints/${endpoint.id}/test`);
  await turnsUntil(1);
  expect(JSON.parse(received[0]!.body).type).toBe('webhook.test');
});

test('for a day both secrets sign', async () => {
  const { secret } = (await post(`/webhook-endpoints/${endpoint.id}/rotate`)).body.data;
  await group('Signed twice');
  await turnsUntil(1);
  const [{ body, headers }] = received as [Received];
  for (const one of [secret, endpoint.secret]) expect(new Webhook(one).verify(body, headers)).toBeDefined();
});

test('what was not taken is tried again under the same id with the same bytes, and what follows does not wait for it', async () => {
  const ids = [await group('One'), await group('Refused'), await group('Two')];
  const isRefused = ({ body }: Received) => body.includes(ids[1]!);
  answer = (one) => [isRefused(one) ? 500 : 200];
  await turnsUntil(3);
  answer = () => [200];
  await later();
  await turnsUntil(4);
  const [first, second] = received.filter(isRefused);
  expect(second).toMatchObject({ id: first!.id, body: first!.body });
  expect(received.at(-1)).toBe(second);
  expect(await testService.query('select from webhook_deliveries')).toEqual([]);
});

test('nothing taken pauses the endpoint, longer each time, and switches it off after three days', async () => {
  answer = () => [500];
  const pauses: number[] = [];
  for (let count = 0; count < 10; count++) {
    await post(`/webhook-endpoints/${endpoint.id}/test`);
    await turn();
    const { pausedUntil } = await state();
    pauses.push(Math.round((Date.parse(pausedUntil) - Date.now()) / 1000));
    expect(await turn()).toBe(false);
    await later();
  }
  expect(pauses[0]).toBeLessThanOrEqual(6);
  expect(pauses[1]).toBeGreaterThan(200);
  expect(pauses[8]).toBeGreaterThan(60_000);
  expect(await state()).toMatchObject({ enabled: false, disabledBecause: 'failing', failures: 10 });
});

test('410 switches it off, and 429 pauses it for as long as it says', async () => {
  answer = () => [429, { 'retry-after': '3600' }];
  await group('Too many');
  await turnsUntil(1);
  expect(Date.parse((await state()).pausedUntil) - Date.now()).toBeGreaterThan(3_500_000);
  await later();
  answer = () => [410];
  await turn();
  expect(await state()).toMatchObject({ enabled: false, disabledBecause: 'gone', lastStatus: 410 });
});

describe('the place of an endpoint', () => {
  const bodiesWith = (id: string) => received.filter(({ body }) => body.includes(id)).length;

  test('in another database is none of this one: what is kept comes again, and nothing is missed', async () => {
    const before = await group('Before the dump');
    await turnsUntil(1);
    const after = await group('After the restore');
    await testService.query(
      `update webhook_endpoints set cursor_xact = '9223372036854775807', cursor_log = '7/elsewhere', look_at = now()
        where id = $1`,
      [endpoint.id],
    );
    const due = await testService.query('select endpoint_id as id from due_webhooks(20)');
    expect(due).toContainEqual({ id: endpoint.id });
    await turnsUntil(3);
    expect([bodiesWith(before), bodiesWith(after)]).toEqual([2, 1]);
    await group('Later');
    await turnsUntil(4);
  });

  test('stays where the database is recovered or a standby takes over: its timeline is no part of it', async () => {
    const [row] = await testService.query(
      `select cursor_log = (select system_identifier from pg_control_system()) || '/' || current_database() as same
         from webhook_endpoints where id = $1`,
      [endpoint.id],
    );
    expect(row).toEqual({ same: true });
  });
});

test('two workers do not take the same endpoint at once', async () => {
  await post(`/webhook-endpoints/${endpoint.id}/test`);
  await Promise.all([turn(), turn(), turn()]);
  expect(received).toHaveLength(1);
});

test('the rounds of a worker send within a second, also while another endpoint hangs', async () => {
  const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  await post('/webhook-endpoints', { url: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/` });
  const { logger } = createLogs('silent');
  const rounds = startWebhookRounds({ pool, access, logger, secrets, post: send });
  const begun = Date.now();
  await group('Quick');
  while (received.length === 0 && Date.now() - begun < 5000) await sleep(20);
  expect(Date.now() - begun).toBeLessThan(2000);
  await rounds.stop();
  hanging.closeAllConnections();
  hanging.close();
});
