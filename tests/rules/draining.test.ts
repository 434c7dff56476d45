import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Draining } from '../../src/http/connection/draining.ts';

let server: Server;
let draining: Draining;
let closed: Promise<void> | undefined;

beforeEach(() => {
  draining = new Draining();
  closed = undefined;
  server = createServer((req, res) => {
    draining.add(req.socket, res);
    res.end('served');
  });
});

/** Closes the server as soon as it has accepted a connection, before it reads from it. */
async function closeOnConnection(): Promise<Socket> {
  server.on('connection', (socket) => {
    draining.connect(socket);
    draining.begin();
    closed = draining.close(server);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return connect((server.address() as AddressInfo).port, '127.0.0.1');
}

test('a request on a connection that was accepted just before the server closed is served', async () => {
  const client = await closeOnConnection();
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const answer = await text(client);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/^connection: close\r$/im);
  expect(answer).toMatch(/served/);
  await closed;
});

test('a connection without a request does not keep the server from closing', async () => {
  const client = await closeOnConnection();
  client.on('error', () => undefined);
  await once(client, 'close');
  await closed;
});
