/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { withConnectionLimits } from '../../src/http/connection/connection-limits.ts';
import { send } from '../support/client.ts';
import { keys } from '../support/world.ts';

/** Sends a string on one connection; returns the responses and the time until the connection is closed. */
function exchange(text: string, url = testService.url): Promise<{ answers: string[]; ms: number }> {
  return new Promise((resolve) => {
    const start = performance.now();
    const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.once('close', () => resolve({ answers: answer.split(/(?=HTTP\/1\.1 )/), ms: performance.now() - start }));
    socket.write(text);
  });
}

const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.tenant}\r\n\r\n`;

test('of many pipelined requests sixteen are answered, the last one late and with Connection: close', async () => {
  const exchanges = await Promise.all(['/v1/nonsense', '/v1/company'].map((path) => exchange(head(path).repeat(2000))));
  for (const { answers, ms } of exchanges) {
    expect(answers.map((answer) => /^Connection: (.*)\r$/m.exec(answer)?.[1])).toEqual([
      ...Array<string>(15).fill('keep-alive'),
      'close',
    ]);
    expect(ms).toBeGreaterThan(6000);
  }
});

test('fifteen pipelined requests are answered without delay, and the connection stays open', async () => {
  const last = `${head('/v1/company').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`;
  const { answers, ms } = await exchange(head('/v1/company').repeat(14) + last);
  expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(15).fill('HTTP/1.1 200'));
  expect(ms).toBeLessThan(5000);
});

describe('a client that keeps sending behind fifteen pending requests is hardly read', () => {
  const MANY_BYTES = 5_000_000;
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const post = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${MANY_BYTES}\r\n\r\n`;

  test.each([
    ['requests', get.repeat(MANY_BYTES / get.length)],
    ['the body of the sixteenth', get.repeat(15) + post + 'x'.repeat(MANY_BYTES)],
  ])('%s', async (_case, text) => {
    let handled = 0;
    let bytesRead = 0;
    const handle: RequestListener = (req, res) => {
      handled += 1;
      setTimeout(() => {
        bytesRead = req.socket.bytesRead;
        res.end('done');
      }, 100);
    };
    const server = createServer(
      withConnectionLimits({ clientWriteTimeoutMs: 60_000, pipelineOverflowDelayMs: 500 }, handle),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { answers, ms } = await exchange(text, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.close();
    server.closeAllConnections();
    expect({ handled, answers: answers.length }).toEqual({ handled: 16, answers: 16 });
    expect(bytesRead).toBeLessThan(200_000);
    expect(ms).toBeGreaterThan(500);
  });
});

test('a field name of one megabyte returns a short error', async () => {
  const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ learners: [], ['x'.repeat(1024 * 1024)]: 1 });
  const answer = await send('POST', '/learners/bulk', { headers, body });
  expect(answer.status).toBe(400);
  expect(answer.text.length).toBeLessThan(2000);
  expect(answer.text).toContain('xxxx…');
});
