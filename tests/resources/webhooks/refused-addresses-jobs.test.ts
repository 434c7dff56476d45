import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createWebhookSender, type PostWebhook } from '../../../src/resources/webhooks/sending/post-webhook.ts';
import { get } from '../../support/client.ts';
import { Authority } from '../../support/certificates.ts';
import { Deliveries, group } from './delivery-state.ts';

const HOST = 'hooks.example.org';
const SECRET = 'what only this machine can read';

const here = new Deliveries();
let inner: Server;
let port: number;
let ca: string;
let received: { headers: object }[];

beforeAll(async () => {
  await here.listen();
  const authority = await Authority.create();
  ca = authority.pem;
  inner = createServer(await authority.certify({ type: 'dns', value: HOST }), ({ headers }, response) => {
    received.push({ headers });
    response.end(SECRET);
  });
  await once(inner.listen(0, '127.0.0.1'), 'listening');
  port = (inner.address() as AddressInfo).port;
});
beforeEach(async () => {
  received = [];
  await testService.query('delete from events');
  await here.make({ url: `https://${HOST}:8443/` });
  await testService.query(`update webhook_endpoints set url = $1 where id = $2`, [
    `https://${HOST}:${port}/`,
    here.endpoint.id,
  ]);
});
afterEach(() => testService.query('delete from webhook_endpoints where id = $1', [here.endpoint.id]));
afterAll(async () => {
  inner.closeAllConnections();
  inner.close();
  await here.close();
});

/** Creates the sender of a worker for which DNS resolves the name to these addresses. */
function senderTo(addresses: string[], allowedNetworks: string[] = []): PostWebhook {
  const rules = { ports: [8443, port], ownHosts: [], allowedNetworks, allowsLoopback: false };
  return createWebhookSender(rules, { resolve: async () => addresses, ca });
}

async function deliver(post: PostWebhook): Promise<any> {
  await group(`To be sent ${Math.random()}`);
  for (;;) {
    await here.turn(post);
    const [delivery] = (await get(`/webhook-endpoints/${here.endpoint.id}/deliveries`)).body.data;
    if (delivery) return delivery;
  }
}

test.each([[['127.0.0.1']], [['::ffff:127.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['169.254.169.254']]])(
  'a host that resolves to %j gets nothing, and its deliveries have the error refused_address',
  async (addresses) => {
    expect(await deliver(senderTo(addresses))).toMatchObject({
      outcome: 'failed',
      error: 'refused_address',
      status: null,
      answer: '',
    });
    expect(received).toEqual([]);
  },
);

test('a host in an allowed network gets events, with User-Agent and Accept', async () => {
  const delivery = await deliver(senderTo(['127.0.0.1'], ['127.0.0.0/8']));
  expect(delivery).toMatchObject({ outcome: 'delivered', status: 200, answer: SECRET });
  expect(received[0]!.headers).toMatchObject({
    host: `${HOST}:${port}`,
    'user-agent': 'security-awareness-program-service',
    accept: '*/*',
    'content-type': 'application/json',
  });
});
