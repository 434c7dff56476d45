/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import pg from 'pg';
import { ApiError } from '../../src/contract/errors.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { createOAuth } from '../../src/oauth/oauth.ts';
import {
  ask,
  authorize,
  Browser,
  connect,
  expectRefusalPage,
  expectRefused,
  pkce,
  REDIRECT,
  site,
  textOf,
} from './oauth-support.ts';

const ADDRESS = 'https://client.example/oauth/client.json';

let server: Server;
let pool: pg.Pool;
/** Responses by URL, and the URLs that were requested. */
const documents = new Map<string, Response>();
const fetched: string[] = [];
/** Whether the limit of anonymous requests is reached. */
let isTooMuch = false;

const fetchDocument = (async (url: string) => {
  fetched.push(url);
  return documents.get(url) ?? new Response('', { status: 404 });
}) as typeof fetch;

/** Starts a second server on the same database, with documents from the tests. */
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: testService.database.serviceUrl, max: 3 });
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const oauth = createOAuth({
    config: { publicUrl: url, oauthSecrets: ['of-the-tests'.repeat(3)], corsOrigins: [] },
    pool,
    logger: createLogs('silent').logger,
    readiness: { ready: true, started: true },
    countFailure: () => Promise.resolve(),
    countAnonymous: async () => {
      if (isTooMuch) throw new ApiError('rate_limited', 'Too many requests.');
    },
    fetchDocument,
  });
  const app = express();
  app.disable('x-powered-by');
  app.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store');
    next();
  });
  app.use(oauth.routes);
  server.on('request', app);
  site.server = site.name = url;
});
afterAll(async () => {
  server.close();
  await pool.end();
});

function publish(address: string, document: unknown): void {
  documents.set(address, new Response(JSON.stringify(document), { headers: { 'cache-control': 'max-age=0' } }));
}

let made = 0;
/** Publishes a document at a new URL. */
function published(document: Record<string, unknown>): string {
  made += 1;
  const address = `${ADDRESS}?${made}`;
  publish(address, { client_id: address, client_name: 'By document', redirect_uris: [REDIRECT], ...document });
  return address;
}

test('a client with a metadata document connects, and the page names the host of the document', async () => {
  const clientId = published({ token_endpoint_auth_method: 'none', grant_types: ['authorization_code'] });
  const browser = await new Browser().open(await authorize(clientId, pkce().challenge));
  expect(textOf(browser.page!)).toContain('“By document” asks');
  expect(browser.page!.text).toContain('<strong>client.example</strong>');
  const tokens = await connect('tenant', clientId);
  expect(tokens.access).toMatch(/^[\w-]{43}$/);
  expect(fetched.filter((url) => url === clientId)).toHaveLength(1);
});

test('a document with loopback redirects can use any port, and its other fields are ignored', async () => {
  const clientId = published({
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    application_type: 'web',
    default_max_age: 10,
    sector_identifier_uri: 'https://client.example/sector.json',
    jwks_uri: 'https://client.example/jwks.json',
    scope: 'everything',
  });
  const redirect_uri = 'http://127.0.0.1:51234/callback';
  const browser = await new Browser().open(await authorize(clientId, pkce().challenge, { redirect_uri }));
  expect(browser.page!.text).toContain('class="warning"');
  expect(fetched.filter((url) => /sector|jwks/.test(url))).toEqual([]);
});

describe('a metadata document is rejected', () => {
  test.each<[string, Record<string, unknown>]>([
    ['that names another client', { client_id: 'https://client.example/other.json' }],
    ['without redirects', { redirect_uris: undefined }],
    ['with a redirect without TLS', { redirect_uris: [REDIRECT, 'http://evil.example/'] }],
    ['with a script as a redirect', { redirect_uris: ['javascript:alert(1)'] }],
    ['with a network share as a redirect', { redirect_uris: [REDIRECT, 'smb://evil.example/share'] }],
    ['with a secret', { client_secret: 'secret' }],
    ['with secret authentication', { token_endpoint_auth_method: 'client_secret_post' }],
    ['for another grant', { grant_types: ['client_credentials'] }],
  ])('%s', async (_case, document) => {
    const text = expectRefusalPage(await authorize(published(document), pkce().challenge));
    expect(text).toMatch(/document|redirect_uris|grant_types/);
  });

  test.each<[string, () => Response]>([
    ['that does not exist', () => new Response('', { status: 404 })],
    ['that redirects', () => new Response('', { status: 302, headers: { location: ADDRESS } })],
    ['that is not JSON', () => new Response('<html>')],
    ['that is a list', () => new Response('[]')],
    ['that is too large', () => new Response(JSON.stringify({ x: 'x'.repeat(100_000) }))],
  ])('%s', async (_case, answer) => {
    made += 1;
    const address = `${ADDRESS}?${made}`;
    documents.set(address, answer());
    expect(expectRefusalPage(await authorize(address, pkce().challenge))).toContain('metadata document');
  });

  test('if the redirect is not in it', async () => {
    const clientId = published({});
    expectRefusalPage(await authorize(clientId, pkce().challenge, { redirect_uri: 'https://evil.example/' }));
  });
});

describe('nothing is fetched from', () => {
  test.each([
    'https://127.0.0.1/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:127.0.0.1]/client.json',
    'https://localhost/client.json',
    'https://service.localhost/client.json',
    'https://metadata.google.internal/client.json',
    'https://printer.local/client.json',
    'https://intranet/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://2130706433/client.json',
    'https://0x7f.1/client.json',
    'https://client.example:8443/client.json',
    'https://client.example./client.json',
    'https://user@client.example/client.json',
    'https://client.example/a/../client.json',
    'https://client.example/client.json#x',
    'http://client.example/client.json',
    'ftp://client.example/client.json',
    'file:///etc/passwd',
  ])('%s', async (clientId) => {
    const before = fetched.length;
    expectRefusalPage(await authorize(clientId, pkce().challenge));
    expect(fetched).toHaveLength(before);
  });
});

test.each(['/oauth/token', '/oauth/revoke'])(
  'an IP address over the limit cannot make %s fetch a document, but can use a cached one',
  async (path) => {
    const [known, other] = [published({}), published({})];
    const form = (client_id: string) => ({ client_id, grant_type: 'refresh_token', refresh_token: 'x', token: 'x' });
    await authorize(known, pkce().challenge);
    isTooMuch = true;
    try {
      expectRefused(await ask(path, { form: form(other) }), 'rate_limited', 429);
      expect((await ask(path, { form: form(known) })).status).not.toBe(429);
    } finally {
      isTooMuch = false;
    }
    expect(fetched).toContain(known);
    expect(fetched).not.toContain(other);
  },
);

test('an approval continues after its document has left the cache', async () => {
  const clientId = published({});
  const browser = await new Browser().open(await authorize(clientId, pkce().challenge));
  // More than the cache holds.
  const others = Array.from({ length: 250 }, () => published({}));
  await Promise.all(others.map((other) => authorize(other, pkce().challenge)));
  publish(clientId, { client_id: clientId, client_name: 'By document', redirect_uris: [REDIRECT] });
  expect((await browser.load()).status).toBe(200);
  expect(fetched.filter((url) => url === clientId)).toHaveLength(2);
});
