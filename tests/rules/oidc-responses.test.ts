import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { RefusedAddressError } from '../../src/outbound/connector.ts';
import type { Fetch } from '../../src/outbound/fetch.ts';
import { Authority, certifySelf, type ServerCertificate } from '../support/certificates.ts';
import { failToSignIn, signIn, startProvider, type TestProvider } from '../support/provider-sign-in.ts';
import { type Answer, createSigningKey, type Exchange, PATHS } from '../support/scripted-provider.ts';

const key = createSigningKey('ES256');
/** Stand-in for a private address that the connector does not allow. */
const INNER = '127.0.0.2';
const JSON_TYPE = { 'content-type': 'application/json' };

let started: TestProvider;
let exchange: Exchange;
let inner: Server;
let innerConnections = 0;
let port: number;
/** Responses that the provider has started and the client must close. */
let open: Promise<unknown>[];

beforeAll(async () => {
  started = await startProvider();
  port = Number(new URL(started.provider.issuer).port);
  inner = createServer(() => (innerConnections += 1));
  await once(inner.listen(port, INNER), 'listening');
});
beforeEach(() => {
  started.provider.prepare(key);
  ({ exchange } = started.provider);
  open = [];
});
afterAll(() => {
  expect(innerConnections).toBe(0);
  started.provider.stop();
  inner.close();
});

const answer = (status: number, type: string, body: string): Answer => {
  return (response) => void response.writeHead(status, { 'content-type': type }).end(body);
};
const redirect = (location: string): Answer => {
  return (response) => void response.writeHead(302, { location }).end();
};

/** Sends a chunk whenever the connection takes one, or at intervals, until the client closes it. */
function sendForever(response: ServerResponse, chunk: Buffer, everyMs?: number): void {
  const send = () => response.write(chunk);
  open.push(once(response, 'close'));
  response.writeHead(200, JSON_TYPE);
  if (everyMs !== undefined) {
    const timer = setInterval(send, everyMs);
    response.on('close', () => clearInterval(timer));
    return;
  }
  response.on('drain', send);
  while (send());
}

const endless: Answer = (response) => sendForever(response, Buffer.alloc(64 * 1024, ' '));
const drip: Answer = (response) => sendForever(response, Buffer.from(' '), 10);
const silent: Answer = (response) => void open.push(once(response, 'close'));
const halved: Answer = (response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': 100 }).write('{', () => response.destroy());
};
const informing: Answer = (response) => {
  const timer = setInterval(() => response.writeProcessing(), 10);
  open.push(once(response, 'close').then(() => clearInterval(timer)));
};
const raw = (text: string): Answer => {
  return (response) => void response.socket!.end(text);
};
const packed = (body: Buffer): Answer => {
  return (response) => void response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(body);
};
const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));

type Row = [name: string, reason: string, answer: Answer, isImpatient?: boolean];
const responses: Row[] = [
  ['text in place of JSON', 'response_invalid', answer(200, 'text/plain', 'hello')],
  ['broken JSON', 'response_invalid', answer(200, 'application/json', '{')],
  ['JSON that is not an object', 'response_invalid', answer(200, 'application/json', '[1]')],
  ['an empty object', 'response_invalid', answer(200, 'application/json', '{}')],
  ['an HTML page', 'response_invalid', answer(200, 'text/html', '<html></html>')],
  ['deeply nested JSON', 'response_invalid', answer(200, 'application/json', '['.repeat(200_000))],
  ['the status 204', 'response_invalid', (response) => void response.writeHead(204).end()],
  [
    'the status 401',
    'response_invalid',
    (response) => void response.writeHead(401, { 'www-authenticate': 'Basic' }).end(),
  ],
  ['the status 500', 'response_invalid', answer(500, 'text/plain', 'no')],
  ['the status 700', 'provider_unavailable', raw('HTTP/1.1 700 X\r\ncontent-length: 0\r\n\r\n')],
  ['a change of protocols', 'provider_unavailable', raw('HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')],
  ['bytes that are not HTTP', 'provider_unavailable', raw('\0\0\0\0')],
  [
    'a redirect to the metadata of the machine',
    'response_invalid',
    redirect('http://169.254.169.254/latest/meta-data/'),
  ],
  [
    'a redirect to a private address',
    'response_invalid',
    (response) => redirect(`https://${INNER}:${port}/`)(response),
  ],
  ['an endless body', 'provider_unavailable', endless],
  ['a slow body', 'provider_unavailable', drip, true],
  ['no headers', 'provider_unavailable', silent, true],
  ['informational responses only', 'provider_unavailable', informing, true],
  ['a body that ends early', 'provider_unavailable', halved],
  ['a body that decompresses to 20 MB', 'provider_unavailable', packed(bomb)],
  ['a body that is not compressed as announced', 'provider_unavailable', packed(Buffer.from('{}'))],
  ['a compressed body that ends early', 'provider_unavailable', packed(bomb.subarray(0, 30))],
];

