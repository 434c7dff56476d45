import { readFileSync } from 'node:fs';
import { until } from '../support/until.ts';
import {
  type Received,
  answer,
  converse,
  drip,
  echo,
  event,
  KEY,
  request,
  result,
  startBridge,
  startToolServer,
  stopAll,
  stream,
} from './support.ts';

const { version } = JSON.parse(readFileSync('bridge/package.json', 'utf8')) as { version: string };

afterEach(stopAll);

const MIB = 1024 * 1024;

function error(id: unknown, code: number, message: unknown = expect.any(String)) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

test('a request is a POST with the key, and its JSON response is one line', async () => {
  const server = await startToolServer();
  expect(await converse(server, request(1, 'tools/list'))).toEqual([result(1, { method: 'tools/list' })]);
  expect(server.requests).toMatchObject([
    {
      method: 'POST',
      body: request(1, 'tools/list'),
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'user-agent': `security-awareness-mcp-bridge/${version}`,
      },
    },
  ]);
});

test('requests run concurrently, and each gets its own response', async () => {
  const waiting: Received[] = [];
  const server = await startToolServer((received) => {
    if (waiting.push(received) === 20) for (const each of waiting.reverse()) echo(each);
  });
  const ids = Array.from({ length: 20 }, (_, id) => id);
  const answers = await converse(server, ...ids.map((id) => request(id)));
  expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids);
});

