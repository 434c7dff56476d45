import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SealedSecrets } from '../../../src/auth/sealed-secrets.ts';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { deliverWebhooks } from '../../../src/resources/webhooks/delivery/deliver-webhooks.ts';
import { createWebhookSender } from '../../../src/resources/webhooks/sending/post-webhook.ts';
import { post } from '../../support/client.ts';
import { SECRETS_KEY } from '../../support/world-sources.ts';
import { companies, type CompanyName, type KeyName } from '../../support/world.ts';
import { recordReads } from './delivery-state.ts';
import { settled } from '../events/event-state.ts';

export interface Endpoint {
  id: string;
  secret: string;
  company: CompanyName;
}

/** Starts a loopback server for the endpoints of tests. The test file needs `"WEBHOOKS_ALLOW_LOOPBACK": "yes"`. */
export async function startReceiver() {
  const pool = openServicePool(4);
  const access = new TenantAccess(pool);
  const secrets = new SealedSecrets([Buffer.from(SECRETS_KEY, 'base64')]);
  const send = createWebhookSender(
    { ports: [], ownHosts: [], allowedNetworks: [], allowsLoopback: true },
    { timeoutMs: 1000 },
  );
  let bodies: string[] = [];
  const receiver = {
    /** Returns the status of the response. */
    answer: (_body: string): number => 204,

    async make(fields: object = {}, company: CompanyName & KeyName = 'tenant'): Promise<Endpoint> {
      const { port } = server.address() as AddressInfo;
      const { status, body } = await post(
        '/webhook-endpoints',
        { url: `http://127.0.0.1:${port}/`, ...fields },
        company,
      );
      expect({ status, error: body.error }).toEqual({ status: 200 });
      return { ...(body.data as { id: string; secret: string }), company };
    },

    /** Sends all events that can be sent to the endpoint now, and returns their types and data. */
    async eventsOf(endpoint: Endpoint): Promise<[type: string, data: Record<string, string>][]> {
      await settled();
      bodies = [];
      await receiver.deliver(endpoint);
      return bodies.map((body) => JSON.parse(body)).map(({ type, data }) => [type, data]);
    },

    /** Sends all events that can be sent now. */
    async deliver({ id, company }: Endpoint): Promise<void> {
      const turn = () => deliverWebhooks(access.ofJob(companies[company]), id, { post: send, secrets, recordReads });
      while (await turn());
    },

    async stop(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await pool.end();
    },
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      response.writeHead(receiver.answer(body)).end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return receiver;
}
