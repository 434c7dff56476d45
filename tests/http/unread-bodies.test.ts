/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0", "AUTH_FAILURES_PER_MINUTE": "0"} */
import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expectContract, type Answer } from '../support/client.ts';
import { keys } from '../support/world.ts';

const MIB = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');
/** What is let pass, and what buffers on the way hold. */
const MOST_SENT_BYTES = 20 * MIB;
const SOON_MS = 4000;
const authorized = `Authorization: Bearer ${keys.tenant}`;

/** A client that sends without end; how much it could, what it was answered, and how long that took. */
function sendForever(path: string, headers: string[]): Promise<{ sent: number; answer: string; ms: number }> {
  return new Promise((resolve) => {
    const start = performance.now();
    const socket = connect(Number(new URL(testService.url).port), '127.0.0.1').on('error', () => undefined);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.once('close', () => resolve({ sent: socket.bytesWritten, answer, ms: performance.now() - start }));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers.join('\r\n')}\r\n\r\n`);
    pump(socket, headers.includes('Transfer-Encoding: chunked'));
  });
}

function pump(socket: Socket, chunked: boolean): void {
  const piece = chunked ? Buffer.concat([Buffer.from('10000\r\n'), PIECE, Buffer.from('\r\n')]) : PIECE;
  while (socket.writable && socket.write(piece));
  if (socket.writable) socket.once('drain', () => pump(socket, chunked));
}

const huge = `Content-Length: ${1024 * MIB}`;

test.each<[string, string, string[], number]>([
  ['a caller without a key', '/v1/policies/upload', ['Content-Type: application/pdf', huge], 401],
  ['a caller without a key, in chunks', '/v1/learners', ['Transfer-Encoding: chunked'], 401],
  ['an upload that is too large', '/v1/policies/upload', [authorized, 'Content-Type: application/pdf', huge], 413],
  ['an upload without a length', '/v1/policies/upload', [authorized, 'Transfer-Encoding: chunked'], 411],
  ['an upload of another type', '/v1/policies/upload', [authorized, 'Content-Type: text/plain', huge], 400],
  ['JSON that is too large', '/v1/groups', [authorized, 'Content-Type: application/json', huge], 413],
  ['JSON of another type', '/v1/groups', [authorized, 'Content-Type: text/plain', huge], 400],
  ['a path that there is not', '/v1/nonsense', [huge], 404],
  ['a setup link that there is not', '/setup/nonsense', [huge], 404],
])('%s is answered, and read no further than bounds', async (_case, path, headers, status) => {
  const { sent, answer, ms } = await sendForever(path, headers);
  expect(answer).toContain(`HTTP/1.1 ${status} `);
  expect(answer.toLowerCase()).toContain('connection: close');
  expect(sent).toBeLessThan(MOST_SENT_BYTES);
  expect(ms).toBeLessThan(SOON_MS);
});

test('a client that stalls after its answer is closed soon', async () => {
  const socket = connect(Number(new URL(testService.url).port), '127.0.0.1').on('error', () => undefined);
  const start = performance.now();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`POST /v1/groups HTTP/1.1\r\nHost: x\r\n${huge}\r\n\r\nx`);
  socket.resume();
  await closed;
  expect(performance.now() - start).toBeLessThan(SOON_MS);
});

test('a small body that is refused leaves its connection open', async () => {
  const answer = await fetch(`${testService.url}/v1/groups`, { method: 'POST', body: 'x'.repeat(10_000) });
  expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'keep-alive']);
});

describe('30 MiB', () => {
  const bytes = new Uint8Array(30 * MIB);
  const url = () => `${testService.url}/v1/policies/upload`;
  const authorization = `Bearer ${keys.tenant}`;

  test('sent by fetch are told that they are too many, ten times of ten', async () => {
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

  test('sent by curl, which does not wait to be asked, are told so too', async () => {
    const head = ['-H', `Authorization: ${authorization}`, '-H', 'Content-Type: application/pdf', '-H', 'Expect:'];
    const curl = promisify(execFile)('curl', ['-s', '-w', '%{http_code}', ...head, '--data-binary', '@-', url()]);
    curl.child.stdin!.on('error', () => undefined).end(bytes);
    const { stdout } = await curl;
    expect(stdout.slice(-3)).toBe('413');
    expectContract('POST', '/v1/policies/upload', 413, 'application/json', stdout.slice(0, -3));
  });
});
