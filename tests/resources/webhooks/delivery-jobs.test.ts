/** @jest-environment-options {"WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { startWebhookPoller } from '../../../src/resources/webhooks/delivery/webhook-poller.ts';
import { createLogs } from '../../../src/observability/logger.ts';
import { post } from '../../support/client.ts';
import { expectNoDeadlocks } from '../courses/enrollment-state.ts';
import { Deliveries, group, type Received, recordReads } from './delivery-state.ts';

const here = new Deliveries();
const { turn } = here;

beforeAll(() => here.listen());
beforeEach(() => here.begin());
afterEach(() => here.end());
afterAll(() => here.close());

test('events after the creation of an endpoint arrive in order, with valid Standard Webhooks signatures', async () => {
  const ids = [await group('First'), await group('Second'), await group('Third')];
  await here.turnsUntil(3);
  const events = here.received.map(
    ({ body, headers }) => new Webhook(here.endpoint.secret).verify(body, headers) as any,
  );
  expect(events.map(({ type, data }) => [type, data.groupId])).toEqual(ids.map((id) => ['group.created', id]));
  expect(here.received.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
  expect(await turn()).toBe(false);
  expect(here.received).toHaveLength(3);
  expect(await here.state()).toMatchObject({ failures: 0, lastStatus: 204, pausedUntil: null });
});

test('only events of the selected types arrive', async () => {
  await here.make({ types: ['group.deleted'] });
  await group('Of no interest');
  await post(`/webhook-endpoints/${here.endpoint.id}/test`);
  await here.turnsUntil(1);
  expect(JSON.parse(here.received[0]!.body).type).toBe('webhook.test');
});

test('after a rotation, both secrets verify a delivery', async () => {
  const { secret } = (await post(`/webhook-endpoints/${here.endpoint.id}/rotate`)).body.data;
  await group('Signed twice');
  await here.turnsUntil(1);
  const [{ body, headers }] = here.received as [Received];
  for (const one of [secret, here.endpoint.secret]) expect(new Webhook(one).verify(body, headers)).toBeDefined();
});

describe('an endpoint that is deleted while its delivery ends', () => {
  expectNoDeadlocks();

  test('is deleted without a deadlock', async () => {
    await post(`/webhook-endpoints/${here.endpoint.id}/test`);
    const remover = new pg.Client(testService.database.ownerUrl).on('error', () => undefined);
    await remover.connect();
    await remover.query('begin');
    const lock = 'select from webhook_endpoints where id = $1 for update';
    const sent = here.turn(async () => {
      await remover.query(lock, [here.endpoint.id]);
      return { status: 204, failure: null, retryAfter: undefined, text: '' };
    });
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await testService.query(waiting)).length === 0) await sleep(20);
    await remover.query('delete from webhook_endpoints where id = $1', [here.endpoint.id]);
    await remover.query('commit').finally(() => remover.end());
    expect(await sent).toBe(true);
    for (const table of ['webhook_retries', 'webhook_delivery_attempts']) {
      const left = `select from ${table} where endpoint_id = $1`;
      expect(await testService.query(left, [here.endpoint.id])).toEqual([]);
    }
  });
});

test('a rejected event is retried with the same id and bytes, and later events do not wait for it', async () => {
  const ids = [await group('One'), await group('Refused'), await group('Two')];
  const isRefused = ({ body }: Received) => body.includes(ids[1]!);
  here.answer = (one) => [isRefused(one) ? 500 : 200];
  await here.turnsUntil(3);
  here.answer = () => [200];
  await here.later();
  await here.turnsUntil(4);
  const [first, second] = here.received.filter(isRefused);
  expect(second).toMatchObject({ id: first!.id, body: first!.body });
  expect(here.received.at(-1)).toBe(second);
  expect(await testService.query('select from webhook_retries')).toEqual([]);
});

test('repeated failures pause the endpoint, longer each time, and disable it in the end', async () => {
  here.answer = () => [500];
  const pauses: number[] = [];
  for (let count = 0; count < 10; count++) {
    await post(`/webhook-endpoints/${here.endpoint.id}/test`);
    await turn();
    const { pausedUntil } = await here.state();
    pauses.push(Math.round((Date.parse(pausedUntil) - Date.now()) / 1000));
    expect(await turn()).toBe(false);
    await here.later();
  }
  expect(pauses[0]).toBeLessThanOrEqual(6);
  expect(pauses[1]).toBeGreaterThan(200);
  expect(pauses[8]).toBeGreaterThan(60_000);
  expect(await here.state()).toMatchObject({ enabled: false, disabledBecause: 'failing', failures: 10 });
});

test('410 disables the endpoint, and 429 pauses it for the time in Retry-After', async () => {
  here.answer = () => [429, { 'retry-after': '3600' }];
  await group('Too many');
  await here.turnsUntil(1);
  expect(Date.parse((await here.state()).pausedUntil) - Date.now()).toBeGreaterThan(3_500_000);
  await here.later();
  here.answer = () => [410];
  await turn();
  expect(await here.state()).toMatchObject({ enabled: false, disabledBecause: 'gone', lastStatus: 410 });
});

describe('the cursor of an endpoint', () => {
  const bodiesWith = (id: string) => here.received.filter(({ body }) => body.includes(id)).length;

  test('from another database starts again, so that events are repeated and none is missed', async () => {
    const before = await group('Before the dump');
    await here.turnsUntil(1);
    const after = await group('After the restore');
    await testService.query(
      `update webhook_endpoints set cursor_transaction_id = '9223372036854775807', cursor_timeline = '7/elsewhere',
              next_poll_at = now() - interval '1 second'
        where id = $1`,
      [here.endpoint.id],
    );
    const due = await testService.query(`select endpoint_id as id from due_webhooks(20, 20, '{}', '{}')`);
    expect(due).toContainEqual({ id: here.endpoint.id });
    await here.turnsUntil(3);
    expect([bodiesWith(before), bodiesWith(after)]).toEqual([2, 1]);
    await group('Later');
    await here.turnsUntil(4);
  });

  test('has no timeline id, so that it survives recovery and failover', async () => {
    const [row] = await testService.query(
      `select cursor_timeline = (select system_identifier from pg_control_system()) || '/' || current_database() as same
         from webhook_endpoints where id = $1`,
      [here.endpoint.id],
    );
    expect(row).toEqual({ same: true });
  });
});

test('webhook_figures returns the number of paused endpoints and the age of the oldest due event', async () => {
  const figures = async () => (await testService.query('select * from webhook_figures()'))[0]! as any;
  // Events about this endpoint would be due for the other endpoints, but not for this one.
  await testService.query(`update webhook_endpoints set types = '{learner.created}' where id <> $1`, [
    here.endpoint.id,
  ]);
  await testService.query(`delete from events where data ->> 'webhookEndpointId' is distinct from $1`, [
    here.endpoint.id,
  ]);
  expect(await figures()).toMatchObject({ paused: 0, oldest: 0 });
  await group('Due');
  await testService.query(`update events set occurred_at = now() - interval '2 minutes'`);
  expect((await figures()).oldest).toBeGreaterThanOrEqual(60);
  here.answer = () => [500];
  await here.turnsUntil(1);
  expect(await figures()).toMatchObject({ paused: 1 });
});

test('concurrent workers deliver an event once', async () => {
  await post(`/webhook-endpoints/${here.endpoint.id}/test`);
  await Promise.all([turn(), turn(), turn()]);
  expect(here.received).toHaveLength(1);
});

test('the poller sends within two seconds while another endpoint hangs', async () => {
  const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  await post('/webhook-endpoints', { url: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/` });
  const { logger } = createLogs('silent');
  const { pool, access, secrets, send } = here;
  const rounds = startWebhookPoller({ pool, access, logger, secrets, post: send, recordReads });
  const begun = Date.now();
  await group('Quick');
  while (here.received.length === 0 && Date.now() - begun < 5000) await sleep(20);
  expect(Date.now() - begun).toBeLessThan(2000);
  await rounds.stop();
  hanging.closeAllConnections();
  hanging.close();
});
