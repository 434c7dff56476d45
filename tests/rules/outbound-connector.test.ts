import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { text } from 'node:stream/consumers';
import { type Connector, type ConnectorOptions, createConnector } from '../../src/outbound/connector.ts';
import { toWebhookFailure } from '../../src/resources/webhooks/sending/post-webhook.ts';
import { Authority } from '../support/certificates.ts';

const HOST = 'hooks.example.org';
/** Stand-in for a public address; the only address that the connectors of these tests allow. */
const ALLOWED = '127.0.0.1';
/** Stand-in for a private address, on which a server listens as well. */
const INNER = '127.0.0.2';

let authority: Authority;
const servers: Server[] = [];
let port: number;
/** The connections and requests per address, and the server names that clients requested. */
let seen: { connections: string[]; requests: string[]; names: (string | false | null)[] };

beforeAll(async () => {
  authority = await Authority.create();
  const certificate = await authority.certify({ type: 'dns', value: HOST }, { type: 'ip', value: ALLOWED });
  for (const address of [ALLOWED, INNER]) {
    const server = createServer(certificate, (request, response) => {
      seen.requests.push(address);
      seen.names.push((request.socket as TLSSocket & { servername: string | false | null }).servername);
      if (request.url === '/moved') response.writeHead(307, { location: `https://${HOST}:${port}/` });
      response.end(request.headers['user-agent']);
    });
    server.on('connection', () => seen.connections.push(address));
    await once(server.listen(port ?? 0, address), 'listening');
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
});
beforeEach(() => (seen = { connections: [], requests: [], names: [] }));
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Creates a resolver that returns one result after another, as an attacker's DNS does, then repeats the last. */
function resolveTo(...answers: string[][]) {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return answers[Math.min(asked.length, answers.length) - 1]!;
  };
  return { resolve, asked };
}

const connectorTo = (answers: string[][], options: ConnectorOptions = {}) =>
  createConnector({ allowedNetworks: [ALLOWED], ca: authority.pem, ...resolveTo(...answers), ...options });

async function ask(connector: Connector, url = `https://${HOST}:${port}/`): Promise<string> {
  return (await exchange(connector, url)).outcome;
}

/** Returns the status and body of the response, or the error if there is no response. */
async function exchange(connector: Connector, url: string): Promise<{ outcome: string; request: ClientRequest }> {
  const request = connector(url, { headers: {}, signal: AbortSignal.timeout(20_000) });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  request.end();
  const outcome = await answered.then(
    async ([response]) => `${response.statusCode} ${await text(response)}`,
    (error: unknown) => toWebhookFailure(error),
  );
  return { outcome, request };
}

describe('a host name with an allowed address', () => {
  test('is reached over TLS, verified by name, with a User-Agent', async () => {
    expect(await ask(connectorTo([[ALLOWED]]))).toBe('200 security-awareness-program-service');
    expect(seen).toEqual({ connections: [ALLOWED], requests: [ALLOWED], names: [HOST] });
  });

  test('is reached at its next address if the first does not respond', async () => {
    const allowedNetworks = [ALLOWED, '127.0.0.3'];
    expect(await ask(connectorTo([['127.0.0.3', ALLOWED]], { allowedNetworks }))).toMatch(/^200/);
  });

  test('gets no request if its certificate is for another name', async () => {
    const url = `https://other.example.org:${port}/`;
    expect(await ask(connectorTo([[ALLOWED]]), url)).toBe('tls_failed');
    expect(seen.requests).toEqual([]);
  });

  test('gets no request if its certificate comes from an unknown authority', async () => {
    const { pem: ca } = await Authority.create();
    expect(await ask(connectorTo([[ALLOWED]], { ca }))).toBe('tls_failed');
    expect(seen.requests).toEqual([]);
  });

  test('can return a redirect, which is not followed', async () => {
    expect(await ask(connectorTo([[ALLOWED]]), `https://${HOST}:${port}/moved`)).toMatch(/^307/);
    expect(seen.requests).toEqual([ALLOWED]);
  });
});

