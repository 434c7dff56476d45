import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { keys } from '../support/world.ts';
import { type McpResponse, request, send } from './mcp-support.ts';

const ping = JSON.stringify(request('ping'));

/** Sends the bytes of a body, by default with the headers of a valid request. */
async function sendBytes(
  body: Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: McpResponse['messages'][0] }> {
  const answer = await fetch(`${testService.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${keys.tenant}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as McpResponse['messages'][0] };
}

/** Sends a request line, headers and a body unchanged, and reads until the connection ends. */
function sendRaw(target: string, headers: string[], body = ping): Promise<string> {
  const { host, port } = new URL(testService.url);
  const lines = [
    `POST ${target} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${keys.tenant}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    'Connection: close',
    ...headers,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', reject);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString())).on('close', () => resolve(answer));
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;

describe('a body', () => {
  test('with a content encoding is rejected with an explanation', async () => {
    for (const encoding of ['gzip', 'br', 'x']) {
      const { status, body } = await sendBytes(gzipSync(ping), { 'content-encoding': encoding });
      expect({ status, message: body.error!.message }).toEqual({
        status: 400,
        message: '`header/content-encoding` is not supported; send the body uncompressed.',
      });
    }
    expect((await sendBytes(Buffer.from(ping), { 'content-encoding': 'identity' })).status).toBe(200);
  });

  test('that is not UTF-8 is rejected with an explanation', async () => {
    const { status, body } = await sendBytes(Buffer.from(ping.replace('ping', 'p\xefng'), 'latin1'));
    expect({ status, message: body.error!.message }).toEqual({ status: 400, message: '`body` must be in UTF-8.' });
    for (const [type, expected] of [
      ['application/json; charset=UTF-8', 200],
      ['application/json;charset="utf-8"; x=y', 200],
      ['application/json; charset=utf-16', 400],
      ['application/json; charset=utf-8x', 400],
    ] as const) {
      const answer = await sendBytes(Buffer.from(ping), { 'content-type': type });
      expect({ type, status: answer.status }).toEqual({ type, status: expected });
    }
  });

  test('with a byte order mark is accepted', async () => {
    expect(await sendBytes(Buffer.from(`\ufeff${ping}`))).toMatchObject({ status: 200, body: { result: {} } });
  });

  test('with invalid parameters for its method is rejected with an explanation', async () => {
    const deep = `{"experimental":${'{"":'.repeat(10_000)}{}${'}'.repeat(10_000)}}`;
    const clientInfo = '"clientInfo":{"name":"x","version":"1"}';
    const wrong = [
      '{}',
      `{"protocolVersion":5,"capabilities":{},${clientInfo}}`,
      `{"protocolVersion":"2025-11-25","capabilities":${deep},${clientInfo}}`,
    ];
    for (const params of wrong) {
      const { messages } = await send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`);
      expect(messages[0]!.error).toEqual({ code: -32602, message: '`params` are invalid for initialize.' });
    }
  });
});

test('a request target with another host returns 403, like a Host header', async () => {
  const { host } = new URL(testService.url);
  expect(await sendRaw('http://evil.example/mcp', [length(ping)])).toMatch(/^HTTP\/1.1 403 /);
  expect(await sendRaw(`http://${host}/mcp`, [length(ping)])).toMatch(/^HTTP\/1.1 200 /);
});

test('a client that asks for a closed connection gets Connection: close with any kind of response', async () => {
  for (const body of [ping, `[${ping}]`]) {
    const answer = await sendRaw('/mcp', [length(body)], body);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toContain('"result":{}');
    expect(answer.match(/^connection: .*$/gim)).toEqual([expect.stringMatching(/: close$/)]);
  }
});
