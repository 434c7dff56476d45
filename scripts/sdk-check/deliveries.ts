import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { signedHeaders } from '../../src/resources/webhooks/sending/signing.ts';
import { Failed } from './commands.ts';
import type { DemoService } from './demo-service.ts';

const WAIT_MS = 20_000;
const HOUR_S = 3600;

/** A request that is posted to a receiver. */
export interface Delivery {
  name: string;
  headers: Record<string, string>;
  body: Buffer;
  /** True if the receiver must accept the request. */
  isGood: boolean;
}

export interface Recording {
  secret: string;
  deliveries: Delivery[];
}

type Sent = Pick<Delivery, 'headers' | 'body'>;

/**
 * Makes the demo send events. Returns the events, which receivers must accept, and altered copies, which they must
 * reject.
 */
export async function recordDeliveries(service: DemoService): Promise<Recording> {
  const waiting: ((sent: Sent) => void)[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      response.writeHead(204).end();
      const kept = Object.entries(request.headers).filter(([name]) => /^(webhook-|content-type$)/.test(name));
      waiting.shift()?.({ headers: Object.fromEntries(kept) as Record<string, string>, body });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { id, secret } = await call<{ id: string; secret: string }>(service, 'POST', '/webhook-endpoints', { url });
    const nextOf = async (name: string) => {
      const sent = new Promise<Sent>((resolve, reject) => {
        waiting.push(resolve);
        setTimeout(() => reject(new Failed('the demo has sent no event')), WAIT_MS).unref();
      });
      await call(service, 'POST', '/groups', { name });
      return sent;
    };
    const first = await nextOf(`Größe “1” of ${id}`);
    await call(service, 'POST', `/webhook-endpoints/${id}/rotate`);
    const second = await nextOf(`Of two secrets ${id}`);
    await call(service, 'DELETE', `/webhook-endpoints/${id}`);
    return { secret, deliveries: [...good(first, second), ...bad(first, secret)] };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function good(first: Sent, second: Sent): Delivery[] {
  return [
    { name: 'a delivery', ...first, isGood: true },
    { name: 'the same delivery again', ...first, isGood: true },
    { name: 'a delivery that two secrets have signed', ...second, isGood: true },
  ];
}

function bad(sent: Sent, secret: string): Delivery[] {
  const body = Buffer.from(sent.body);
  body[body.length - 3]! ^= 1;
  const { headers } = sent;
  const [id, timestamp] = [headers['webhook-id']!, Number(headers['webhook-timestamp'])];
  const signedAt = (seconds: number) => ({
    ...headers,
    ...signedHeaders([secret], { id, timestamp: seconds, body: sent.body.toString() }),
  });
  return [
    { name: 'a changed byte', headers, body, isGood: false },
    { name: 'an old timestamp, signed', ...sent, headers: signedAt(timestamp - HOUR_S), isGood: false },
    { name: 'a timestamp in the future, signed', ...sent, headers: signedAt(timestamp + HOUR_S), isGood: false },
    { name: 'another id', ...sent, headers: { ...headers, 'webhook-id': 'another' }, isGood: false },
    { name: 'no signature', ...sent, headers: { ...headers, 'webhook-signature': '' }, isGood: false },
  ];
}

async function call<T>({ url, key }: DemoService, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Failed(`${method} ${path} returned ${await answer.text()}`);
  return ((await answer.json()) as { data: T }).data;
}
