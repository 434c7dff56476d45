import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Client, type ClientOptions, createClient } from '../../sdk/src/index.ts';
import { type KeyName, keys } from '../support/world.ts';

export const sdkFolder = join(import.meta.dirname, '../../sdk');

/** Creates a client of the running service. */
export function clientOf(key: KeyName = 'tenant', options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: testService.url, apiKey: keys[key], ...options });
}

/** Returns the error with which a call rejects. */
export async function failureOf(call: Promise<unknown>): Promise<any> {
  const answer = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (answer === null) throw new Error('the call succeeds');
  return answer;
}

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: Buffer;
  at: number;
}

export interface Loopback {
  url: string;
  requests: Received[];
}

type Script = (response: ServerResponse, number: number) => void;

const servers = new Set<Server>();

/** Starts a server that answers each request by the next script, and further requests by the last script. */
export async function loopback(...scripts: Script[]): Promise<Loopback> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks), at: performance.now() });
      scripts[Math.min(requests.length, scripts.length) - 1]!(response, requests.length);
    });
  });
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Stops the servers that `loopback` has started; for afterEach. */
export function stopLoopbacks(): void {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers.clear();
}

export const KEY = 'sk_sdktest00000_0123456789abcdef';

export function loopbackClient({ url }: Loopback, options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: url, apiKey: KEY, ...options });
}

/** Returns a script that responds with JSON, as the service does. */
export function answers(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

export const succeeds = answers(200, { data: { success: true } });

export function fails(status: number, code: string, headers: Record<string, string> = {}): Script {
  return answers(status, { error: { code, message: `It is ${code}.`, details: [] } }, headers);
}

export const stalls: Script = () => undefined;

/** A script that announces a long body and breaks the connection within the body. */
export const breaks: Script = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data": [');
  setTimeout(() => response.destroy(), 20);
};

export const hangsUp: Script = (response) => response.destroy();
