import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SealedSecrets } from '../../src/auth/sealed-secrets.ts';
import { signatureOf } from '../resources/sources/deliveries.ts';
import { until } from '../support/until.ts';
import { keys } from '../support/world.ts';
import { identityProviderId } from '../support/world-identity-providers.ts';
import { SECRETS_KEY, sourceId } from '../support/world-sources.ts';
import { run, type Service, startService, statusOf, stopServices } from './support.ts';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

const [OLD, NEW] = [SECRETS_KEY, randomBytes(32).toString('base64')];
const received: Received[] = [];
const receiver = createServer((request, response) => {
  void text(request).then((body) => {
    received.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
});
beforeAll(() => once(receiver.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => receiver.close());
afterEach(stopServices);

async function start(secretsKey: string): Promise<Service> {
  const service = await startService({
    ...{ DATABASE_URL: testService.database.serviceUrl, ROLES: 'api,worker', LOG_LEVEL: 'error' },
    ...{ SECRETS_KEY: secretsKey, WEBHOOKS_ALLOW_LOOPBACK: 'yes', RATE_LIMIT_PER_MINUTE: '0' },
  });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

async function stop({ child, exit }: Service): Promise<void> {
  child.kill('SIGTERM');
  await exit;
}

/** Calls the API with the tenant's key, expects success, and returns the data. */
async function call({ url }: Service, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const answer = (await response.json()) as { data: Record<string, unknown>; error?: object };
  expect({ path, status: response.status, error: answer.error }).toEqual({ path, status: 200 });
  return answer.data;
}

/** Sends an event as GoPhish does, whose signature the service verifies with the sealed secret of the source. */
async function sendGophish({ url }: Service): Promise<number> {
  const body = JSON.stringify({
    campaign_id: 7,
    email: 'nobody@tenant.test',
    time: '2026-05-04T09:30:00Z',
    message: 'x',
  });
  const headers = { 'content-type': 'application/json', 'x-gophish-signature': signatureOf(body) };
  const path = `${url}/sources/${sourceId('tenant', 'gophish')}/gophish`;
  return (await fetch(path, { method: 'POST', headers, body })).status;
}

/** Reports whether a delivery is signed with one of the secrets. */
function isSigned({ headers, body }: Received, secrets: readonly string[]): boolean {
  const message = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body}`;
  const signatures = (headers['webhook-signature'] as string).split(' ');
  return secrets.some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return signatures.includes(`v1,${createHmac('sha256', key).update(message).digest('base64')}`);
  });
}

const sealedValues = () =>
  testService.query(
    `select id, sealed_secret as sealed from sources where sealed_secret is not null
     union all select id, previous_sealed from sources where previous_sealed is not null
     union all select id, sealed_secret from webhook_endpoints
     union all select id, previous_sealed from webhook_endpoints where previous_sealed is not null
     union all select id, sealed_client_secret from identity_providers where sealed_client_secret is not null`,
  );

test('SECRETS_KEY changes while processes run, and the old key can then be removed', async () => {
  const provider = identityProviderId('tenant');
  const sealed = new SealedSecrets([Buffer.from(OLD, 'base64')]).seal('secret of the client', provider);
  await testService.query('update identity_providers set sealed_client_secret = $1 where id = $2', [sealed, provider]);

  // The processes restart one after the other, so each must open secrets that the other seals.
  const [older, newer] = await Promise.all([start(`${OLD},${NEW}`), start(`${NEW},${OLD}`)]);
  const { port } = receiver.address() as AddressInfo;
  const endpoint = await call(older, 'POST', '/webhook-endpoints', {
    ...{ url: `http://127.0.0.1:${port}/`, types: ['group.created'] },
  });
  const secrets = [endpoint.secret as string];
  const created: unknown[] = [];
  expect(await sendGophish(older)).toBe(200);

  let isResealing = true;
  const use = async (round: number): Promise<void> => {
    const service = [older, newer][round % 2]!;
    created.push((await call(service, 'POST', '/groups', { name: `During round ${round}` })).id);
    expect(await sendGophish(service)).toBe(200);
    // A rotation seals a new secret while the command reads and replaces the previous one.
    if (round % 3 === 0)
      secrets.push(
        (await call(service, 'POST', `/webhook-endpoints/${endpoint.id as string}/rotate`)).secret as string,
      );
  };
  const traffic = (async () => {
    for (let round = 0; isResealing || round < 6; round += 1) await use(round);
  })();
  const reseal = () =>
    run(['src/commands/keys.ts', 'reseal'], {
      DATABASE_OWNER_URL: testService.database.ownerUrl,
      SECRETS_KEY: `${NEW},${OLD}`,
    });
  expect(await reseal()).toMatchObject({ code: 0 });
  isResealing = false;
  await traffic;
  await stop(older);
  // Reseals the secrets that the older process has sealed during the first run.
  expect(await reseal()).toMatchObject({ code: 0 });
  expect((await reseal()).stdout).toBe('0 secrets encrypted with the new key.\n');
  await until(() => received.length >= created.length);
  await stop(newer);

  const last = await start(NEW);
  created.push((await call(last, 'POST', '/groups', { name: 'Without the old key' })).id);
  expect(await sendGophish(last)).toBe(200);
  await call(last, 'POST', `/webhook-endpoints/${endpoint.id as string}/rotate`);
  await until(() => created.every((id) => received.some(({ body }) => body.includes(id as string))));
  expect(received.filter((one) => !isSigned(one, secrets))).toEqual([]);
  const only = new SealedSecrets([Buffer.from(NEW, 'base64')]);
  for (const { id, sealed: value } of await sealedValues()) only.open(value as Buffer, id as string);
  const [row] = await testService.query('select sealed_client_secret as sealed from identity_providers where id = $1', [
    provider,
  ]);
  expect(only.open(row!.sealed as Buffer, provider)).toBe('secret of the client');
});
