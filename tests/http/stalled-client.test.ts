/** @jest-environment-options {"CLIENT_WRITE_TIMEOUT_MS": "300", "RATE_LIMIT_PER_MINUTE": "0", "TEST_REPLICA": "none"} */
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { withConnectionLimits } from '../../src/http/connection/connection-limits.ts';
import { until } from '../support/until.ts';
import { companies, keys } from '../support/world.ts';

/** Counts the service's connections that are not idle. */
async function countBusy(): Promise<number> {
  const [row] = await testService.query(`select count(*)::integer as busy from pg_stat_activity
    where datname = current_database() and usename = 'awareness_service' and state <> 'idle'`);
  return row!.busy as number;
}

/** Sends the same request repeatedly without reading the responses. */
function askWithoutReading(request: string, times = 1): Socket {
  const socket = connect(Number(new URL(testService.url).port), '127.0.0.1').on('error', () => undefined);
  socket.pause().write(request.repeat(times));
  return socket;
}

function head(line: string, ...headers: string[]): string {
  const { host } = new URL(testService.url);
  return [`${line} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${keys.tenant}`, ...headers, '', ''].join('\r\n');
}

/** Counts the responses that were cut off. */
const brokenAnswers = () => testService.log.filter((line) => line.includes('"complete":false')).length;

test('a client that stops reading loses its connection, and its query ends', async () => {
  await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name)
     select $1, gen_random_uuid(), 'many' || n || '@tenant.test', 'Many', n from generate_series(1, 60000) as n`,
    [companies.tenant],
  );
  const before = brokenAnswers();
  const socket = askWithoutReading(head('GET /v1/learners'));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await until(() => brokenAnswers() > before);
  await until(async () => (await countBusy()) === 0);
  socket.resume();
  await closed;
});

describe('a client that leaves single-piece responses unread is disconnected', () => {
  const lists = JSON.stringify(Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' })));
  const post = (body: string) =>
    head(
      'POST /mcp',
      'Content-Type: application/json',
      'Accept: application/json, text/event-stream',
      `Content-Length: ${body.length}`,
    ) + body;

  test.each<[string, () => string]>([
    ['from the API', () => head('GET /v1/openapi.json')],
    ['from the MCP server, in parts', () => post(lists)],
  ])('%s', async (_case, request) => {
    const before = brokenAnswers();
    const socket = askWithoutReading(request(), 10);
    // Sends many requests, because the operating system buffers many responses.
    const asking = setInterval(() => socket.write(request().repeat(10)), 400);
    await until(() => brokenAnswers() > before);
    clearInterval(asking);
    socket.destroy();
  });
});

test('a client that reads slowly gets the whole response', async () => {
  const socket = askWithoutReading(head('GET /v1/openapi.json', 'Connection: close'), 1);
  let bytes = 0;
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.on('data', (data: Buffer) => {
    bytes += data.length;
    socket.pause();
    setTimeout(() => socket.resume(), 100);
  });
  socket.resume();
  await ended;
  const whole = await fetch(`${testService.url}/v1/openapi.json`).then((answer) => answer.text());
  expect(bytes).toBeGreaterThan(Buffer.byteLength(whole));
});

test('a client that reads too slowly is disconnected after the maximum exchange time', async () => {
  const bounds = { clientWriteTimeoutMs: 60_000, maxExchangeMs: 300 };
  const server = createServer(
    withConnectionLimits(bounds, (_req, res) => {
      const dripping = setInterval(() => res.write('.'), 20);
      res.once('close', () => clearInterval(dripping));
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await expect(answer.text()).rejects.toThrow('terminated');
  await new Promise((resolve) => server.close(resolve));
});

test('a slow operation is not mistaken for a client that does not read', async () => {
  await testService.query(`
    create function take_long() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
    create trigger takes_long before insert on groups execute function take_long()`);
  const answer = await fetch(`${testService.url}/v1/groups`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Late' }),
  });
  expect(answer.status).toBe(200);
});
