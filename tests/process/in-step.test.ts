import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseWire } from '../support/database-wire.ts';
import { keys } from '../support/world.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

afterEach(stopServices);

async function start(env: Record<string, string>): Promise<Service> {
  const service = await startService({ ROLES: 'api', DATABASE_URL: testService.database.serviceUrl, ...env });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

async function statusesOf(service: Service, key: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push(await statusOf(`${service.url}/company`, key));
  return statuses;
}

test('processes share a limit within a second', async () => {
  const [one, other] = await Promise.all([
    start({ RATE_LIMIT_PER_MINUTE: '10', AUTH_FAILURES_PER_MINUTE: '5' }),
    start({ RATE_LIMIT_PER_MINUTE: '10', AUTH_FAILURES_PER_MINUTE: '5' }),
  ]);
  expect(await statusesOf(one, keys.tenant, 10)).toEqual(Array(10).fill(200));
  expect(await statusesOf(one, 'sk_wrong', 5)).toEqual(Array(5).fill(401));
  await sleep(1500);
  // The other process gets the total of a key only after it has reported calls of the key itself.
  expect(await statusOf(`${other.url}/company`, keys.tenant)).toBe(200);
  expect(await statusOf(`${other.url}/company`, 'sk_wrong')).toBe(401);
  await until(async () => (await statusOf(`${other.url}/company`, keys.tenant)) === 429, 2000);
  await until(async () => (await statusOf(`${other.url}/company`, 'sk_wrong')) === 429, 2000);
});

test('a revoked key is rejected by every process within a second, despite the cache', async () => {
  const services = await Promise.all([start({ KEY_CACHE_MS: '60000' }), start({ KEY_CACHE_MS: '60000' })]);
  for (const service of services) expect(await statusOf(`${service.url}/company`, keys.prospect)).toBe(200);
  const where = `where public_id = '${keys.prospect.slice(3, 15)}'`;
  await testService.query(`update api_keys set revoked_at = now() ${where}`);
  for (const { url } of services) {
    await until(async () => (await statusOf(`${url}/company`, keys.prospect)) === 401, 1000);
  }
  await testService.query(`update api_keys set revoked_at = null ${where}`);
});

test('a process without its database counts only its own requests, and synchronises again once the database is back', async () => {
  const wire = new DatabaseWire();
  await wire.mend();
  const service = await start({ DATABASE_URL: wire.url, RATE_LIMIT_PER_MINUTE: '5' });
  wire.cut();
  await until(() => service.output().includes('connection for shared limits lost'));
  await wire.mend();
  await testService.query('delete from call_counts');
  await until(async () => {
    await statusOf(`${service.url}/company`, keys.childA);
    return (await testService.query('select from call_counts')).length > 0;
  });
  wire.cut();
});
