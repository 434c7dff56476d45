import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../src/app.ts';
import type { BreachSourceFailure } from '../../src/resources/breaches/feed/breach-source.ts';
import { readConfig } from '../../src/config/config.ts';
import { openServicePool } from '../support/service-pool.ts';
import { publishContract } from '../../src/rest/published-contract.ts';
import { loadRequestValidator, type RequestValidator } from '../../src/rest/request-validator.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics/metrics.ts';
import { NO_SITE } from '../support/no-site.ts';
import { expectContract } from '../support/client.ts';
import { companies, keys, type KeyName, learnerId } from '../support/world.ts';
import { age, feedLog, feedOf, forgetFeed, ScriptedSource } from './feed-state.ts';

const config = readConfig({ KEY_CACHE_MS: '0' });
const pool = openServicePool(5);
const said: string[] = [];
let validator: Promise<RequestValidator>;
let source: ScriptedSource;
let server: Server;
let document: { info: { version: string } };

beforeAll(async () => {
  document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as typeof document;
  validator = loadRequestValidator(document);
});
// The test service's own feed always answers; this app has a feed that can fail.
beforeEach(async () => {
  source = new ScriptedSource();
  source.domains = { 'tenant.test': { learner1: ['Wander'] } };
  const logs = createLogs('info', { write: (line) => void said.push(line) });
  const readiness = { ready: true, started: true };
  const breachFeed = feedOf(source);
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
    loadValidator: () => validator,
  });
  server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await forgetFeed();
  said.length = 0;
});
afterAll(() => pool.end());

const paths = ['/breaches/accounts', '/breaches/services', `/learners/${learnerId('tenant', 1)}/breaches`];

async function ask(path: string, key: KeyName = 'tenant') {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/v1${path}`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${keys[key]}` } });
  const text = await response.text();
  expectContract('GET', `/v1${path}`, response.status, response.headers.get('content-type') ?? '', text);
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: JSON.parse(text) as { data?: unknown[]; coverage?: unknown; error?: { code: string; message: string } },
  };
}

describe.each(paths)('GET %s while the feed is unavailable', (path) => {
  test.each<[BreachSourceFailure, number, string]>([
    ['refused', 503, 'breach_data_unavailable'],
    ['limited', 503, 'breach_data_unavailable'],
    ['failing', 503, 'breach_data_unavailable'],
    ['unreadable', 503, 'breach_data_unavailable'],
    ['unreachable', 502, 'service_unavailable'],
    ['slow', 504, 'service_timeout'],
  ])('(%s) returns %i %s without revealing the cause', async (failure, status, code) => {
    for (const subjects of [['*'], ['tenant.test']]) {
      source.failures.clear();
      source.fail(failure, subjects);
      const answer = await ask(path);
      expect(answer).toMatchObject({ status, retryAfter: null, body: { error: { code } } });
      expect(JSON.stringify(answer.body)).not.toMatch(/hush-hush|scripted|tenant\.test/);
    }
    expect(feedLog.filter((line) => line.includes(failure))).toHaveLength(2);
    expect(said.filter((line) => line.includes(code))).toHaveLength(2);
  });

  test('and rate-limited returns Retry-After', async () => {
    source.fail('limited', ['tenant.test'], 59_500);
    expect(await ask(path)).toMatchObject({ status: 503, retryAfter: '60' });
  });

  test('returns stored data for a week', async () => {
    const before = await ask(path);
    expect(before.status).toBe(200);
    source.fail('unreachable', ['*', 'tenant.test']);
    await age('6 days 23 hours');
    expect(await ask(path)).toEqual(before);
    await age('2 hours');
    expect(await ask(path)).toMatchObject({ status: 502 });
    source.failures.clear();
    expect(await ask(path)).toEqual(before);
  });
});

describe.each(paths)('GET %s for two domains', (path) => {
  const setDomains = (domains: string[]) =>
    testService.query('update companies set smbreachprodomains = $2 where id = $1', [companies.tenant, domains]);
  const watchedDomains = ['refused.test', 'tenant.test'];

  beforeEach(() => setDomains(watchedDomains));
  afterEach(() => setDomains(['tenant.test']));

  test('returns data of one domain and names the unavailable one', async () => {
    source.fail('refused', ['refused.test']);
    const { status, body } = await ask(path);
    expect(status).toBe(200);
    expect(body.data).not.toEqual([]);
    expect(body.coverage).toEqual({ watchedDomains, unavailableDomains: ['refused.test'] });
  });

  test('hides data of the unavailable domain that is older than a week', async () => {
    source.domains['refused.test'] = { learner2: ['Pixel'] };
    expect((await ask(path)).body.coverage).toEqual({ watchedDomains, unavailableDomains: [] });
    source.fail('refused', ['refused.test']);
    await age('6 days');
    expect((await ask(path)).body.coverage).toEqual({ watchedDomains, unavailableDomains: [] });
    await age('25 hours', ['refused.test']);
    const { body } = await ask(path);
    expect(body.coverage).toEqual({ watchedDomains, unavailableDomains: ['refused.test'] });
    expect(JSON.stringify(body.data)).not.toContain('learner2@refused.test');
  });

  test('returns 503 if both domains are unavailable', async () => {
    source.fail('refused', watchedDomains);
    const { status, body } = await ask(path);
    expect(status).toBe(503);
    expect(body.error).toMatchObject({ code: 'breach_data_unavailable', message: expect.not.stringMatching(/later/) });
  });
});

test('an unknown learner returns 404 before the feed is asked', async () => {
  source.fail('refused', ['*']);
  expect(await ask(`/learners/${learnerId('other', 1)}/breaches`)).toMatchObject({ status: 404 });
  expect(source.asked).toEqual([]);
});

test('a company without the module causes no request to the feed', async () => {
  await testService.query('update companies set smbreachproenabled = false where id = $1', [companies.other]);
  for (const path of ['/breaches/accounts', '/breaches/services', `/learners/${learnerId('other', 1)}/breaches`]) {
    expect(await ask(path, 'other')).toMatchObject({ status: 403, body: { error: { code: 'module_not_enabled' } } });
  }
  expect(source.asked).toEqual([]);
});

test("the feed is asked only about watched domains, including a child's for its MSP", async () => {
  await ask('/breaches/accounts', 'msp');
  expect(source.asked).toEqual(['*', 'msp.test']);
  await ask(`/breaches/services?companyId=${companies.childA}`, 'msp');
  expect(source.asked).toEqual(['*', 'msp.test', 'childa.test']);
});

test('a feed failure for a child is returned to its MSP, whose own accounts stay readable', async () => {
  source.fail('refused', ['childa.test']);
  expect(await ask(`/breaches/accounts?companyId=${companies.childA}`, 'msp')).toMatchObject({ status: 503 });
  expect(await ask('/breaches/accounts', 'msp')).toMatchObject({ status: 200 });
});