describe.each(Object.entries(PATHS))('a provider whose response at %s (%s) is', (_name, path) => {
  test.each(responses)('%s signs nobody in', async (...[, reason, respond, isImpatient]) => {
    if (path === PATHS.user) exchange.claims.email = undefined;
    exchange.answers[path] = respond;
    expect((await failToSignIn(started, { isImpatient })).reason).toBe(reason);
    await Promise.all(open);
  });
});

test('a token response without an ID token signs nobody in', async () => {
  exchange.tokens.id_token = undefined;
  expect((await failToSignIn(started)).reason).toBe('response_invalid');
});

test.each(['a', 'a.b.c', 'a.b.c.d.e', 7, null, {}])('the ID token %j signs nobody in', async (token) => {
  exchange.tokens.id_token = token;
  expect((await failToSignIn(started)).reason).toBe('response_invalid');
});

const NAMES = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'];

describe.each(NAMES)('a configuration whose %s is', (name) => {
  test.each([
    ...[
      'http://127.0.0.1/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'data:application/json,{}',
      'ftp://127.0.0.1/',
    ],
    ...['/relative', 7, ['https://127.0.0.1/']],
  ])('%j signs nobody in', async (address) => {
    if (name === 'userinfo_endpoint') exchange.claims.email = undefined;
    exchange.metadata[name] = address;
    expect((await failToSignIn(started)).reason).toBe('response_invalid');
  });
});

describe.each(NAMES.slice(1))('a configuration whose %s is at the private address', (name) => {
  test.each([INNER, '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:127.0.0.2]', '2130706434', '0.0.0.0'])(
    '%s signs nobody in and reaches nothing',
    async (host) => {
      exchange.claims.email = undefined;
      exchange.metadata[name] = `https://${host}:${port}/`;
      const fault = await failToSignIn(started);
      expect(fault).toMatchObject({
        reason: 'provider_unavailable',
        cause: expect.any(RefusedAddressError) as unknown,
      });
    },
  );
});

test.each([
  ['issuer', 'https://attacker.test'],
  ['issuer', 7],
  ['issuer', undefined],
  ['jwks_uri', undefined],
])('a configuration with the %s %j signs nobody in', async (name, value) => {
  exchange.metadata[name] = value;
  expect((await failToSignIn(started)).reason).toBe('response_invalid');
});

test.each([7, null, 'groups', {}])('lists of the configuration that are %j are ignored', async (value) => {
  Object.assign(exchange.metadata, { scopes_supported: value, token_endpoint_auth_methods_supported: value });
  expect((await signIn(started)).subject).toBe('grace');
});

test("Microsoft's configuration for any tenant signs nobody in", async () => {
  const issuer = 'https://login.microsoftonline.com';
  exchange.metadata.issuer = `${issuer}/{tenantid}/v2.0`;
  Object.assign(exchange.claims, { iss: `${issuer}/attacker/v2.0`, tid: 'attacker' });
  const wrap = (fetch: Fetch): Fetch => {
    return (url, init) => fetch((url as string).replace(`${issuer}/common/v2.0`, started.provider.issuer), init);
  };
  const fault = await failToSignIn(started, { access: { issuer: `${issuer}/common/v2.0` }, wrap });
  expect(fault.reason).toBe('response_invalid');
});

const IP = { type: 'ip', value: '127.0.0.1' } as const;
const certificates: [name: string, issue: () => Promise<ServerCertificate>, code: string][] = [
  [
    'another host',
    () => started.authority.certify({ type: 'dns', value: 'login.example.org' }),
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
  ['an unknown authority', async () => (await Authority.create()).certify(IP), 'CERT_SIGNATURE_FAILURE'],
  ['no authority', () => certifySelf(IP), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['an earlier day', () => started.authority.certifyUntilNow(IP), 'CERT_HAS_EXPIRED'],
];

test.each(certificates)('a provider with the certificate of %s gets no request', async (_name, issue, code) => {
  started.provider.present(await issue());
  const fault = await failToSignIn(started).finally(() => started.provider.present(started.certificate));
  expect(fault).toMatchObject({ reason: 'provider_unavailable', cause: { code } });
  expect(started.provider.requests).toEqual([]);
});
