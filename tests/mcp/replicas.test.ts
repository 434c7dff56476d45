/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect as openSocket } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type pg from 'pg';
import { createApp } from '../../src/app.ts';
import { openBreachFeed } from '../../src/resources/breaches/feed/open-breach-feed.ts';
import { readConfig } from '../../src/config/config.ts';
import { openServicePool } from '../support/service-pool.ts';
import { publishContract } from '../../src/rest/published-contract.ts';
import { loadRequestValidator } from '../../src/rest/request-validator.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics/metrics.ts';
import { get } from '../support/client.ts';
import { NO_SITE } from '../support/no-site.ts';
import { companies, keys } from '../support/world.ts';
import { worldFeed } from '../support/world-breaches.ts';
import { call, type Era, read, resultOf, send, toolCall } from './mcp-support.ts';

const document = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as {
  info: { version: string };
};
let pool: pg.Pool;
let second: Server;
let port: number;

/** Starts another instance of the service with the same public URL. */
beforeAll(async () => {
  const config = readConfig({
    PUBLIC_URL: testService.url,
    OAUTH_SECRET: 'of-the-tests'.repeat(3),
  });
  const logs = createLogs('silent');
  pool = openServicePool(5);
  const breachFeed = openBreachFeed({ pool, logger: logs.logger, localFeed: worldFeed });
  const readiness = { ready: true, started: true };
  const loadValidator = () => loadRequestValidator(document);
  const contract = publishContract(document);
  const site = NO_SITE;
  const { listener } = await createApp({
    config,
    ...logs,
    metrics: createMetrics(),
    pool,
    contract,
    site,
    readiness,
    breachFeed,
    loadValidator,
  });
  second = createServer(listener);
  await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve));
  ({ port } = second.address() as AddressInfo);
});
afterAll(async () => {
  second.closeAllConnections();
  await new Promise((resolve) => second.close(resolve));
  await pool.end();
});

describe.each(['legacy', 'modern'] as Era[])(
  'a client of the %s era whose requests alternate between two processes',
  (era) => {
    test('gets the same results from both', async () => {
      const first = Number(new URL(testService.url).port);
      const asked: Record<number, number> = { [first]: 0, [port]: 0 };
      let turn = 0;
      const inTurns = (url: string | URL, init?: RequestInit) => {
        const to = new URL(url);
        to.port = String([first, port][turn++ % 2]);
        asked[Number(to.port)]! += 1;
        return fetchAs(to, new URL(testService.url).host, init);
      };
      const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const);
      const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } });
      const requestInit = { headers: { authorization: `Bearer ${keys.tenant}` } };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${testService.url}/mcp`), { fetch: inTurns, requestInit }),
      );
      for (let n = 0; n < 10; n++) {
        const result = await client.callTool({
          name: 'service_list_learners',
          arguments: { limit: 1, cursor: String(n % 5) },
        });
        const { items } = JSON.parse(resultOf({ jsonrpc: '2.0', result }).text) as { items: { email: string }[] };
        expect(items[0]!.email).toBe(`learner${(n % 5) + 1}@tenant.test`);
        expect((await client.listTools()).tools.length).toBeGreaterThan(10);
      }
      await client.close();
      for (const count of Object.values(asked)) expect(count).toBeGreaterThanOrEqual(5);
    });
  },
);

/** Fetches with the Host of the load balancer. */
async function fetchAs(url: URL, host: string, init: RequestInit = {}): Promise<Response> {
  const headers = Object.fromEntries(new Headers(init.headers));
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: init.method ?? 'GET', headers: { ...headers, host } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
        resolve(
          new Response(body, { status: response.statusCode!, headers: response.headers as Record<string, string> }),
        );
      });
    });
    sent.on('error', reject);
    sent.end(init.body);
  });
}

const full = {
  authorization: `Bearer ${keys.tenant}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

describe('concurrent calls', () => {
  test('of different keys and kinds get their own results', async () => {
    const names = Object.keys(companies).filter((name) => name !== 'childB') as (keyof typeof companies)[];
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const key = names[n % names.length]!;
        if (n % 2 === 0) expect((await read('service_get_company', {}, key)).id).toBe(companies[key]);
        else expect((await read('service_list_admins', { limit: 1 }, key)).items[0].email).toContain(key.toLowerCase());
      }),
    );
  });

  test('in a batch are answered one by one in one response', async () => {
    const batch = Array.from({ length: 30 }, (_, id) =>
      toolCall('service_list_learners', { limit: 1, cursor: String(id % 5) }, id),
    );
    const { messages } = await send(JSON.stringify(batch));
    const learners = (await get('/learners')).body.data;
    expect(messages).toHaveLength(30);
    for (const message of messages)
      expect(JSON.parse(resultOf(message).text).items).toEqual([learners[(message.id as number) % 5]]);
  });

  test('of clients that hang up log no errors', async () => {
    const { port } = new URL(testService.url);
    const body = JSON.stringify(toolCall('service_get_report', { kind: 'learning' }));
    const head = Object.entries({ host: `127.0.0.1:${port}`, ...full }).map(([name, value]) => `${name}: ${value}\r\n`);
    const whole = `POST /mcp HTTP/1.1\r\n${head.join('')}content-length: ${body.length}\r\n\r\n${body}`;
    for (let n = 0; n < 40; n++) {
      const socket = openSocket(Number(port), '127.0.0.1').on('error', () => undefined);
      socket.write(whole.slice(0, n % 2 === 0 ? whole.length : -10));
      await new Promise((resolve) => setTimeout(resolve, n % 8));
      socket.destroy();
    }
    expect((await call('service_get_company')).isError).toBe(false);
    expect(testService.log.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  });
});
