import { connect } from 'node:net';

/** Sends bytes as they are and reads the answer until the connection ends. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(testService.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', reject).on('close', () => resolve(answer));
    socket.write(text);
  });
}

test.each([
  ['no HTTP', 'nonsense\r\n\r\n', '400 Bad Request'],
  ['a header that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, '431 Request Header'],
  [
    'a target that is no address',
    'GET http://[/v1/company HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    '404 Not Found',
  ],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', '400 Bad Request'],
])('%s is answered in the shape of every other error', async (_case, text, status) => {
  const answer = await sendRaw(text);
  expect(answer).toContain(`HTTP/1.1 ${status}`);
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  expect(testService.checkResponse('GET', '/', 400, 'application/json', body)).toBeUndefined();
});