test('a flood of requests is answered, each request once', async () => {
  const server = await startToolServer();
  const ids = Array.from({ length: 1500 }, (_, id) => `request ${id}`);
  const answers = await converse(server, ...ids.map((id) => request(id)));
  expect(answers.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test('a response of several lines becomes one, without a change of any digit', async () => {
  const server = await startToolServer((received) =>
    answer(
      received,
      200,
      '{\r\n"jsonrpc": "2.0",\n"id": 1,\n"result": {"big": 12345678901234567890, "text": "a\\nb\u2028"}\n}\n',
    ),
  );
  const bridge = startBridge(server);
  bridge.write(request(1));
  await bridge.finish();
  expect(bridge.stdout).toBe(
    '{ "jsonrpc": "2.0", "id": 1, "result": {"big": 12345678901234567890, "text": "a\\nb\u2028"} } \n',
  );
});

test('a message of the client is sent unchanged, including lone surrogates and long numbers', async () => {
  const server = await startToolServer();
  const line = '{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"\\ud800","n":12345678901234567890,"é":"😀"}}';
  await converse(server, `${line}\n`);
  expect(server.requests[0]!.text).toBe(line);
});

test('lone surrogates in a response stay unchanged', async () => {
  const server = await startToolServer((received) =>
    answer(received, 200, '{"jsonrpc":"2.0","id":1,"result":"\\udc00"}'),
  );
  expect(await converse(server, request(1))).toEqual([result(1, '\udc00')]);
});

test('lines can end in CRLF, be empty, begin with a byte order mark, and lack the last line end', async () => {
  const server = await startToolServer();
  const bridge = startBridge(server);
  bridge.write('\ufeff{"jsonrpc":"2.0","id":1,"method":"x"}\r\n\r\n\n  \n', '{"jsonrpc":"2.0","id":2,"method":"x"}');
  expect((await bridge.finish()).map(({ id }) => id).sort()).toEqual([1, 2]);
});

test('a line can arrive byte by byte, with split characters', async () => {
  const server = await startToolServer();
  const bridge = startBridge(server);
  for (const byte of Buffer.from(`${JSON.stringify(request('é😀'))}\n`)) {
    bridge.write(Buffer.from([byte]));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(await bridge.finish()).toEqual([result('é😀', { method: 'ping' })]);
});

test('a response can arrive byte by byte, as JSON and as events', async () => {
  const server = await startToolServer((received) => {
    const { id } = received.body;
    const text = JSON.stringify(result(id, 'é😀'));
    void (id === 1
      ? drip(received, 'application/json', text)
      : drip(received, 'text/event-stream', `data: ${text}\r\n\r\n`));
  });
  const answers = await converse(server, request(1), request(2));
  expect(answers).toHaveLength(2);
  expect(answers).toEqual(expect.arrayContaining([result(1, 'é😀'), result(2, 'é😀')]));
});

describe('events', () => {
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
  const question = { jsonrpc: '2.0', id: 'server-1', method: 'ping' };

  test('become lines in order, including messages from the server', async () => {
    const server = await startToolServer((received) =>
      stream(received, ': hello\nid: 1\nretry: 5\ndata:\n\n', event(progress), event(question), event(result(1))),
    );
    expect(await converse(server, request(1))).toEqual([progress, question, result(1)]);
  });

  test.each(['\n', '\r', '\r\n'])('can end lines with %j and spread data over several lines', async (end) => {
    const lines = ['event: message', 'data: {"jsonrpc":"2.0",', 'data:"id":1,', 'data: "result":"\u2028"}', '', ''];
    const server = await startToolServer((received) => stream(received, lines.join(end)));
    expect(await converse(server, request(1))).toEqual([result(1, '\u2028')]);
  });

  test('of another type or without JSON-RPC are ignored', async () => {
    const other = `event: other\n${event(progress).slice('event: message\n'.length)}`;
    const server = await startToolServer((received) =>
      stream(received, other, 'data: nonsense\n\n', event(5), event(result(1))),
    );
    expect(await converse(server, request(1))).toEqual([result(1)]);
  });

  test('are forwarded at once, and an open stream does not keep the bridge running', async () => {
    const server = await startToolServer(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(progress));
    });
    const bridge = startBridge(server);
    bridge.write(request(1));
    expect(await bridge.read(1)).toEqual([progress]);
    server.requests[0]!.response.write(event(result(1)));
    expect(await bridge.finish()).toEqual([progress, result(1)]);
  });
});

test('an id gets one response, even if the server repeats it or answers other ids', async () => {
  const server = await startToolServer((received) =>
    stream(received, event(result('1')), event(result(99)), event(result(1, 'first')), event(result(1, 'second'))),
  );
  expect(await converse(server, request(1))).toEqual([result(1, 'first')]);
});

test('a second request with an id in flight is rejected with an error without an id', async () => {
  const server = await startToolServer(() => undefined);
  const bridge = startBridge(server);
  bridge.write(request(1), request(1, 'again'));
  expect(await bridge.read(1)).toEqual([error(null, -32600)]);
  await until(() => server.requests.length === 1);
  echo(server.requests[0]!);
  expect(await bridge.finish()).toEqual([error(null, -32600), result(1, { method: 'ping' })]);
  expect(server.requests).toHaveLength(1);
});

test('1 and "1" are different ids', async () => {
  const server = await startToolServer();
  expect(await converse(server, request(1), request('1'))).toHaveLength(2);
});

test('notifications and responses of the client are forwarded and never answered', async () => {
  const statuses = [200, 202, 204, 400, 401, 429, 500];
  const server = await startToolServer((received) => {
    const status = statuses[server.requests.length - 1]!;
    answer(received, status, status === 204 ? undefined : error(null, -32603, 'no'));
  });
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const own = [result('server-1'), error('server-2', -1, 'no')];
  expect(await converse(server, ...own, ...Array.from({ length: 5 }, () => notification))).toEqual([]);
  expect(server.requests.map(({ body }) => body)).toEqual(expect.arrayContaining([...own, notification]));
  expect(server.requests).toHaveLength(7);
});

test.each([
  ['garbage', '{"jsonrpc"', -32700],
  ['invalid UTF-8', Buffer.from('7b2261223a22ff227d', 'hex'), -32700],
  ['a number', '42', -32600],
  ['null', 'null', -32600],
  ['an empty batch', '[]', -32600],
  ['an empty object', '{}', -32600],
  ['a request whose id is null', '{"jsonrpc":"2.0","id":null,"method":"x"}', -32600],
  ['a request whose id is an object', '{"jsonrpc":"2.0","id":{},"method":"x"}', -32600],
  ['a batch that contains a number', '[1]', -32600],
])('%s results in an error without an id, and the next line is processed', async (_, line, code) => {
  const server = await startToolServer();
  expect(await converse(server, line, '\n', request(1))).toEqual([error(null, code), result(1, { method: 'ping' })]);
  expect(server.requests).toHaveLength(1);
});

describe('a line of more than 4 MiB', () => {
  const padding = `"}]{[\\"${'x'.repeat(4 * MIB)}`;

  test.each([
    ['after', { jsonrpc: '2.0', method: 'x', params: { id: 7, nested: [{ id: 8, padding }] }, id: 'é' }],
    ['before', { id: 'é', jsonrpc: '2.0', method: 'x', params: [padding, { id: 7 }] }],
  ])('is rejected with its id %s the long part', async (_, message) => {
    const server = await startToolServer();
    expect(await converse(server, message, request(1))).toEqual([
      error('é', -32600, 'The message is longer than 4 MiB.'),
      result(1, { method: 'ping' }),
    ]);
    expect(server.requests).toHaveLength(1);
  });

  test('is rejected for each request of a batch', async () => {
    const server = await startToolServer();
    const batch = [request(1, 'x', { padding }), { jsonrpc: '2.0', method: 'note' }, request(2, 'x', { id: 3 })];
    expect(await converse(server, batch)).toEqual([error(1, -32600), error(2, -32600)]);
  });

  test('is rejected without an id if it has none, and ignored if it is a notification', async () => {
    const server = await startToolServer();
    const notification = { jsonrpc: '2.0', method: 'note', params: { padding } };
    expect(await converse(server, `${'x'.repeat(5 * MIB)}\n`, notification)).toEqual([error(null, -32600)]);
    expect(server.requests).toHaveLength(0);
  });

  test('is one byte longer than the longest line that is sent', async () => {
    const server = await startToolServer((received) => answer(received, 200, result(received.body.id)));
    const fill = (size: number) => {
      const empty = JSON.stringify(request(1, 'x', { padding: '' }));
      return `${JSON.stringify(request(1, 'x', { padding: 'x'.repeat(size - empty.length) }))}\n`;
    };
    expect(await converse(server, fill(4 * MIB))).toEqual([result(1)]);
    expect(await converse(server, fill(4 * MIB + 1))).toEqual([error(1, -32600)]);
  });
});

describe('a batch', () => {
  const batch = [request(1), { jsonrpc: '2.0', method: 'note' }, request(2)];

  test('is one POST, and its array response is one line', async () => {
    const server = await startToolServer();
    expect(await converse(server, batch)).toEqual([[result(1, { method: 'ping' }), result(2, { method: 'ping' })]]);
    expect(server.requests).toHaveLength(1);
  });

  test('that is answered with events results in lines', async () => {
    const server = await startToolServer((received) => stream(received, event(result(2)), event(result(1))));
    expect(await converse(server, batch)).toEqual([result(2), result(1)]);
  });

  test('with missing and repeated responses gets one response for each request', async () => {
    const server = await startToolServer((received) => answer(received, 200, [result(2), result(2), result(3)]));
    expect(await converse(server, batch)).toEqual([result(2), error(1, -32000)]);
  });

  test('that is rejected as a whole is rejected for each of its requests', async () => {
    const server = await startToolServer((received) => answer(received, 400, error(null, -32600, 'No batches.')));
    expect(await converse(server, batch)).toEqual([error(1, -32600, 'No batches.'), error(2, -32600, 'No batches.')]);
  });

  test('with a repeated id is not sent', async () => {
    const server = await startToolServer();
    expect(await converse(server, [request(1), request(1)])).toEqual([error(1, -32600)]);
    expect(server.requests).toHaveLength(0);
  });

  test('of notifications gets no response', async () => {
    const server = await startToolServer();
    expect(await converse(server, [batch[1], batch[1]])).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});
