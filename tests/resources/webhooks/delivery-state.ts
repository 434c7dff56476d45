import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { SealedSecrets } from '../../../src/auth/sealed-secrets.ts';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { deliverWebhooks } from '../../../src/resources/webhooks/delivery/deliver-webhooks.ts';
import { createReadRecorder } from '../../../src/resources/webhooks/delivery/webhook-poller.ts';
import { createWebhookSender, type PostWebhook } from '../../../src/resources/webhooks/sending/post-webhook.ts';
import { get, post } from '../../support/client.ts';
import { SECRETS_KEY } from '../../support/world-sources.ts';
import { companies } from '../../support/world.ts';

export const recordReads = createReadRecorder();

export interface Received {
  headers: Record<string, string>;
  body: string;
  id: string;
}

type Answer = [status: number, headers?: Record<string, string>, body?: string];

/** An endpoint, its receiver and the deliveries of a worker, which tests run explicitly. */
export class Deliveries {
  readonly pool = openServicePool(4);
  readonly access = new TenantAccess(this.pool);
  readonly secrets = new SealedSecrets([Buffer.from(SECRETS_KEY, 'base64')]);
  readonly send = createWebhookSender(
    { ports: [], ownHosts: [], allowedNetworks: [], allowsLoopback: true },
    { timeoutMs: 1000 },
  );
  received: Received[] = [];
  answer: (one: Received) => Answer = () => [204];
  endpoint!: { id: string; secret: string };

  readonly #receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = request.headers as Record<string, string>;
      const one = { headers, body, id: headers['webhook-id']! };
      this.received.push(one);
      const [status, more, answered = 'thanks'] = this.answer(one);
      response.writeHead(status, more).end(answered);
    });
  });

  async listen(): Promise<void> {
    await once(this.#receiver.listen(0, '127.0.0.1'), 'listening');
  }

  async close(): Promise<void> {
    this.#receiver.close();
    await this.pool.end();
  }

  /** Creates an endpoint, empties the log and accepts every delivery. */
  async begin(): Promise<void> {
    [this.received, this.answer] = [[], () => [204]];
    await testService.query('delete from events');
    await this.make();
  }

  /** Deletes the endpoints that tests created. */
  async end(): Promise<void> {
    await testService.query(`delete from webhook_endpoints where url like 'http:%'`);
  }

  get port(): number {
    return (this.#receiver.address() as AddressInfo).port;
  }

  async make(fields: object = {}, key: 'tenant' | 'msp' = 'tenant'): Promise<void> {
    this.#company = companies[key];
    const url = `http://127.0.0.1:${this.port}/hook`;
    this.endpoint = (await post('/webhook-endpoints', { url, ...fields }, key)).body.data;
  }

  #company: string = companies.tenant;

  readonly turn = (post: PostWebhook = this.send): Promise<boolean> =>
    deliverWebhooks(this.access.ofJob(this.#company), this.endpoint.id, {
      post,
      secrets: this.secrets,
      recordReads,
    });

  /** Delivers until `count` requests were received. Transactions of other tests can delay the log for a moment. */
  async turnsUntil(count: number): Promise<void> {
    const begun = Date.now();
    while (this.received.length < count && Date.now() - begun < 30_000) if (!(await this.turn())) await sleep(20);
    expect(this.received).toHaveLength(count);
  }

  async state(): Promise<any> {
    return (await get('/webhook-endpoints')).body.data.find(({ id }: any) => id === this.endpoint.id);
  }

  /** Ends all pauses and makes all retries due. */
  async later(): Promise<void> {
    await testService.query(`update webhook_endpoints set paused_until = null`);
    await testService.query(`update webhook_retries set next_try_at = now()`);
  }
}

/** Creates a group, which emits an event. */
export async function group(name: string, key: 'tenant' | 'childA' = 'tenant'): Promise<string> {
  return (await post('/groups', { name }, key)).body.data.id as string;
}
