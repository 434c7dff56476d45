import { type ChildProcess, spawn } from 'node:child_process';
import { type IncomingHttpHeaders, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { until } from '../support/until.ts';

export const KEY = 'sk_bridgetest00_0123456789abcdef/+~.==';
export const bridgeFolder = join(import.meta.dirname, '../../bridge');
const file = join(bridgeFolder, 'bridge.mjs');

export interface Received {
  method: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: any;
  response: ServerResponse;
  /** Reports whether the bridge broke the connection before the response was complete. */
  isBroken(): boolean;
}

export interface ToolServer {
  url: string;
  requests: Received[];
}

type Script = (request: Received) => void;

const servers = new Set<Server>();
const running = new Set<ChildProcess>();

/** Stops everything that a test has started; for afterEach. */
export function stopAll(): void {
  for (const child of running) child.kill('SIGKILL');
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  running.clear();
  servers.clear();
}

/** Starts a tool server that answers by a script; by default with the id and the method of each request. */
export async function startToolServer(script: Script = echo): Promise<ToolServer> {
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', headers } = request;
      const isBroken = () => response.destroyed && !response.writableFinished;
      const received = { method, headers, text, body: text === '' ? undefined : JSON.parse(text), response, isBroken };
      requests.push(received);
      script(received);
    });
  });
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, requests };
}

export function result(id: unknown, value: unknown = {}): { jsonrpc: string; id: unknown; result: unknown } {
  return { jsonrpc: '2.0', id, result: value };
}

export function answer({ response }: Received, status: number, body?: unknown, headers: object = {}): void {
  const type = typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  response.writeHead(status, { ...type, ...headers });
  response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
}

/** Responds with a stream of these strings. */
export function stream({ response }: Received, ...texts: (string | Buffer)[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (const text of texts) response.write(text);
  response.end();
}

/** Responds byte by byte. */
export async function drip({ response }: Received, type: string, text: string): Promise<void> {
  response.writeHead(200, { 'content-type': type });
  for (const byte of Buffer.from(text)) {
    response.write(Buffer.from([byte]));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  response.end();
}

export function event(message: unknown): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

export const echo: Script = (received) => {
  const messages = [received.body].flat().filter((message) => message.id !== undefined && message.method);
  const answers = messages.map(({ id, method }) => result(id, { method }));
  if (answers.length === 0) return answer(received, 202);
  answer(received, 200, Array.isArray(received.body) ? answers : answers[0]);
};

export function request(id: unknown, method = 'ping', params?: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

export function toolCall(id: unknown, name: unknown, version = '2026-07-28'): Record<string, unknown> {
  return request(id, 'tools/call', { name, _meta: { 'io.modelcontextprotocol/protocolVersion': version } });
}

export function cancellation(requestId: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

export interface BridgeOptions {
  env?: Record<string, string>;
  args?: string[];
  /** Milliseconds after which the bridge's one-minute timers fire. */
  minuteMs?: number;
  /** Module that runs before the bridge. */
  preload?: string;
}

/** Runs the bridge as clients do, with only these environment variables. */
export class Bridge {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  stdout = '';
  stderr = '';

  constructor({ env = {}, args = [], minuteMs, preload = '' }: BridgeOptions) {
    const minute = minuteMs ? shortMinute(minuteMs) : '';
    const imports =
      preload || minute ? ['--import', `data:text/javascript,${encodeURIComponent(preload + minute)}`] : [];
    this.child = spawn(process.execPath, [...imports, file, ...args], { env, stdio: 'pipe' });
    running.add(this.child);
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.child.stdin!.on('error', () => undefined);
    this.exit = new Promise((resolve) => this.child.once('close', (code) => resolve(code)));
  }

  /** Writes messages, one on each line; texts and bytes unchanged. */
  write(...messages: unknown[]): void {
    for (const message of messages) {
      const isRaw = typeof message === 'string' || Buffer.isBuffer(message);
      this.child.stdin!.write(isRaw ? message : `${JSON.stringify(message)}\n`);
    }
  }

  /** Messages on stdout so far; every line must be JSON. */
  get messages(): any[] {
    return this.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** Waits until stdout has this many lines. */
  async read(count: number): Promise<any[]> {
    await until(() => this.stdout.split('\n').length > count);
    return this.messages;
  }

  /** Closes stdin, expects exit code 0 without output on stderr, and returns all messages on stdout. */
  async finish(): Promise<any[]> {
    this.child.stdin!.end();
    const code = await this.exit;
    expect({ code, stderr: this.stderr }).toEqual({ code: 0, stderr: '' });
    // Splits the text instead of matching a pattern: on a busy machine, megabytes of text overflowed the stack.
    const lines = this.stdout.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.filter((line) => line === '' || line.includes('\r'))).toEqual([]);
    return this.messages;
  }
}

/** Runs the bridge against a tool server. */
export function startBridge(server: ToolServer, options: BridgeOptions = {}): Bridge {
  const env = { SERVICE_API_KEY: KEY, SERVICE_MCP_URL: server.url, SERVICE_MCP_ALLOW_CUSTOM_URL: '1', ...options.env };
  return new Bridge({ ...options, env });
}

/** Sends messages through the bridge, and returns all messages on stdout. */
export async function converse(server: ToolServer, ...messages: unknown[]): Promise<any[]> {
  const bridge = startBridge(server);
  bridge.write(...messages);
  return bridge.finish();
}

/** Returns code that shortens the one-minute timers of the bridge, because a test cannot wait for them. */
function shortMinute(ms: number): string {
  return `const { setTimeout: original } = globalThis;
    globalThis.setTimeout = (callback, delay, ...rest) => original(callback, delay === 60_000 ? ${ms} : delay, ...rest);`;
}
