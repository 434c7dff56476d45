import {
  type Bridge,
  type Received,
  answer,
  converse,
  event,
  KEY,
  request,
  result,
  startBridge,
  startToolServer,
  stopAll,
  stream,
} from './support.ts';

afterEach(stopAll);

const SERVER_ERROR = -32000;

function failure(id: unknown, message: unknown, data?: object) {
  return { jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message, ...(data && { data }) } };
}

function answering(status: number, body?: unknown, headers?: object) {
  return startToolServer((received) => answer(received, status, body, headers));
}

test('401 results in an error that names the variable, without the key', async () => {
  const server = await answering(401, { error: { code: 'unauthorized', message: `no such key: ${KEY}` } });
  const [message, ...more] = await converse(server, request(1));
  expect(message).toEqual(failure(1, expect.stringContaining('SERVICE_API_KEY'), { status: 401 }));
  expect(more).toEqual([]);
  expect(JSON.stringify(message)).not.toContain(KEY);
});

test.each([
  ['17', 17, 17],
  [new Date(Date.now() + 100_000).toUTCString(), 50, 101],
  ['0', 1, 1],
  ['nonsense', 60, 60],
  [undefined, 60, 60],
])('429 with Retry-After: %s says how long to wait', async (retryAfter, least, most) => {
  const server = await answering(429, { secret: 'stack' }, retryAfter ? { 'retry-after': retryAfter } : {});
  const [message] = await converse(server, request(1));
  const { status, retryAfterSeconds } = message.error.data;
  expect(status).toBe(429);
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(least);
  expect(retryAfterSeconds).toBeLessThanOrEqual(most);
  expect(message).toMatchObject(failure(1, `Too many requests (HTTP 429). Try again in ${retryAfterSeconds} seconds.`));
});

test.each([500, 502, 503, 504])(
  '%i results in an error of the bridge, without details of the server',
  async (status) => {
    const leak = { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'Error: select * from api_keys' } };
    const server = await answering(status, leak);
    expect(await converse(server, request(1))).toEqual([
      failure(1, `The tool server is unavailable. Try again later (HTTP ${status}).`, { status }),
    ]);
  },
);

test.each([301, 302, 303, 307, 308])('%i is not followed, and the other URL gets no request', async (status) => {
  const other = await startToolServer();
  const server = await answering(status, undefined, { location: other.url });
  expect(await converse(server, request(1))).toEqual([failure(1, expect.stringContaining(`redirects to another URL`))]);
  expect(other.requests).toHaveLength(0);
});

test('a JSON-RPC error is forwarded with its id, or else with the id of the request', async () => {
  const refusal = (id: unknown) => ({
    jsonrpc: '2.0',
    id,
    error: { code: -32020, message: 'Header mismatch', data: [1] },
  });
  for (const id of [1, null]) {
    const server = await answering(400, refusal(id));
    expect(await converse(server, request(1))).toEqual([refusal(1)]);
  }
});

test.each([
  [400, { error: { code: 'invalid', message: 'no' } }],
  [403, undefined],
  [404, '<html>Not found</html>'],
  [413, '{}'],
])('any other %i results in an error that names the status', async (status, body) => {
  const server = await answering(status, body);
  expect(await converse(server, request(1))).toEqual([
    failure(1, `The tool server rejected the request (HTTP ${status}).`, { status }),
  ]);
});

test.each([
  ['202', (received: Received) => answer(received, 202)],
  ['204', (received: Received) => answer(received, 204)],
  ['an empty body', (received: Received) => answer(received, 200, '')],
  ['HTML', (received: Received) => answer(received, 200, '<html></html>', { 'content-type': 'text/html' })],
  ['incomplete JSON', (received: Received) => answer(received, 200, '{"jsonrpc":"2.0","id":1,"resul')],
  ['JSON that is not JSON-RPC', (received: Received) => answer(received, 200, { data: [] })],
  ['a response without a result or an error', (received: Received) => answer(received, 200, { jsonrpc: '2.0', id: 1 })],
  ['the response to another request', (received: Received) => answer(received, 200, result(2))],
  ['an empty array', (received: Received) => answer(received, 200, [])],
  ['a stream without a response', (received: Received) => stream(received, ': nothing\n\n')],
  ['a stream that ends within an event', (received: Received) => stream(received, event(result(1)).slice(0, -1))],
])('a request answered by %s gets an error', async (_, script) => {
  const server = await startToolServer(script);
  expect(await converse(server, request(1))).toEqual([
    failure(1, 'The response of the tool server ended without a result.'),
  ]);
});

test.each(['application/json', 'text/event-stream'])(
  'a %s response that breaks off results in one error',
  async (type) => {
    const server = await startToolServer(({ response }) => {
      response.writeHead(200, { 'content-type': type });
      response.write(type === 'application/json' ? '{"jsonrpc":"2.0",' : event(result(1)) + 'data: {"jsonrpc":"2.0",');
      setTimeout(() => response.destroy(), 100);
    });
    const answers = await converse(server, [request(1), request(2)]);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(answers.at(-1)).toEqual(failure(2, expect.stringMatching(/^The connection to the tool server failed/)));
  },
);

test('an unreachable server results in an error with the reason of the system', async () => {
  const server = await startToolServer();
  stopAll();
  expect(await converse(server, request(1))).toEqual([
    failure(1, 'The connection to the tool server failed (ECONNREFUSED).'),
  ]);
});

test.each([
  ['a response', (received: Received) => answer(received, 200, result(1, { text: `your key is ${KEY}!` }))],
  [
    'an error',
    (received: Received) => answer(received, 400, { jsonrpc: '2.0', id: 1, error: { code: 1, message: KEY } }),
  ],
  [
    'an event',
    (received: Received) => stream(received, event({ jsonrpc: '2.0', method: KEY }), event(result(1, [KEY]))),
  ],
])('%s that repeats the key is redacted on stdout', async (_, script) => {
  const server = await startToolServer(script);
  const answers = await converse(server, request(1));
  expect(answers.at(-1)).toMatchObject({ id: 1 });
  expect(JSON.stringify(answers)).not.toContain(KEY);
  expect(JSON.stringify(answers)).toContain('SERVICE_API_KEY');
});

describe('a silent server', () => {
  const silence = 'The tool server sent nothing for 60 seconds.';

  async function afterSilence(script: (received: Received) => void): Promise<{ bridge: Bridge; answers: any[] }> {
    const server = await startToolServer(script);
    const bridge = startBridge(server, { minuteMs: 3000 });
    bridge.write(request(1));
    return { bridge, answers: await bridge.read(1) };
  }

  test.each([
    ['before its response', () => undefined],
    [
      'within its response',
      ({ response }: Received) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{');
      },
    ],
    [
      'within a stream',
      ({ response }: Received) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {');
      },
    ],
  ])('%s times out after a minute', async (_, script) => {
    const { bridge, answers } = await afterSilence(script);
    expect(answers).toEqual([failure(1, silence)]);
    expect(await bridge.finish()).toHaveLength(1);
  });

  test('does not time out while it sends comments', async () => {
    const { answers } = await afterSilence(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(': working\n\n'), 100);
      setTimeout(() => {
        clearInterval(timer);
        response.end(event(result(1)));
      }, 4000);
    });
    expect(answers).toEqual([result(1)]);
  });
});
