import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variables.ts';
import { answer, FEED_KEY, FeedServer, listed } from '../breach-feed/feed-support.ts';
import { keys } from '../support/world.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

const feed = new FeedServer();
beforeAll(() => feed.start());
afterEach(async () => {
  stopServices();
  await feed.reset();
  await testService.query('delete from breaches');
  await testService.query('delete from breach_feed_answers');
});
afterAll(() => feed.stop());

const database = { DATABASE_URL: testService.database.serviceUrl, ROLES: 'api' };
const withFeed = () => ({ ...database, BREACH_FEED_KEY: FEED_KEY, BREACH_FEED_URL: feed.url });
const acme = {
  '/breaches': [listed('Wander')],
  '/breacheddomain/tenant.test': { learner1: ['Wander'], press: ['Wander'] },
};

async function start(env: Record<string, string>): Promise<Service> {
  const service = await startService(env);
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

/** Returns the ready line of the log, which can arrive after the first response. */
async function readyLine(service: Service): Promise<unknown> {
  const find = () => /^.*"msg":"ready".*\n/m.exec(service.output())?.[0];
  await until(() => find() !== undefined);
  return JSON.parse(find()!);
}

async function ask(service: Service, path = '/breaches/accounts') {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${keys.tenant}` } });
  const text = await response.text();
  const type = response.headers.get('content-type')!;
  expect(testService.checkResponse('GET', `/v1${path}`, response.status, type, text)).toBeUndefined();
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: JSON.parse(text) as { data?: { email: string; accountType: string }[]; error?: { code: string } },
  };
}

describe('a service with a feed', () => {
  test('responds from the feed, requests it once, and logs it at the start', async () => {
    feed.behaviour = answer(acme);
    const service = await start(withFeed());
    const { status, body } = await ask(service);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { email: 'learner1@tenant.test', accountType: 'activeLearner' },
      { email: 'press@tenant.test', accountType: 'nonLearner' },
    ]);
    await Promise.all([ask(service), ask(service, '/breaches/services')]);
    expect(feed.asked).toEqual(['/api/v3/breaches', '/api/v3/breacheddomain/tenant.test']);
    expect(feed.lastHeaders['hibp-api-key']).toBe(FEED_KEY);
    expect(await readyLine(service)).toMatchObject({ breachFeed: feed.url });
    expect(service.output()).not.toContain(FEED_KEY);
  });

  test('reports a refused, unreachable or limited feed to clients, and logs the cause without the key', async () => {
    const service = await start(withFeed());
    const html = '<!doctype html><title>Just a moment...</title>';
    feed.behaviour = (_request, response) => void response.writeHead(403, { 'content-type': 'text/html' }).end(html);
    expect(await ask(service)).toMatchObject({
      status: 503,
      retryAfter: null,
      body: { error: { code: 'breach_data_unavailable' } },
    });
    feed.behaviour = (request) => request.socket.resetAndDestroy();
    expect(await ask(service)).toMatchObject({ status: 502, body: { error: { code: 'service_unavailable' } } });
    feed.behaviour = (_request, response) => void response.writeHead(429, { 'retry-after': '50' }).end();
    const limited = await ask(service);
    expect(limited).toMatchObject({ status: 503, body: { error: { code: 'breach_data_unavailable' } } });
    expect(Number(limited.retryAfter)).toBeGreaterThan(45);
    const asked = feed.asked.length;
    feed.behaviour = answer(acme);
    expect(await ask(service)).toMatchObject({ status: 503, body: { error: { code: 'breach_data_unavailable' } } });
    expect(feed.asked).toHaveLength(asked);
    const isLogged = (failure: string) => service.output().includes(failure);
    await until(() => ['refused', 'unreachable', 'limited'].every(isLogged));
    expect(service.output()).not.toContain(FEED_KEY);
    expect(await statusOf(`${service.url}/ready`)).toBe(200);
  });
});

test('a service without a feed uses the local feed, logs it, and reports unknown domains as unavailable', async () => {
  const service = await start({ ...database, BREACH_FEED_KEY: ' ', BREACH_FEED_URL: '' });
  expect(await readyLine(service)).toMatchObject({ breachFeed: 'local' });
  expect(await ask(service)).toMatchObject({ status: 503, body: { error: { code: 'breach_data_unavailable' } } });
  expect(feed.asked).toEqual([]);
});

describe('feed settings', () => {
  const read = (env: Record<string, string>) => readConfig({ ...database, BREACH_FEED_KEY: 'hush-hush', ...env });

  test.each<[string, Record<string, string>]>([
    ['BREACH_FEED_URL', { BREACH_FEED_KEY: 'hush-hush', BREACH_FEED_URL: 'http://feed.test/api/v3' }],
    ['BREACH_FEED_KEY', { BREACH_FEED_URL: 'https://feed.test/api/v3' }],
  ])('that are invalid end the process with a sentence that names %s', async (name, settings) => {
    const service = await startService({ ...database, ...settings });
    expect(await service.exit).toEqual({ code: 78, signal: null });
    expect(service.output()).toMatch(/^[^\n]+\n$/);
    expect(service.output()).toContain(name);
    expect(service.output()).not.toContain('hush-hush');
  });

  test.each([
    'feed.test',
    'ftp://feed.test',
    'https://',
    'https://feed.test/?key=1',
    'https://feed.test/#top',
    'http://feed.test',
    'http://10.0.0.1/api/v3',
    'http://192.168.1.1',
    'http://0.0.0.0',
    'http://[::]',
    'http://[fe80::1]',
    'http://localhost.feed.test',
    'http://127.0.0.1.feed.test',
    'http://127.feed.test',
    'http://localhost@feed.test',
    'http://[::ffff:10.0.0.1]',
    'HTTP://FEED.TEST',
  ])('reject BREACH_FEED_URL=%s by its name', (BREACH_FEED_URL) => {
    expect(() => read({ BREACH_FEED_URL })).toThrow(ConfigError);
    expect(() => read({ BREACH_FEED_URL })).toThrow(/^BREACH_FEED_URL (?!.*hush-hush)/);
  });

  test.each(['two words', 'line\r\nbreak', 'tab\there', 'schlüssel', '🦊', 'null\0'])(
    'reject BREACH_FEED_KEY=%j by its name, without the key',
    (BREACH_FEED_KEY) => {
      expect(() => read({ BREACH_FEED_KEY })).toThrow(/^BREACH_FEED_KEY /);
      expect(() => read({ BREACH_FEED_KEY })).not.toThrow(BREACH_FEED_KEY);
    },
  );

  test.each<Record<string, string>>([{}, { BREACH_FEED_URL: '' }, { BREACH_FEED_URL: ' ' }])(
    'select the local feed for %j without a key',
    (settings) => {
      for (const BREACH_FEED_KEY of ['', ' \t'])
        expect(read({ ...settings, BREACH_FEED_KEY }).breachFeed).toBeUndefined();
    },
  );

  test.each([
    ['', 'https://haveibeenpwned.com/api/v3'],
    ['https://feed.test/api/v3', 'https://feed.test/api/v3'],
    ['https://feed.test/api/v3//', 'https://feed.test/api/v3'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://127.0.0.1:8080/api/', 'http://127.0.0.1:8080/api'],
    ['http://[::1]:8080', 'http://[::1]:8080'],
  ])('accept BREACH_FEED_URL="%s" as %s', (BREACH_FEED_URL, url) => {
    expect(read({ BREACH_FEED_URL }).breachFeed).toEqual({ url, key: 'hush-hush' });
  });

  test('ignore white space around the key', () => {
    expect(read({ BREACH_FEED_KEY: ' hush-hush\n' }).breachFeed!.key).toBe('hush-hush');
  });
});
