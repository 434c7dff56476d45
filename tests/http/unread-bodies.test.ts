/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expectContract, type Answer } from '../support/client.ts';
import { keys } from '../support/world.ts';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');
/** Maximum number of sent bytes: those that the service reads, and those that buffers on the way hold. */
const MAX_SENT_BYTES = 20 * MIB;
const SOON_MS = 4000;
const authorized = `Authorization: Bearer ${keys.tenant}`;

/** Sends a body without end; resolves with the bytes sent, the response and the duration. */
function sendForever(target: string, headers: string[]): Promise<{ sent: number; answer: string; ms: number }> {
  return new Promise((resolve) => {
    const start = performance.now();
    const { host, port } = new URL(testService.url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.once('close', () => resolve({ sent: socket.bytesWritten, answer, ms: performance.now() - start }));
    socket.write(`${target} HTTP/1.1\r\nHost: ${host}\r\n${headers.join('\r\n')}\r\n\r\n`);
    pump(socket, headers.includes('Transfer-Encoding: chunked'));
  });
}

function pump(socket: Socket, chunked: boolean): void {
  const piece = chunked ? Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]) : PIECE;
  while (socket.writable && socket.write(piece));
  if (socket.writable) socket.once('drain', () => pump(socket, chunked));
}

const huge = `Content-Length: ${1024 * MIB}`;
const chunked = 'Transfer-Encoding: chunked';
const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';

test.each<[string, string, string[], number]>([
  ['a caller without a key', 'POST /v1/policies/upload', ['Content-Type: application/pdf', huge], 401],
  ['a caller without a key, in chunks', 'POST /v1/learners', [chunked], 401],
  ['an upload that is too large', 'POST /v1/policies/upload', [authorized, 'Content-Type: application/pdf', huge], 413],
  ['an upload without a length', 'POST /v1/policies/upload', [authorized, chunked], 411],
  ['an upload of another type', 'POST /v1/policies/upload', [authorized, 'Content-Type: text/plain', huge], 400],
  ['JSON that is too large', 'POST /v1/groups', [authorized, json, huge], 413],
  ['JSON of another type', 'POST /v1/groups', [authorized, 'Content-Type: text/plain', huge], 400],
  ['a GET with a body', 'GET /v1/learners', [authorized, chunked], 200],
  ['a HEAD with a body', 'HEAD /v1/company', [authorized, huge], 200],
  ['an OPTIONS with a body', 'OPTIONS /v1/company', [huge], 204],
  ['an unknown path', 'POST /v1/nonsense', [huge], 404],
  ['an unknown setup link', 'POST /setup/nonsense', [huge], 404],
  ['an invalid target', 'POST http://[/v1/groups', [huge], 404],
  ['an MCP call without a key', 'POST /mcp', [huge], 401],
  ['an MCP call without a key, in chunks', 'POST /mcp', [chunked], 401],
  ['an MCP call from another origin', 'POST /mcp', [authorized, 'Origin: https://evil.example', huge], 403],
  ['an MCP call with another method', 'PUT /mcp', [authorized, huge], 405],
  ['an MCP call that is too large', 'POST /mcp', [authorized, json, huge], 413],
  ['an MCP call that is too large, in chunks', 'POST /mcp', [authorized, json, chunked], 413],
  ['the setup guide of the MCP server', 'GET /setup', [huge], 200],
  ['a registration', 'POST /oauth/register', [json, huge], 400],
  ['a registration in chunks', 'POST /oauth/register', [json, chunked], 400],
  ['a registration of another type', 'POST /oauth/register', ['Content-Type: text/plain', chunked], 400],
  ['a token request', 'POST /oauth/token', [form, huge], 400],
  ['a token request in chunks', 'POST /oauth/token', [form, chunked], 400],
  ['a token request of another type', 'POST /oauth/token', [json, huge], 400],
  ['a revocation', 'POST /oauth/revoke', [form, chunked], 400],
  ['an authorization request', 'GET /oauth/authorize?client_id=x', [chunked], 400],
  ['an approval', 'POST /connect/nonsense', [form, huge], 413],
  ['an approval in chunks', 'POST /connect/nonsense', [form, chunked], 413],
  ['an approval from another origin', 'POST /connect/nonsense', ['Origin: https://evil.example', huge], 403],
  ['the metadata of the authorization server', 'GET /.well-known/oauth-authorization-server', [chunked], 200],
])('%s is answered, and its body is read only up to a limit', async (_case, target, headers, status) => {
  const { sent, answer, ms } = await sendForever(target, headers);
  expect(answer).toContain(`HTTP/1.1 ${status} `);
  expect(answer.toLowerCase()).toContain('connection: close');
  expect(sent).toBeLessThan(MAX_SENT_BYTES);
  expect(ms).toBeLessThan(SOON_MS);
});

