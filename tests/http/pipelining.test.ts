/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { connect } from 'node:net';
import { send } from '../support/client.ts';
import { keys } from '../support/world.ts';

/** Sends a text on one connection, and gives all that comes back until it is closed. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(testService.url).port), '127.0.0.1').on('error', () => undefined);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString())).once('close', () => resolve(answer));
    socket.write(text);
  });
}

const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.tenant}\r\n\r\n`;

test.each(['/v1/nonsense', '/v1/company'])(
  'of many requests for %s at once the first sixteen are answered, the last of them with the end of the connection',
  async (path) => {
    const answers = (await exchange(head(path).repeat(2000))).split(/(?=HTTP\/1\.1 )/);
    expect(answers).toHaveLength(16);
    expect(answers.map((answer) => /^Connection: (.*)\r$/m.exec(answer)?.[1])).toEqual([
      ...Array<string>(15).fill('keep-alive'),
      'close',
    ]);
  },
);

test('fifteen requests at once leave the connection open', async () => {
  const last = `${head('/v1/company').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')}`;
  const answers = (await exchange(head('/v1/company').repeat(14) + last)).split(/(?=HTTP\/1\.1 )/);
  expect(answers.map((answer) => answer.slice(0, 12))).toEqual(Array(15).fill('HTTP/1.1 200'));
});

test('a name of a megabyte in a body is answered with a short error', async () => {
  const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ learners: [], ['x'.repeat(1024 * 1024)]: 1 });
  const answer = await send('POST', '/learners/bulk', { headers, body });
  expect(answer.status).toBe(400);
  expect(answer.text.length).toBeLessThan(2000);
  expect(answer.text).toContain('xxxx…');
});
