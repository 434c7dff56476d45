import { once } from 'node:events';
import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variables.ts';
import { insertManyLearners } from '../support/many-learners.ts';
import { companies, keys } from '../support/world.ts';
import { startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

afterEach(stopServices);

/**
 * Returns the settings of a process with only the API: these tests hold for every role, and a process with fewer roles
 * starts in half the time.
 */
const env = () => ({ DATABASE_URL: testService.database.serviceUrl, ROLES: 'api' });
const COUNT = 25_000;

describe('an invalid configuration', () => {
  test.each([
    ['DATABASE_URL', ''],
    ['DATABASE_URL', 'mysql://root:secret@localhost/db'],
    ['DATABASE_DIRECT_URL', 'mysql://root:secret@localhost/db'],
    ['PORT', 'eighty'],
  ])('with %s="%s" ends the process with a sentence that names it', async (name, value) => {
    const service = await startService({ ...env(), [name]: value });
    expect(await service.exit).toEqual({ code: 78, signal: null });
    expect(service.output()).toContain(name);
    expect(service.output()).not.toContain('secret');
  });

  test.each([
    ['RATE_LIMIT_PER_MINUTE', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['CORS_ORIGINS', 'tools.example'],
  ])('with %s="%s" is rejected by name', (name, value) => {
    expect(() => readConfig({ ...env(), [name]: value })).toThrow(ConfigError);
    expect(() => readConfig({ ...env(), [name]: value })).toThrow(name);
  });

  test('with a role that owns the tables is rejected', async () => {
    const service = await startService({ ...env(), DATABASE_URL: testService.database.ownerUrl });
    expect((await service.exit).code).toBe(78);
    expect(service.output()).toContain('owns no tables');
  });

  test('with sessions in a time zone other than UTC is rejected', async () => {
    // Options in the URL override the options of the service, as a pooler does.
    const url = `${testService.database.serviceUrl}?options=-c%20TimeZone%3DEurope/Berlin`;
    const service = await startService({ ...env(), DATABASE_URL: url });
    expect((await service.exit).code).toBe(78);
    expect(service.output()).toContain('must use UTC');
  });

  test('with a port in use ends with one clear line', async () => {
    const service = await startService({ ...env(), PORT: new URL(testService.url).port });
    expect((await service.exit).code).toBe(1);
    expect(service.output()).toContain('cannot listen');
  });
});

describe('SIGTERM', () => {
  /** Opens the list of learners without reading it. */
  function openList(url: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${keys.tenant}` };
      const agent = new Agent({ keepAlive: true });
      httpGet(`${url}/learners`, { headers, agent }, (response) => resolve(response.pause())).on('error', reject);
    });
  }

  async function withLargeList(drainTimeoutMs: number): Promise<Awaited<ReturnType<typeof startService>>> {
    const service = await startService({ ...env(), DRAIN_TIMEOUT_MS: String(drainTimeoutMs) });
    await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
    return service;
  }

  /**
   * Expects that a request pipelined behind the last response of a connection is not executed, because it would get
   * no response.
   */
  async function expectLastAnswerIsLast(url: string): Promise<void> {
    const creation = (name: string) => {
      const body = JSON.stringify({ name });
      const head = `POST /v1/groups HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.tenant}\r\n`;
      return `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(creation('Answered') + creation('Never answered'));
    const answers = (await text(socket)).match(/^HTTP\/1\.1 \d+/gm);
    expect(answers).toEqual(['HTTP/1.1 200']);
    expect(await testService.query(`select name from groups where name like '%nswered'`)).toEqual([
      { name: 'Answered' },
    ]);
  }

  beforeAll(async () => {
    await insertManyLearners({ companyIds: [companies.tenant], count: COUNT, words: 80 });
  });

  test('keeps serving for DRAIN_DELAY_MS, announces the end of each connection, and ends it', async () => {
    const service = await startService({ ...env(), DRAIN_DELAY_MS: '5000' });
    await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
    const answer = () => fetch(`${service.url}/company`, { headers: { authorization: `Bearer ${keys.tenant}` } });
    expect((await answer()).headers.get('connection')).toBe('keep-alive');
    service.child.kill('SIGTERM');
    await until(async () => (await statusOf(`${service.url}/ready`)) === 503);
    const last = await answer();
    expect([last.status, last.headers.get('connection')]).toEqual([200, 'close']);
    await expectLastAnswerIsLast(service.url);
    expect(await service.exit).toEqual({ code: 0, signal: null });
  });

  test('completes a running response, accepts no new one, waits for no connection and exits with 0', async () => {
    const service = await withLargeList(30_000);
    const unused = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(unused, 'connect');
    const list = await openList(service.url);
    service.child.kill('SIGTERM');
    await until(async () => (await statusOf(`${service.url}/health`)) === 0);
    service.child.kill('SIGINT');
    let text = '';
    for await (const chunk of list) text += String(chunk);
    expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(COUNT + 5);
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(service.output()).not.toContain('drain timed out with work still running');
  });

  test('does not wait for a client that never reads', async () => {
    const service = await withLargeList(1000);
    const list = await openList(service.url);
    list.on('error', () => undefined);
    service.child.kill('SIGTERM');
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(service.output()).toMatch(
      /"running":\["requests"\],"unanswered":1,"msg":"drain timed out with work still running"/,
    );
  });
});