describe('no connection is made', () => {
  test.each([
    ...[INNER, '10.0.0.1', '169.254.169.254', '192.168.0.1', '0.0.0.0', '::1', 'fe80::1', 'fe80::1%lo', 'fd00::1'],
    ...['::ffff:127.0.0.2', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::7f00:1', '2002:7f00:1::', '::7f00:2'],
  ])('to a name that resolves to %s', async (address) => {
    expect(await ask(connectorTo([[address]]))).toBe('refused_address');
    expect(seen.connections).toEqual([]);
  });

  test.each([
    [[ALLOWED, INNER]],
    [[INNER, ALLOWED]],
    [[ALLOWED, '::1']],
    [[ALLOWED, '64:ff9b::7f00:2']],
    [['8.8.8.8', '10.0.0.1']],
  ])('to a name that resolves to %j', async (addresses) => {
    expect(await ask(connectorTo([addresses]))).toBe('refused_address');
    expect(seen.connections).toEqual([]);
  });

  test.each(['127.0.0.2', '2130706434', '0x7f000002', '0177.0.0.2', '127.2', '[::1]', '[::ffff:127.0.0.2]'])(
    'to the literal address %s',
    async (host) => {
      expect(await ask(connectorTo([[ALLOWED]], { resolve: undefined }), `https://${host}:${port}/`)).toBe(
        'refused_address',
      );
      expect(seen.connections).toEqual([]);
    },
  );

  test('over http to a rejected address', async () => {
    expect(await ask(connectorTo([[INNER]]), `http://${HOST}:${port}/`)).toBe('refused_address');
    expect(seen.connections).toEqual([]);
  });
});

describe('a host name whose address changes', () => {
  test('is resolved once per connection, and connected to the checked address', async () => {
    const { resolve, asked } = resolveTo([ALLOWED], [INNER]);
    const connector = connectorTo([], { resolve });
    expect(await ask(connector)).toMatch(/^200/);
    expect(asked).toEqual([HOST]);
    expect(await ask(connector)).toBe('refused_address');
    expect(seen.connections).toEqual([ALLOWED]);
  });

  test('keeps its existing connection but gets no new one', async () => {
    const connector = connectorTo([[ALLOWED], [INNER]], { keepAliveMs: 60_000 });
    expect(await ask(connector)).toMatch(/^200/);
    expect(await ask(connector)).toMatch(/^200/);
    expect(seen.connections).toEqual([ALLOWED]);
    const [server] = servers;
    server!.closeAllConnections();
    const outcomes = [await ask(connector), await ask(connector)];
    expect(outcomes.at(-1)).toBe('refused_address');
    expect(seen.requests).toEqual([ALLOWED, ALLOWED]);
  });
});

describe('the remote address of a connection', () => {
  test('is checked before the first byte, because 0.0.0.0 reaches this machine', async () => {
    let received = 0;
    const server = createTcpServer((socket) => void socket.on('data', ({ length }) => (received += length)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const closed = once(server, 'connection').then(([socket]) => once(socket, 'close'));
    const { port } = server.address() as AddressInfo;
    const connector = connectorTo([['0.0.0.0']], { allowedNetworks: ['0.0.0.0/8'] });
    expect(await ask(connector, `https://${HOST}:${port}/`)).toBe('refused_address');
    await closed;
    expect(received).toBe(0);
    server.close();
  });

  test('is checked before each request on a kept-alive connection', async () => {
    const connector = connectorTo([[ALLOWED]], { keepAliveMs: 60_000 });
    const { request } = await exchange(connector, `https://${HOST}:${port}/`);
    Object.defineProperty(request.socket, 'remoteAddress', { value: INNER });
    expect(await ask(connector)).toBe('refused_address');
    expect(seen.requests).toEqual([ALLOWED]);
  });
});

test('a trusted host can have any address, other hosts cannot', async () => {
  const connector = connectorTo([[INNER]], { trustedHosts: [HOST] });
  expect(await ask(connector)).toMatch(/^200/);
  expect(await ask(connector, `https://evil.example.org:${port}/`)).toBe('refused_address');
});
