import { setTimeout as sleep } from 'node:timers/promises';
import { keys } from '../support/world.ts';
import { removeFolders } from './folders.ts';
import { hasRedis, RedisServer } from './redis-server.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

if (!hasRedis)
  process.stderr.write('SKIPPED: no redis-server and no valkey-server, so shared limits run without one\n');
const withRedis = hasRedis ? describe : describe.skip;

withRedis(`limits that are shared through Redis${hasRedis ? '' : ' (there is no redis-server here)'}`, () => {
  let redis: RedisServer;

  beforeEach(async () => (redis = await RedisServer.start()));
  afterEach(async () => {
    stopServices();
    await redis.kill();
  });
  afterAll(removeFolders);

  async function start(env: Record<string, string>): Promise<Service> {
    const { serviceUrl } = testService.database;
    const service = await startService({ ROLES: 'api', DATABASE_URL: serviceUrl, REDIS_URL: redis.url, ...env });
    await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
    return service;
  }

  async function statusesOf(service: Service, key: string, times: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let n = 0; n < times; n++) statuses.push(await statusOf(`${service.url}/company`, key));
    return statuses;
  }

  const losses = ({ output }: Service) => output().split('connection for shared limits lost').length - 1;
  const keysOf = async () => [...(await redis.ask('KEYS *')).matchAll(/^awareness:.*$/gm)].map(([key]) => key.trim());

  test('processes share a limit within a second, without Postgres', async () => {
    await testService.query('delete from call_counts');
    const env = { RATE_LIMIT_PER_MINUTE: '10', AUTH_FAILURES_PER_MINUTE: '5' };
    const [one, other] = await Promise.all([start(env), start(env)]);
    expect(await statusesOf(one, keys.tenant, 10)).toEqual(Array(10).fill(200));
    expect(await statusesOf(one, 'sk_wrong', 5)).toEqual(Array(5).fill(401));
    await sleep(1500);
    // The other process gets the total of a key only after it has reported calls of the key itself.
    expect(await statusOf(`${other.url}/company`, keys.tenant)).toBe(200);
    expect(await statusOf(`${other.url}/company`, 'sk_wrong')).toBe(401);
    await until(async () => (await statusOf(`${other.url}/company`, keys.tenant)) === 429, 5000);
    await until(async () => (await statusOf(`${other.url}/company`, 'sk_wrong')) === 429, 5000);
    expect(await testService.query('select from call_counts')).toEqual([]);
  });

  test('every key of the service in Redis expires within a minute', async () => {
    const service = await start({});
    await statusesOf(service, keys.tenant, 3);
    await until(async () => (await keysOf()).length > 0);
    await statusesOf(service, keys.tenant, 3);
    await until(async () => (await redis.ask(`GET ${(await keysOf())[0]}`)).includes('6'));
    for (const key of await keysOf()) {
      const [, left] = /^:(-?\d+)/.exec(await redis.ask(`PTTL ${key}`))!;
      expect(Number(left)).toBeGreaterThan(0);
      expect(Number(left)).toBeLessThanOrEqual(60_000);
    }
  });

  test('a process whose Redis is killed keeps serving, logs it once, and later synchronises again', async () => {
    const service = await start({ RATE_LIMIT_PER_MINUTE: '1000' });
    await statusesOf(service, keys.tenant, 5);
    await until(async () => (await keysOf()).length > 0);
    await redis.kill();
    await until(() => losses(service) === 1);
    for (const until = Date.now() + 2500; Date.now() < until; await sleep(100)) {
      expect(await statusOf(`${service.url}/company`, keys.tenant)).toBe(200);
    }
    expect(losses(service)).toBe(1);
    await redis.start();
    await until(async () => {
      await statusOf(`${service.url}/company`, keys.tenant);
      return (await keysOf()).length > 0;
    });
  });

  test('a silent Redis blocks no call, and a limit that was reached still holds', async () => {
    const service = await start({ RATE_LIMIT_PER_MINUTE: '10' });
    await statusesOf(service, keys.tenant, 5);
    await until(async () => (await keysOf()).length > 0);
    redis.signal('SIGSTOP');
    const begun = performance.now();
    expect(await statusesOf(service, keys.tenant, 7)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(performance.now() - begun).toBeLessThan(4000);
    await until(() => losses(service) === 1);
    redis.signal('SIGCONT');
    expect(await statusOf(`${service.url}/company`, keys.tenant)).toBe(429);
  });

  test('a process starts and serves without its Redis', async () => {
    await redis.kill();
    const service = await start({});
    expect(await statusesOf(service, keys.tenant, 2)).toEqual([200, 200]);
    await until(() => losses(service) === 1);
  });
});
