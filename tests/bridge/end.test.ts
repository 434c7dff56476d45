import { Readable, pipeline } from 'node:stream';
import { until } from '../support/until.ts';
import {
  answer,
  cancellation,
  echo,
  event,
  request,
  result,
  startBridge,
  startToolServer,
  stopAll,
  stream,
} from './support.ts';

afterEach(stopAll);

/** Starts a server that answers calls once the test allows it. */
async function startPatientServer() {
  const gate = Promise.withResolvers<void>();
  const server = await startToolServer((received) => void gate.promise.then(() => echo(received)));
  return { server, letGo: () => gate.resolve() };
}

test('requests in flight when stdin closes are answered before the bridge ends', async () => {
  const { server, letGo } = await startPatientServer();
  const bridge = startBridge(server);
  bridge.write(request(1), request(2), { jsonrpc: '2.0', method: 'note' });
  bridge.child.stdin!.end();
  await until(() => server.requests.length === 3);
  expect(bridge.child.exitCode).toBeNull();
  letGo();
  expect((await bridge.finish()).map(({ id }) => id).sort()).toEqual([1, 2]);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the bridge after the requests in flight are answered',
  async (signal) => {
    const { server, letGo } = await startPatientServer();
    const bridge = startBridge(server);
    bridge.write(request(1));
    await until(() => server.requests.length === 1);
    bridge.child.kill(signal);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(bridge.child.exitCode).toBeNull();
    letGo();
    expect(await bridge.exit).toBe(0);
    expect(bridge.messages).toEqual([result(1, { method: 'ping' })]);
  },
);

test('SIGTERM ends an idle bridge at once', async () => {
  const { server } = await startPatientServer();
  const bridge = startBridge(server);
  bridge.write('nonsense\n');
  await bridge.read(1);
  bridge.child.kill('SIGTERM');
  expect(await bridge.exit).toBe(0);
});

test('a second signal ends the bridge without waiting', async () => {
  const { server } = await startPatientServer();
  const bridge = startBridge(server);
  bridge.write(request(1));
  await until(() => server.requests.length === 1);
  // Two simultaneous signals can arrive as one.
  const signals = setInterval(() => bridge.child.kill('SIGTERM'), 200);
  await bridge.exit;
  clearInterval(signals);
  expect(await bridge.exit).toBe(1);
});

test('a request that never ends delays the end by a minute, and gets an error', async () => {
  const server = await startToolServer(({ response }) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(': working\n\n'), 50);
    response.on('close', () => clearInterval(timer));
  });
  const bridge = startBridge(server, { minuteMs: 3000 });
  bridge.write(request(1));
  const [message, ...more] = await bridge.finish();
  expect(message).toMatchObject({ id: 1, error: { message: 'The bridge ended before the tool server responded.' } });
  expect(more).toEqual([]);
});

describe('notifications/cancelled', () => {
  test('aborts the request, which then gets no response', async () => {
    const { server } = await startPatientServer();
    const bridge = startBridge(server);
    bridge.write(request('a'), request('b'));
    await until(() => server.requests.length === 2);
    bridge.write(cancellation('a'));
    const [first, second] = ['a', 'b'].map((id) => server.requests.find(({ body }) => body.id === id)!);
    await until(() => first!.isBroken());
    expect(second!.isBroken()).toBe(false);
    answer(second!, 200, result('b'));
    expect(await bridge.finish()).toEqual([result('b')]);
    expect(server.requests).toHaveLength(2);
  });

  test('aborts a response that has begun', async () => {
    const server = await startToolServer(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ jsonrpc: '2.0', method: 'notifications/progress' }));
    });
    const bridge = startBridge(server);
    bridge.write(request(1));
    await bridge.read(1);
    bridge.write(cancellation(1));
    await until(() => server.requests[0]!.isBroken());
    expect(await bridge.finish()).toHaveLength(1);
  });

  test('for one request in a batch leaves the others', async () => {
    const { server, letGo } = await startPatientServer();
    const bridge = startBridge(server);
    bridge.write([request(1), request(2)]);
    await until(() => server.requests.length === 1);
    bridge.write(cancellation(1));
    await new Promise((resolve) => setTimeout(resolve, 200));
    letGo();
    expect(await bridge.finish()).toEqual([result(2, { method: 'ping' })]);
  });

  test('for a request that is not in flight changes nothing', async () => {
    const server = await startToolServer();
    const bridge = startBridge(server);
    bridge.write(cancellation(1), cancellation(undefined), request(1));
    expect(await bridge.finish()).toEqual([result(1, { method: 'ping' })]);
    expect(server.requests).toHaveLength(1);
  });
});

test('a huge response waits for a slow client, and the bridge keeps working', async () => {
  const text = 'é'.repeat(12 * 1024 * 1024);
  const server = await startToolServer((received) => {
    if (received.body.id === 1) answer(received, 200, result(1, text));
    else stream(received, event(result(received.body.id)));
  });
  const bridge = startBridge(server, { minuteMs: 3000 });
  bridge.child.stdout!.pause();
  bridge.write(request(1));
  await until(() => server.requests.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 4000));
  bridge.write(request(2));
  await until(() => server.requests.length === 2);
  bridge.child.stdout!.resume();
  const answers = await bridge.read(2);
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(answers[0].error).toBeUndefined();
  expect(answers[0].result === text).toBe(true);
  await bridge.finish();
});

test('a client that leaves its responses unread is slowed down, and loses none', async () => {
  const server = await startToolServer((received) =>
    answer(received, 200, result(received.body.id, 'x'.repeat(100_000))),
  );
  const bridge = startBridge(server);
  bridge.child.stdout!.pause();
  for (let id = 0; id < 600; id++) bridge.write(request(id, 'ping', { padding: 'y'.repeat(5000) }));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(server.requests.length).toBeLessThan(300);
  bridge.child.stdout!.resume();
  expect(await bridge.finish()).toHaveLength(600);
});

test('a response of more than 64 MiB is an error', async () => {
  const server = await startToolServer(({ response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const spaces = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(1024 * 1024, ' ')));
    pipeline(spaces, response, () => undefined);
  });
  const bridge = startBridge(server);
  bridge.write(request(1));
  const [message] = await bridge.finish();
  expect(message).toMatchObject({ id: 1, error: { message: 'The response of the tool server is too long.' } });
});

test('a disconnected client ends the bridge without output', async () => {
  const { server, letGo } = await startPatientServer();
  const bridge = startBridge(server);
  bridge.write(request(1));
  await until(() => server.requests.length === 1);
  bridge.child.stdout!.destroy();
  letGo();
  expect(await bridge.exit).toBe(0);
  expect(bridge.stderr).toBe('');
});
