import type { IncomingMessage } from 'node:http';
import { PlainCalls } from '../../src/mcp/plain-call.ts';
import { learnerId } from '../support/world.ts';
import { type McpResponse, MODERN, request, send } from './mcp-support.ts';

// The MCP library handles the first call with a given set of headers and `_meta`; later calls with the same set bypass
// the library. Each test therefore sends a unique Accept header.
const JSON_OR_STREAM = 'application/json, text/event-stream';
let seen = 0;

const learner = { learnerId: learnerId('tenant', 1) };
const CALLS: [string, Record<string, unknown>, id: string | number][] = [
  ['of a tool that succeeds', { name: 'service_get_learner', arguments: learner }, 7],
  ['with a string as id', { name: 'service_get_learner', arguments: learner }, 'seven'],
  ['without arguments', { name: 'service_list_learners' }, 0],
  ['of the help tool', { name: 'service_get_tool_help', arguments: {} }, -1],
  ['with an invalid argument', { name: 'service_get_learner', arguments: { learnerId: 'x' } }, 1],
  ['of an unknown learner', { name: 'service_get_learner', arguments: { learnerId: companyless() } }, 1],
  ['with a progress token', { name: 'service_get_learner', arguments: learner, _meta: { progressToken: 3 } }, 1],
];

function companyless(): string {
  return '0192a3b4-0000-7000-8000-00000000dead';
}

/** Returns a response without the parts that differ between requests. */
function got({ status, headers, text }: McpResponse): object {
  const lasting = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  return { status, headers: Object.fromEntries(lasting), text };
}

/** Sends a call twice. Also returns how many of the two bypassed the library. */
async function twice(params: Record<string, unknown>, id: string | number, more: Record<string, string> = {}) {
  const headers = { accept: `${JSON_OR_STREAM}, application/x-${seen++}`, ...more };
  const body = JSON.stringify(request('tools/call', params, id));
  const before = testService.plainCalls();
  const [first, second] = [got(await send(body, { headers })), got(await send(body, { headers }))];
  return { first, second, plain: testService.plainCalls() - before };
}

describe.each(CALLS)('a call %s', (_, params, id) => {
  test('bypasses the library the second time, with the same response', async () => {
    const { first, second, plain } = await twice(params, id);
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining('"result"') });
    expect({ answer: second, plain }).toEqual({ answer: first, plain: 1 });
  });

  test('does the same in the era from 2026-07-28', async () => {
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': String(params.name),
    };
    const _meta = { ...MODERN, ...(params._meta as object | undefined) };
    const { first, second, plain } = await twice({ ...params, _meta }, id, headers);
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining('"resultType":"complete"') });
    expect({ answer: second, plain }).toEqual({ answer: first, plain: 1 });
  });
});

test.each<[string, object]>([
  ['of an unknown tool', { name: 'service_fly' }],
  ['without a tool name', {}],
  ['with a list as arguments', { name: 'service_get_learner', arguments: [] }],
  ['that requests a task', { name: 'service_get_learner', arguments: learner, task: { ttl: 1 } }],
])('a call %s is handled by the library each time', async (_, params) => {
  const { first, second, plain } = await twice(params as Record<string, unknown>, 1);
  expect({ answer: second, plain }).toEqual({ answer: first, plain: 0 });
});

describe('PlainCalls', () => {
  const headers = { accept: JSON_OR_STREAM, 'content-type': 'application/json' };
  const asked = (more: Record<string, string> = {}) =>
    ({ headers: { ...headers, ...more } }) as unknown as IncomingMessage;
  const body = (params: object = {}, more: object = {}) =>
    ({ ...request('tools/call', { name: 'a', arguments: {}, ...params }), ...more }) as never;
  const legacy = { era: 'legacy' } as const;

  test('finds calls of all tools in recorded circumstances only', () => {
    const calls = new PlainCalls();
    expect(calls.find(asked(), body())).toBeUndefined();
    calls.recordServed(asked(), { request: body(), classification: legacy });
    const other = body({ name: 'b', arguments: { x: 1 } }, { id: 9 });
    expect(calls.find(asked(), other)).toEqual({ id: 9, name: 'b', arguments: { x: 1 }, era: 'legacy' });
  });

  test.each<[string, object, unknown]>([
    ['another Accept', { accept: '*/*' }, body()],
    ['another content type', { 'content-type': 'text/plain' }, body()],
    ['another version of the protocol', { 'mcp-protocol-version': '2026-07-28' }, body()],
    ['an envelope', {}, body({ _meta: MODERN })],
    ['an invalid progress token', {}, body({ _meta: { progressToken: {} } })],
    ['a null progress token', {}, body({ _meta: { progressToken: null } })],
    ['an additional field', {}, body({}, { extra: 1 })],
    ['an additional parameter', {}, body({ task: {} })],
    ['an invalid id', {}, body({}, { id: null })],
    ['another version of JSON-RPC', {}, body({}, { jsonrpc: '1.0' })],
    ['another method', {}, body({}, { method: 'tools/list' })],
    ['arguments that are a list', {}, body({ arguments: [] })],
    ['several calls', {}, [body()]],
  ])('does not find a call with %s', (_, more, sent) => {
    const calls = new PlainCalls();
    calls.recordServed(asked(), { request: body(), classification: legacy });
    expect(calls.find(asked(more as Record<string, string>), sent)).toBeUndefined();
  });

  test('does not find a modern call whose header names another tool', () => {
    const calls = new PlainCalls();
    calls.recordServed(asked({ 'mcp-name': 'a' }), { request: body(), classification: { era: 'modern' } });
    expect(calls.find(asked({ 'mcp-name': 'a' }), body())).toMatchObject({ name: 'a', era: 'modern' });
    expect(calls.find(asked({ 'mcp-name': 'b' }), body())).toBeUndefined();
  });

  test('is bounded in number and length', () => {
    const calls = new PlainCalls();
    for (let n = 0; n < 1001; n++)
      calls.recordServed(asked({ accept: String(n) }), { request: body(), classification: legacy });
    expect(calls.find(asked({ accept: '0' }), body())).toBeUndefined();
    expect(calls.find(asked({ accept: '1000' }), body())).toBeDefined();
    const long = asked({ accept: 'x'.repeat(3000) });
    calls.recordServed(long, { request: body(), classification: legacy });
    expect(calls.find(long, body())).toBeUndefined();
  });
});
