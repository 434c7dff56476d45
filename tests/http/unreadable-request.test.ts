import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { keys } from '../support/world.ts';

interface RawAnswer {
  status: string;
  headers: Map<string, string>;
  body: string;
}

/** Sends bytes in pieces and reads the last response once the connection has ended. */
async function sendRaw(...pieces: string[]): Promise<RawAnswer> {
  const socket = connect(Number(new URL(testService.url).port), '127.0.0.1').setNoDelay();
  let text = '';
  const over = new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', reject).on('close', () => resolve());
  });
  for (const piece of pieces) {
    socket.write(piece);
    await sleep(pieces.length > 1 ? 50 : 0);
  }
  await over;
  const [head = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n', 2);
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')];
  });
  return { status, headers: new Map(headers), body };
}

const LONG = `X: ${'a'.repeat(20_000)}\r\n`;
const END = 'Connection: close\r\n\r\n';
const CHUNKED = 'Host: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const BROKEN = 'ZZZ\r\nno chunk\r\n';

test.each<[string, string, string[]]>([
  ['text that is not HTTP', '400 Bad Request', ['nonsense\r\n\r\n']],
  ['a header that is too large', '431 Request Header Fields Too Large', [`GET / HTTP/1.1\r\nHost: x\r\n${LONG}\r\n`]],
  ['an invalid target', '404 Not Found', [`GET http://[/v1/company HTTP/1.1\r\nHost: x\r\n${END}`]],
  ['two lengths', '400 Bad Request', ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n']],
  ['a missing Host', '400 Bad Request', [`GET /v1/health HTTP/1.1\r\n${END}`]],
  ['two Hosts', '400 Bad Request', [`GET /v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n${END}`]],
  ['the same Host twice', '400 Bad Request', [`GET /v1/health HTTP/1.1\r\nHOST: a\r\nhost: a\r\n${END}`]],
  ['an invalid Host', '400 Bad Request', [`GET /v1/health HTTP/1.1\r\nHost: a/b c\r\n${END}`]],
  [
    'an expectation that is not supported',
    '417 Expectation Failed',
    [`GET /v1/health HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n${END}`],
  ],
  [
    'a wrong method with a broken chunk',
    '405 Method Not Allowed',
    [`DELETE /v1/company HTTP/1.1\r\n${CHUNKED}${BROKEN}`],
  ],
  [
    'a wrong method with a broken chunk later',
    '405 Method Not Allowed',
    [`DELETE /v1/company HTTP/1.1\r\n${CHUNKED}`, BROKEN],
  ],
  ['no key with a broken chunk later', '401 Unauthorized', [`POST /v1/groups HTTP/1.1\r\n${CHUNKED}`, BROKEN]],
  [
    'a broken chunk in a body that is read',
    '400 Bad Request',
    [
      `POST /v1/groups HTTP/1.1\r\nAuthorization: Bearer ${keys.tenant}\r\nContent-Type: application/json\r\n${CHUNKED}`,
      BROKEN,
    ],
  ],
])('%s returns %s in the format of every other error', async (_case, status, pieces) => {
  const answer = await sendRaw(...pieces);
  expect(answer.status).toBe(`HTTP/1.1 ${status}`);
  expect(answer.headers.get('connection')).toBe('close');
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('strict-transport-security')).toBeDefined();
  expect(testService.checkResponse('GET', '/', 400, 'application/json', answer.body)).toBeUndefined();
});

test.each<[string, string, string, string[]]>([
  ['a header that is too large', '431', '', [`GET /scim/v2/Users?count=1 HTTP/1.1\r\nHost: x\r\n${LONG}\r\n`]],
  [
    'a large header in pieces behind another request',
    '431',
    '',
    ['GET /SCIM/v2/Users HTTP/1.1\r\nHost: x\r\n\r\nGET /scim/v2/Users HTTP/1.1\r\n', `${LONG}\r\n`],
  ],
  ['a missing Host', '400', 'invalidValue', [`GET /scim/v2/Users HTTP/1.1\r\n${END}`]],
  ['two Hosts', '400', 'invalidValue', [`GET /scim/v2 HTTP/1.1\r\nHost: a\r\nHost: b\r\n${END}`]],
  ['an unsupported expectation', '417', '', [`GET /scim/v2/Users HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n${END}`]],
])('below /scim/v2, %s returns %s in the format of SCIM', async (_case, status, scimType, pieces) => {
  const answer = await sendRaw(...pieces);
  expect(answer.status).toMatch(`HTTP/1.1 ${status}`);
  expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
  expect(JSON.parse(answer.body)).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status,
    ...(scimType && { scimType: expect.any(String) }),
    detail: expect.any(String),
  });
});

test.each([
  ['HTTP/1.0 without a Host', 'GET /v1/health HTTP/1.0\r\n\r\n'],
  ['an IPv6 Host with a port', `GET /v1/health HTTP/1.1\r\nHost: [::1]:8080\r\n${END}`],
  ['an empty Host', `GET /v1/health HTTP/1.1\r\nHost:\r\n${END}`],
  [
    'Expect: 100-Continue, which can be answered without the interim response',
    `GET /v1/health HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\n${END}`,
  ],
])('%s returns 200', async (_case, text) => {
  const { status, body } = await sendRaw(text);
  expect(`${status} ${body}`).toMatch(/ 200 OK/);
});