test.each(['POST /v1/groups', 'POST /mcp'])(
  'a client of %s that stalls after the response is disconnected soon',
  async (target) => {
    const { host, port } = new URL(testService.url);
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    const start = performance.now();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(`${target} HTTP/1.1\r\nHost: ${host}\r\n${huge}\r\n\r\nx`);
    socket.resume();
    await closed;
    expect(performance.now() - start).toBeLessThan(SOON_MS);
  },
);

test('the head of a response does not wait for an unread body', async () => {
  const { host, port } = new URL(testService.url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const start = performance.now();
  socket.write(`HEAD /v1/company HTTP/1.1\r\nHost: ${host}\r\n${huge}\r\n\r\nx`);
  await new Promise((resolve) => socket.once('data', resolve));
  socket.destroy();
  expect(performance.now() - start).toBeLessThan(1900);
});

test.each(['POST /v1/groups', 'POST /mcp'])('the body of a rejected %s is not read as a request', async (target) => {
  const { host, port } = new URL(testService.url);
  const head = (line: string, length: number) =>
    `${line} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${length}\r\n\r\n`;
  for (const filler of ['', 'x'.repeat(200_000)]) {
    const body = filler + head('GET /v1/health', 0);
    const last = head('GET /nonsense', 0).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(head(target, body.length) + body + last);
    await closed;
    const statuses = [...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toEqual(filler ? ['401'] : ['401', '404']);
  }
});

test('after its last response a connection accepts no requests', async () => {
  const { host, port } = new URL(testService.url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const [refused, group] = ['x'.repeat(200_000), JSON.stringify({ name: 'Never answered' })];
  const id = 'of-the-last-answer';
  const head = (path: string, body: string, ...headers: string[]) =>
    [
      `POST ${path} HTTP/1.1`,
      `Host: ${host}`,
      `Content-Length: ${body.length}`,
      `X-Request-Id: ${id}`,
      ...headers,
      '',
      '',
    ].join('\r\n');
  socket.resume().write(head('/v1/groups', refused) + refused + head('/v1/groups', group, authorized, json) + group);
  await closed;
  await setTimeout(200);
  expect(testService.log.filter((line) => line.includes(id)).map((line) => /"status":(\d+)/.exec(line)![1])).toEqual([
    '401',
  ]);
});

test('a small rejected body leaves its connection open', async () => {
  const answer = await fetch(`${testService.url}/v1/groups`, { method: 'POST', body: 'x'.repeat(10_000) });
  expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'keep-alive']);
});

describe('30 MiB', () => {
  const bytes = new Uint8Array(30 * MIB);
  const url = () => `${testService.url}/v1/policies/upload`;
  const authorization = `Bearer ${keys.tenant}`;

  test('sent by fetch are rejected with 413, ten times out of ten', async () => {
    for (let n = 0; n < 10; n++) {
      const form = new FormData();
      form.append('file', new Blob([bytes]), 'a.pdf');
      const init =
        n % 2
          ? { body: form, headers: { authorization } }
          : { body: bytes, headers: { authorization, 'content-type': 'application/pdf' } };
      const answer = await fetch(url(), { ...init, method: 'POST' });
      const body = (await answer.json()) as Answer['body'];
      expect([answer.status, body.error?.code]).toEqual([413, 'payload_too_large']);
    }
  });

  test('sent by curl without Expect are rejected with 413', async () => {
    const head = ['-H', `Authorization: ${authorization}`, '-H', 'Content-Type: application/pdf', '-H', 'Expect:'];
    const curl = promisify(execFile)('curl', ['-s', '-w', '%{http_code}', ...head, '--data-binary', '@-', url()]);
    curl.child.stdin!.on('error', () => undefined).end(bytes);
    const { stdout } = await curl;
    expect(stdout.slice(-3)).toBe('413');
    expectContract('POST', '/v1/policies/upload', 413, 'application/json', stdout.slice(0, -3));
  });
});
