import {
  answer,
  converse,
  echo,
  event,
  request,
  result,
  startBridge,
  startToolServer,
  stopAll,
  stream,
  toolCall,
} from './support.ts';

afterEach(stopAll);

const initialize = request(0, 'initialize', { protocolVersion: '2025-11-25' });

describe('the era up to 2025-11-25', () => {
  test('sends the negotiated version in a header after the response to initialize', async () => {
    const server = await startToolServer((received) =>
      received.body.method === 'initialize'
        ? stream(received, event(result(0, { protocolVersion: '2025-06-18' })))
        : echo(received),
    );
    const bridge = startBridge(server);
    bridge.write(request('early'));
    await bridge.read(1);
    bridge.write(initialize);
    await bridge.read(2);
    bridge.write({ jsonrpc: '2.0', method: 'notifications/initialized' }, request(1, 'tools/call', { name: 'x' }));
    await bridge.read(3);
    bridge.write({ ...initialize, id: 2 });
    await bridge.finish();
    const versionOf = (method: string) =>
      server.requests
        .filter(({ body }) => body.method === method)
        .map(({ headers }) => headers['mcp-protocol-version']);
    expect(['ping', 'initialize', 'notifications/initialized', 'tools/call'].map(versionOf)).toEqual([
      [undefined],
      [undefined, undefined],
      ['2025-06-18'],
      ['2025-06-18'],
    ]);
    for (const { headers } of server.requests) {
      expect(headers).not.toHaveProperty('mcp-method');
      expect(headers).not.toHaveProperty('mcp-name');
    }
  });

  test('ignores a version that is unsafe in a header', async () => {
    const server = await startToolServer((received) =>
      answer(received, 200, result(received.body.id, { protocolVersion: 'a\nb' })),
    );
    const bridge = startBridge(server);
    bridge.write(initialize);
    await bridge.read(1);
    bridge.write(request(1));
    expect(await bridge.finish()).toHaveLength(2);
    expect(server.requests[1]!.headers).not.toHaveProperty('mcp-protocol-version');
  });
});

describe('the era from 2026-07-28', () => {
  test.each([
    ['tools/call', { name: 'the tool' }, 'the tool'],
    ['prompts/get', { name: 'p' }, 'p'],
    ['resources/read', { uri: 'file:///x', name: 'no' }, 'file:///x'],
    ['tasks/get', { taskId: 't' }, 't'],
    ['tasks/update', { taskId: 't' }, 't'],
    ['tasks/cancel', { taskId: 't' }, 't'],
    ['tools/list', { name: 'no' }, undefined],
    ['tools/call', { name: 5 }, undefined],
    ['toString', { name: 'no' }, undefined],
  ])('%s with %j sends its version, method and name in headers', async (method, params, name) => {
    const server = await startToolServer();
    const version = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };
    await converse(server, request(1, method, { ...params, ...version }));
    const { headers } = server.requests[0]!;
    expect(headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method });
    expect(headers['mcp-name']).toBe(name);
  });

  test.each(['', ' x', 'x\t', 'zoë', 'a\nb', 'a\u007fb', '=?base64?eA==?=', '=?base64?=', '😀', '\ud800', '\u00a0x'])(
    'a name that a header cannot carry is encoded: %j',
    async (name) => {
      const server = await startToolServer();
      await converse(server, toolCall(1, name));
      const base64 = Buffer.from(name).toString('base64');
      expect(server.requests[0]!.headers['mcp-name']).toBe(`=?base64?${base64}?=`);
    },
  );

  test.each(['a b', 'a\tb', '=?base64?', '~!"#', '?='])(
    'a name that a header can carry is unchanged: %j',
    async (name) => {
      const server = await startToolServer();
      await converse(server, toolCall(1, name));
      expect(server.requests[0]!.headers['mcp-name']).toBe(name);
    },
  );

  test('a version in the message is used, even after an initialize', async () => {
    const server = await startToolServer((received) =>
      answer(received, 200, result(received.body.id, { protocolVersion: '2025-11-25' })),
    );
    const bridge = startBridge(server);
    bridge.write(initialize);
    await bridge.read(1);
    bridge.write(toolCall(1, 'x'));
    await bridge.finish();
    expect(server.requests[1]!.headers['mcp-protocol-version']).toBe('2026-07-28');
  });

  test('an invalid version or method is left for the server to reject', async () => {
    const server = await startToolServer();
    const odd = { ...toolCall(1, 'x', 'a\r\nX-Evil: 1'), method: 'ünknown\n' };
    expect(await converse(server, odd)).toHaveLength(1);
    expect(server.requests[0]!.headers).not.toHaveProperty('x-evil');
  });
});
