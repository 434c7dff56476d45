/** @jest-environment-options {"WEBHOOKS_ALLOW_LOOPBACK": "yes", "RATE_LIMIT_PER_MINUTE": "0"} */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWebhookPoller } from '../../../src/resources/webhooks/delivery/webhook-poller.ts';
import { createLogs } from '../../../src/observability/logger.ts';
import { createWebhookSender } from '../../../src/resources/webhooks/sending/post-webhook.ts';
import { call, get } from '../../support/client.ts';
import { companies } from '../../support/world.ts';
import { Deliveries, recordReads, group } from './delivery-state.ts';

const ATTACKERS = ['childA', 'childB', 'msp'] as const;
/** Hanging endpoints per company: more than a company has slots, or than a worker once had for all companies. */
const HANGING = 10;
const WORKERS = 2;
/** Longer than the test, so that a wait for a hanging delivery fails the test. */
const HANG_MS = 170_000;

const here = new Deliveries();
/** Hanging requests, by the company of their endpoint. */
const hanging = new Map<string, Set<IncomingMessage>>();
let most: Record<string, number> = {};

const hangingServer = createServer((request) => {
  const company = request.url!.slice(1);
  const open = hanging.get(company) ?? new Set();
  hanging.set(company, open.add(request));
  most[company] = Math.max(most[company] ?? 0, open.size);
  request.socket.once('close', () => open.delete(request));
});

beforeAll(async () => {
  await here.listen();
  await once(hangingServer.listen(0, '127.0.0.1'), 'listening');
});
beforeEach(async () => {
  most = {};
  await here.begin();
});
afterEach(() => here.end());
afterAll(async () => {
  hangingServer.closeAllConnections();
  hangingServer.close();
  await here.close();
});

const hangingUrl = (company: string) => `http://127.0.0.1:${(hangingServer.address() as AddressInfo).port}/${company}`;

async function makeHanging(company: (typeof ATTACKERS)[number], count = HANGING): Promise<void> {
  for (let number = 0; number < count; number++) {
    const body = { url: hangingUrl(company) };
    expect(await call(company, 'POST', '/webhook-endpoints', { body, alone: false })).toMatchObject({ status: 200 });
  }
}

async function removeHanging(company: (typeof ATTACKERS)[number]): Promise<void> {
  const { data } = (await get('/webhook-endpoints', company)).body;
  for (const { id, url } of data) {
    if (url === hangingUrl(company)) await call(company, 'DELETE', `/webhook-endpoints/${id}`, { alone: false });
  }
}

type Due = { company: string; id: string; accepts: boolean };
const due = (most: number, share: number, taking: string[] = [], others: string[] = []): Promise<Due[]> =>
  testService.query('select company_id as company, endpoint_id as id, accepts from due_webhooks($1, $2, $3, $4)', [
    most,
    share,
    taking,
    others,
  ]) as Promise<Due[]>;

describe('due endpoints', () => {
  beforeEach(async () => {
    await testService.query(`update webhook_endpoints set disabled_because = 'requested'`);
    await testService.query(`update webhook_endpoints set disabled_because = null where id = $1`, [here.endpoint.id]);
    await makeHanging('childA', 5);
    await group(`Due ${Math.random()}`);
    await group(`Due ${Math.random()}`, 'childA');
  });

  test('alternate between companies, with at most the share of each', async () => {
    const found = await due(100, 2);
    expect(found.filter(({ company }) => company === companies.childA)).toHaveLength(2);
    expect(found.map(({ id }) => id)).toContain(here.endpoint.id);
    const two = await due(2, 20);
    expect(new Set(two.map(({ company }) => company))).toEqual(new Set([companies.childA, companies.tenant]));
  });

  test('begin with the endpoint whose last attempt (or creation) is the longest ago', async () => {
    const [first] = await due(1, 20);
    expect(first!.id).toBe(here.endpoint.id);
  });

  test('exclude companies whose slots are in use, separately for accepting and other endpoints', async () => {
    const ofChild = async (taking: string[], others: string[]) =>
      (await due(100, 20, taking, others)).filter(({ company }) => company === companies.childA).length;
    expect(await ofChild([], [companies.childA])).toBe(0);
    expect(await ofChild([companies.childA], [])).toBe(5);
    const took = 'update webhook_endpoints set last_status = 204, last_tried_at = now() where url = $1';
    await testService.query(took, [hangingUrl('childA')]);
    expect(await ofChild([], [companies.childA])).toBe(5);
    expect(await ofChild([companies.childA], [])).toBe(0);
  });
});

test('companies that keep creating hanging endpoints do not delay the events of another company', async () => {
  const { logger } = createLogs('silent');
  const { pool, access, secrets } = here;
  const rules = { ports: [], ownHosts: [], allowedNetworks: [], allowsLoopback: true };
  const send = createWebhookSender(rules, { timeoutMs: HANG_MS });
  for (const company of ATTACKERS) await makeHanging(company);
  const workers = Array.from({ length: WORKERS }, () =>
    startWebhookPoller({ pool, access, logger, secrets, post: send, recordReads }),
  );
  const over = new AbortController();
  const attacks = ATTACKERS.map(async (company) => {
    while (!over.signal.aborted) {
      await removeHanging(company);
      await makeHanging(company);
    }
  });
  while (ATTACKERS.some((company) => most[company] !== 4 * WORKERS)) await sleep(20);
  for (let round = 1; round <= 3; round++) {
    await call('tenant', 'POST', '/groups', { body: { name: `Meanwhile ${round}` }, alone: false });
    while (here.received.length < round) await sleep(20);
  }
  over.abort();
  await Promise.all(attacks);
  expect(most).toEqual(Object.fromEntries(ATTACKERS.map((company) => [company, 4 * WORKERS])));
  const stopped = workers.map((worker) => worker.stop());
  hangingServer.closeAllConnections();
  await Promise.all(stopped);
});

test('a hanging endpoint gets one event at a time, and an accepting one gets several', async () => {
  for (let number = 0; number < 6; number++) await group(`Several ${number} ${Math.random()}`);
  // Transactions of other tests can delay the log for a moment.
  while ((await get('/events')).body.data.events.length < 6) await sleep(20);
  let [sent, open, atOnce] = [0, 0, 0];
  // After a failure, one delivery precedes the others. Each of these waits until four are open, or 10 s.
  const slow = async () => {
    atOnce = Math.max(atOnce, ++open);
    const deadline = Date.now() + (sent++ ? 10_000 : 0);
    while (atOnce < 4 && Date.now() < deadline) await sleep(5);
    await sleep(20);
    open -= 1;
    return { status: 204, failure: null, retryAfter: undefined, text: '' } as const;
  };
  let tries = 0;
  const hangs = async () => {
    tries += 1;
    return { status: null, failure: 'timed_out', retryAfter: undefined, text: '' } as const;
  };
  while (tries === 0) await here.turn(hangs);
  expect(tries).toBe(1);
  await here.later();
  while (await here.turn(slow));
  expect(atOnce).toBe(4);
});
