import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BreachSourceError } from '../../src/resources/breaches/feed/breach-source.ts';
import { type Timeouts, Upstream } from '../../src/resources/breaches/feed/upstream.ts';
import { type ResolveName, resolveName } from '../../src/outbound/resolve-name.ts';

export const FEED_KEY = 'hush-hush-0123456789abcdef';

/** Resolves the names that nock intercepts to an address that is never connected to. */
const resolve: ResolveName = async (host) => (host.endsWith('.test') ? ['192.0.2.1'] : resolveName(host));

/** Creates an upstream with a fraction of the real timeouts. */
export function impatient(url: string, timeouts: Partial<Timeouts> = {}): Upstream {
  const short = { requestMs: 3000, questionMs: 9000, retryMs: 3, longestWaitMs: 25, breakMs: 300 };
  return new Upstream({ url, key: FEED_KEY, timeouts: { ...short, ...timeouts }, resolve });
}

/** Returns the error of a question, undefined on success. Errors can be logged, so they must not contain the key. */
export async function failureOf(question: Promise<unknown>): Promise<BreachSourceError | undefined> {
  try {
    await question;
    return undefined;
  } catch (error) {
    if (!(error instanceof BreachSourceError)) throw error;
    const texts = [error.message, error.stack, String(error.cause), JSON.stringify(error.cause)];
    expect(texts.join('\n')).not.toContain(FEED_KEY);
    return error;
  }
}

/** Builds a breach as the upstream lists it, with unused fields. */
export const listed = (Name: string, more: object = {}): object => ({
  Name,
  Title: `The ${Name} breach`,
  Domain: 'shop.test',
  BreachDate: '2024-11-17',
  AddedDate: '2024-12-01T07:26:45Z',
  PwnCount: 12_345,
  Description: '<em>Long</em>',
  DataClasses: ['Email addresses', 'Passwords'],
  IsVerified: true,
  IsStealerLog: false,
  ...more,
});

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** A real upstream on the loopback address, with configurable behaviour. */
export class FeedServer {
  /** The requested paths, in order. */
  asked: string[] = [];
  /** The headers of the last request. */
  lastHeaders: IncomingMessage['headers'] = {};
  behaviour: Behaviour = answer({});
  readonly #server: Server = createServer((request, response) => {
    this.asked.push(request.url!);
    this.lastHeaders = request.headers;
    response.on('error', () => undefined);
    this.behaviour(request, response);
  });

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Resets requests, behaviour and connections; resolves once clients have noticed. */
  async reset(): Promise<void> {
    this.asked = [];
    this.lastHeaders = {};
    this.behaviour = answer({});
    this.cutConnections();
    await sleep(10);
  }

  /** Closes every connection, including idle ones. */
  cutConnections(): void {
    this.#server.closeAllConnections();
  }

  connections(): Promise<number> {
    return new Promise((resolve) => this.#server.getConnections((_error, count) => resolve(count)));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v3`;
  }
}

/** Answers each path, such as `/breaches`, with its body, and others with 404. */
export function answer(bodies: Record<string, unknown>): Behaviour {
  return ({ url }, response) => {
    const body = bodies[url!.replace('/api/v3', '')];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(body === undefined ? '' : JSON.stringify(body));
  };
}
