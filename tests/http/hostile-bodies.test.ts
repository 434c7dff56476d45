/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { connect } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { call, expectError, fingerprintOf, send } from '../support/client.ts';
import { keys } from '../support/world.ts';

const MIB = 1024 * 1024;
const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };

/** Fills a 10 MiB body with repetitions of `item` between `before` and `after`. */
function filled(before: string, item: string, after: string): string {
  const count = Math.floor((10 * MIB - before.length - after.length) / (item.length + 1));
  return `${before}${Array<string>(count).fill(item).join(',')}${after}`;
}

test.each([
  ['rows without fields', filled('{"learners": [', '{}', ']}')],
  ['rows with wrong types', filled('{"learners": [', '{"email":1,"x":1}', ']}')],
  ['numbers for ids', filled('{"learners": [], "learnerIds": [', '1', ']}')],
  ['unknown fields', `{${Array.from({ length: 300_000 }, (_, index) => `"field${index}":1`).join(',')}}`],
  ['nested arrays', `{"learners": ${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
  ['nested objects with an escaped name', `{"\\u0041": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`],
  ['one value of ten million letters', `{"learners": [{"email": "${'a'.repeat(9 * MIB)}"}]}`],
])('10 MiB of %s are rejected with a short response, and nothing changes', async (_case, body) => {
  const before = await fingerprintOf('tenant');
  const answer = await send('POST', '/learners/bulk', { headers, body });
  expectError(answer, 400, 'invalid_request');
  expect(answer.text.length).toBeLessThan(20_000);
  expect(await fingerprintOf('tenant')).toBe(before);
});

test.each([
  ['gzip', gzipSync('{"learners": []}')],
  ['br', brotliCompressSync(filled('{"learners": [', '{}', ']}'))],
  ['gzip', Buffer.from('not gzip at all')],
  ['deflate', Buffer.from('nonsense')],
])('a body in %s is rejected undecoded, because it could expand enormously', async (encoding, body) => {
  const init = { headers: { ...headers, 'content-encoding': encoding }, body: new Uint8Array(body) };
  expectError(await send('POST', '/learners/bulk', init), 400, 'invalid_request', ['header/content-encoding']);
});

test.each([
  ['declared', `Content-Length: ${300 * MIB}\r\n`, ''],
  ['chunked', 'Transfer-Encoding: chunked\r\n', `${MIB.toString(16)}\r\n${' '.repeat(MIB)}\r\n`],
])('a body that is too large (%s) gets 413 before it has arrived completely', async (_case, framing, chunk) => {
  const socket = connect(Number(new URL(testService.url).port), '127.0.0.1').on('error', () => undefined);
  const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())));
  const head = `Host: x\r\nAuthorization: Bearer ${keys.tenant}\r\nContent-Type: application/json\r\n${framing}`;
  socket.write(`POST /v1/groups HTTP/1.1\r\n${head}\r\n`);
  for (let i = 0; i < 11; i++) socket.write(chunk);
  expect(await answered).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

test('a small invalid body is reported field by field', async () => {
  const body = { email: 'no address', firstName: '', lastName: 7, nonsense: true };
  expectError(await call('tenant', 'POST', '/learners', { body }), 400, 'invalid_request', [
    'body/nonsense',
    'body/email',
    'body/firstName',
    'body/lastName',
  ]);
});
