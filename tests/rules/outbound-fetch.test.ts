import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createConnector, RefusedAddressError } from '../../src/outbound/connector.ts';
import { createFetch } from '../../src/outbound/fetch.ts';
import { resolveName } from '../../src/outbound/resolve-name.ts';

const read = createFetch(createConnector({ trustedHosts: ['127.0.0.1'] }));
let server: Server;
let url: string;
let received: IncomingHttpHeaders[];

beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(request.headers);
    if (request.url === '/moved') return void response.writeHead(302, { location: '/' }).end();
    if (request.url === '/empty') return void response.writeHead(204).end();
    const isPacked = request.url === '/packed';
    response.writeHead(200, { 'x-twice': ['1', '2'], ...(isPacked && { 'content-encoding': 'gzip' }) });
    response.end(isPacked ? gzipSync('größe') : 'größe');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => (received = []));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('a response has its status, headers and text', async () => {
  const response = await read(`${url}/`);
  expect([response.status, response.headers.get('x-twice'), await response.text()]).toEqual([200, '1, 2', 'größe']);
});

test('a compressed response is decompressed', async () => {
  expect(await (await read(`${url}/packed`)).text()).toBe('größe');
});

test('a response without content has a null body', async () => {
  expect((await read(`${url}/empty`)).body).toBeNull();
});

test('a redirect is returned, not followed', async () => {
  expect((await read(`${url}/moved`)).status).toBe(302);
  expect(received).toHaveLength(1);
});

test("an empty User-Agent is replaced by the service's, and others are kept", async () => {
  await read(`${url}/`, { headers: { 'user-agent': '' } });
  await read(`${url}/`, { headers: { 'user-agent': 'another' } });
  expect(received.map((headers) => headers['user-agent'])).toEqual(['security-awareness-program-service', 'another']);
});

test('a form is posted', async () => {
  const response = await read(`${url}/`, { method: 'POST', body: new URLSearchParams({ a: 'ö' }) });
  expect(response.status).toBe(200);
  expect(received.map((headers) => headers['content-length'])).toEqual(['8']);
});

test('methods other than GET and POST, and other bodies, are rejected', async () => {
  await expect(read(url, { method: 'PUT', body: '{}' })).rejects.toThrow(TypeError);
  await expect(read(url, { method: 'POST', body: new Blob(['{}']) })).rejects.toThrow(TypeError);
  expect(received).toEqual([]);
});

test('an aborted signal ends the request', async () => {
  await expect(read(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
});

test.each([
  'http://localhost/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://169.254.169.254/',
])('a document at %s is rejected unless the operator trusts its host', async (address) => {
  await expect(createFetch(createConnector())(address)).rejects.toThrow(RefusedAddressError);
});

const fail = (): never => {
  throw new Error('A name was found that nobody knows.');
};

describe('resolveName', () => {
  test('returns an address unchanged', async () => {
    expect(await resolveName('192.0.2.1')).toEqual(['192.0.2.1']);
    expect(await resolveName('2001:db8::1')).toEqual(['2001:db8::1']);
  });

  test.each(['localhost', 'LocalHost', 'localhost.'])('resolves %s as the system does', async (name) => {
    const addresses = await resolveName(name);
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(['127.0.0.1', '::1']).toContain(address);
  });

  test('rejects an unknown name with ENOTFOUND', async () => {
    await expect(resolveName('nobody.invalid')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('gives up on a silent name server without delaying other names', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    let asked = 0;
    silent.on('message', () => (asked += 1));
    const servers = [`127.0.0.1:${silent.address().port}`];
    try {
      const settled: string[] = [];
      const note = (name: string) => () => void settled.push(name);
      const hanging = Array.from({ length: 20 }, (_, n) =>
        resolveName(`hangs-${n}.test`, servers).then(fail, note('hanging')),
      );
      await resolveName('localhost').then(note('localhost'));
      await Promise.all(hanging);
      expect(settled).toEqual(['localhost', ...Array<string>(20).fill('hanging')]);
      expect(asked).toBeGreaterThanOrEqual(40);
    } finally {
      silent.close();
    }
  });
});
