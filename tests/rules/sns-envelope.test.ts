import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { confirmSubscription } from '../../src/bounce-webhook/sns-envelope.ts';
import { createConnector } from '../../src/outbound/connector.ts';
import { createFetch } from '../../src/outbound/fetch.ts';
import { Authority } from '../support/certificates.ts';

const HOST = 'sns.eu-west-1.amazonaws.com';

test('a subscription is confirmed over TLS, and a refusal is noticed', async () => {
  const authority = await Authority.create();
  const visits: string[] = [];
  const server = createServer(await authority.certify({ type: 'dns', value: HOST }), (request, response) => {
    visits.push(request.url!);
    response.writeHead(request.url === '/?Token=good' ? 200 : 403).end('<xml/>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const resolve = async () => ['127.0.0.1'];
  const fetch = createFetch(createConnector({ allowedNetworks: ['127.0.0.1'], ca: authority.pem, resolve }));
  expect(await confirmSubscription(fetch, `https://${HOST}:${port}/?Token=good`)).toBe(true);
  expect(await confirmSubscription(fetch, `https://${HOST}:${port}/?Token=old`)).toBe(false);
  expect(visits).toEqual(['/?Token=good', '/?Token=old']);
  server.close();
});
