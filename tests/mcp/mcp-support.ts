import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type KeyName, keys } from '../support/world.ts';

/** Maximum length of a result, as the tool server promises. */
export const MAX_TEXT_LENGTH = 40_000;

export interface McpResponse {
  status: number;
  headers: Headers;
  text: string;
  /** JSON-RPC messages of the body, in either framing. */
  messages: Message[];
}

export interface Message {
  jsonrpc: string;
  id?: string | number | null;
  result?: any;
  error?: { code: number; message: string; data?: { code?: string } };
}

export interface McpRequest {
  key?: KeyName | null;
  method?: string;
  headers?: Record<string, string>;
}

/** Sends a body unchanged. Expects that the response has no session and no HTML. */
export async function send(body: string | undefined, request: McpRequest = {}): Promise<McpResponse> {
  const { key = 'tenant', method = 'POST', headers = {} } = request;
  const response = await fetch(`${testService.url}/mcp`, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== null && { authorization: `Bearer ${keys[key]}` }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  expect(response.headers.get('mcp-session-id')).toBeNull();
  const type = response.headers.get('content-type') ?? '';
  if (text !== '') expect(type).toMatch(/^(application\/json|text\/event-stream)/);
  return { status: response.status, headers: response.headers, text, messages: messagesOf(type, text) };
}

function messagesOf(type: string, text: string): Message[] {
  if (text === '') return [];
  const parts = type.startsWith('text/event-stream')
    ? text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []))
    : [text];
  return parts.flatMap((part) => JSON.parse(part) as Message | Message[]);
}

export function request(method: string, params?: unknown, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

export function toolCall(name: unknown, args?: unknown, id: unknown = 1): object {
  return request('tools/call', { name, ...(args !== undefined && { arguments: args }) }, id);
}

/** Envelope of requests in protocol version 2026-07-28 and later. */
export const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends a request of protocol version 2026-07-28, with the headers of that version. */
export function sendModern(
  method: string,
  params: Record<string, unknown>,
  sent: McpRequest = {},
): Promise<McpResponse> {
  const headers: Record<string, string> = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  if (typeof params.name === 'string') headers['mcp-name'] = params.name;
  const body = JSON.stringify(request(method, { ...params, _meta: MODERN }));
  return send(body, { ...sent, headers: { ...headers, ...sent.headers } });
}

export interface ToolResult {
  isError: boolean;
  text: string;
}

/** Returns the only text of a result, and expects its length to be within the limit. */
export function resultOf({ result, error }: Message): ToolResult {
  expect(error).toBeUndefined();
  expect(result.content).toEqual([{ type: 'text', text: expect.any(String) }]);
  const { text } = result.content[0] as { text: string };
  expect(text.length).toBeLessThanOrEqual(MAX_TEXT_LENGTH);
  return { isError: result.isError === true, text };
}

/** Converts strings to test cases named by their prefixes. */
export function byBeginning(texts: string[]): [string, string][] {
  return texts.map((text) => [JSON.stringify(text.slice(0, 30)), text]);
}

/** Calls a tool as any client does. */
export async function call(name: string, args?: unknown, key: KeyName = 'tenant'): Promise<ToolResult> {
  const { status, messages } = await send(JSON.stringify(toolCall(name, args)), { key });
  expect({ status, count: messages.length }).toEqual({ status: 200, count: 1 });
  return resultOf(messages[0]!);
}

/** Calls a tool that must succeed, and returns its parsed result. */
export async function read(name: string, args?: unknown, key?: KeyName): Promise<any> {
  const { isError, text } = await call(name, args, key);
  expect(isError ? text : '').toBe('');
  return JSON.parse(text);
}

/** Calls a tool that must fail, and returns its sentence, which must not reveal internals. */
export async function refusal(name: string, args?: unknown, key?: KeyName): Promise<string> {
  const { isError, text } = await call(name, args, key);
  expect({ isError, text }).toEqual({ isError: true, text: expect.any(String) });
  expectSentences(text);
  return text;
}

export function expectSentences(text: string): void {
  expect(text).toMatch(/^\S.*[.]$/s);
  expect(text).not.toMatch(
    /undefined|\[object|query\/|body\/|select |syntax|invalid input|node_modules|\.ts\b| at \w+ \(/,
  );
}

/**
 * Reads a whole list by its cursors. Expects each part to say its range and the total, and only the last to have no
 * cursor.
 */
export async function readAll(
  name: string,
  { args = {}, key, rows = 'items', most = 500 }: { args?: object; key?: KeyName; rows?: string; most?: number } = {},
): Promise<any[]> {
  const all: unknown[] = [];
  let cursor: string | undefined;
  for (let parts = 0; parts < most; parts++) {
    const part = await read(name, { ...args, ...(cursor !== undefined && { cursor }) }, key);
    const items = part[rows] as unknown[];
    expect(part.shown).toBe(items.length === 0 ? 'none' : `${all.length + 1} to ${all.length + items.length}`);
    all.push(...items);
    if (part.nextCursor === undefined) {
      expect(part.total).toBe(all.length);
      return all;
    }
    expect(part.nextCursor).toBe(String(all.length));
    expect(part.more).toContain(`"${part.nextCursor}"`);
    expect(part.total).toBeGreaterThan(all.length);
    cursor = part.nextCursor as string;
  }
  throw new Error(`${name} does not come to an end`);
}

export type Era = 'legacy' | 'modern';

/** Connects a client of the protocol's own library. Close it at the end. */
export async function connect(era: Era, key: KeyName = 'tenant', url = testService.url): Promise<Client> {
  const versionNegotiation = { mode: era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const) };
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${keys[key]}` } },
    }),
  );
  return client;
}

export async function withClient<T>(era: Era, work: (client: Client) => Promise<T>, key?: KeyName): Promise<T> {
  const client = await connect(era, key);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
