// Metadata is read as in production: over TLS, and through the connector, which reaches no private network except this
// machine's.
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { SamlMetadata } from '../../src/identity/providers/saml-metadata.ts';
import { SignInFault } from '../../src/identity/providers/sign-in-fault.ts';
import { createConnector } from '../../src/outbound/connector.ts';
import { createFetch } from '../../src/outbound/fetch.ts';
import { Authority, certifySelf } from '../support/certificates.ts';
import { buildMetadata } from '../support/saml-metadata.ts';
import { createSamlKey, PROVIDER_ID, type SamlKey } from '../support/saml-provider.ts';

const ADDRESS = '127.0.0.1';
const name = { type: 'ip', value: ADDRESS } as const;
const authority = await Authority.create();
const servers: Server[] = [];
let key: SamlKey;
let answer: RequestListener;

beforeAll(async () => {
  key = await createSamlKey();
});
beforeEach(() => {
  answer = (_req, res) => void res.end(buildMetadata(key));
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(certificate = authority.certify(name)): Promise<string> {
  const server = createServer(await certificate, (req, res) => answer(req, res));
  servers.push(server.listen(0, ADDRESS));
  await once(server, 'listening');
  return `https://${ADDRESS}:${(server.address() as AddressInfo).port}/metadata`;
}

function read(url: string, { allowedNetworks = [ADDRESS], timeoutSeconds = 20 } = {}) {
  const fetch = createFetch(createConnector({ allowedNetworks, ca: authority.pem }));
  return new SamlMetadata({ fetch, allowsHttp: false, timeoutSeconds }).fetch(url);
}

/** Returns the reason for a failure. */
async function fail(...args: Parameters<typeof read>): Promise<string> {
  const outcome: unknown = await read(...args).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(SignInFault);
  return (outcome as SignInFault).reason;
}

test('metadata is read over TLS', async () => {
  expect(await read(await serve())).toMatchObject({ entityId: PROVIDER_ID, certificates: [key.certificate] });
});

test('a certificate of an unknown authority and a private network are rejected', async () => {
  expect(await fail(await serve(certifySelf(name)))).toBe('provider_unavailable');
  expect(await fail(await serve(), { allowedNetworks: [] })).toBe('provider_unavailable');
});

test('a redirect is not followed', async () => {
  let requests = 0;
  answer = (req, res) => {
    requests += 1;
    res.writeHead(302, { location: `https://${req.headers.host}/elsewhere` }).end();
  };
  expect(await fail(await serve())).toBe('provider_unavailable');
  expect(requests).toBe(1);
});

test('a response without an end is cut off', async () => {
  let sent = 0;
  answer = (_req, res) => {
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const write = () => {
      while (!res.destroyed && res.write(chunk)) sent += chunk.length;
    };
    res.on('drain', write);
    write();
  };
  expect(await fail(await serve())).toBe('provider_unavailable');
  expect(sent).toBeLessThan(16 * 1024 * 1024);
});

test('a response that never comes ends with the timeout', async () => {
  answer = () => undefined;
  expect(await fail(await serve(), { timeoutSeconds: 0.3 })).toBe('provider_unavailable');
});

test('a web page in place of metadata is invalid', async () => {
  answer = (_req, res) => void res.end('<!doctype html><title>Not found</title>');
  expect(await fail(await serve())).toBe('response_invalid');
});
