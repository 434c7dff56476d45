import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createWebhookSender } from '../../src/resources/webhooks/sending/post-webhook.ts';

const rules = { ports: [8443], ownHosts: [], allowedNetworks: [], allowsLoopback: true };
const send = createWebhookSender(rules);

let answer: RequestListener;
let received: { body: string; header: string | undefined }[];
let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, header: request.headers['webhook-id'] as string | undefined });
      answer(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
beforeEach(() => (received = []));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const post = (sender = send) => sender(url, { 'webhook-id': 'one' }, '{"größe":1}');

test('the receiver gets exactly the given bytes', async () => {
  answer = (_request, response) => response.writeHead(200).end('x'.repeat(5000));
  expect(await post()).toMatchObject({ status: 200, failure: null, text: 'x'.repeat(2048) });
  expect(received).toEqual([{ body: '{"größe":1}', header: 'one' }]);
});

test('a connection is reused, and a connection that the receiver closed between events causes no failure', async () => {
  const ports = new Set<number | undefined>();
  answer = (request, response) => {
    ports.add(request.socket.remotePort);
    response.writeHead(204).end();
  };
  await post();
  await post();
  expect(ports.size).toBe(1);
  server.closeIdleConnections();
  expect(await post()).toMatchObject({ status: 204 });
  expect(ports.size).toBe(2);
});

test('a redirect is returned, not followed', async () => {
  answer = (_request, response) => response.writeHead(307, { location: url }).end();
  expect(await post()).toMatchObject({ status: 307 });
  expect(received).toHaveLength(1);
});

test('Retry-After is returned', async () => {
  answer = (_request, response) => response.writeHead(429, { 'retry-after': '120' }).end();
  expect(await post()).toMatchObject({ status: 429, retryAfter: '120' });
});

test('a receiver that never responds causes a time-out', async () => {
  answer = () => undefined;
  const impatient = createWebhookSender(rules, { timeoutMs: 200 });
  expect(await post(impatient)).toMatchObject({ status: null, failure: 'timed_out' });
});

test('a response without an end stops at the time-out, and its status counts', async () => {
  answer = (_request, response) => {
    response.writeHead(200);
    const drops = setInterval(() => response.write('.'), 100);
    response.once('close', () => clearInterval(drops));
  };
  expect(await post(createWebhookSender(rules, { timeoutMs: 3000 }))).toMatchObject({ status: 200 });
});

test('less than 20 MB of an endless response is read', async () => {
  let written = 0;
  answer = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000))) written += 10_000;
    };
    response.writeHead(200).on('drain', more);
    more();
  };
  expect(await post()).toMatchObject({ status: 200 });
  expect(written).toBeLessThan(20_000_000);
});

test('a connection closed without a response is connection_failed', async () => {
  answer = (request) => request.socket.destroy();
  expect(await post()).toMatchObject({ status: null, failure: 'connection_failed' });
});

test('nothing is sent to the loopback address if it is not allowed', async () => {
  const guarded = createWebhookSender({ ...rules, allowsLoopback: false });
  expect(await guarded(url, {}, '{}')).toMatchObject({ status: null, failure: 'refused_address' });
  expect(received).toEqual([]);
});

test('a proxy set in the environment is ignored', async () => {
  process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1';
  answer = (_request, response) => response.writeHead(204).end();
  expect(await post()).toMatchObject({ status: 204 });
  delete process.env.HTTP_PROXY;
  delete process.env.http_proxy;
});
