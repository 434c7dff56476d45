import pg from 'pg';
import { DatabaseWire } from '../support/database-wire.ts';
import { keys, learnerId } from '../support/world.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

const wire = new DatabaseWire();
afterEach(() => {
  wire.cut();
  stopServices();
});

async function errorOf(response: Response): Promise<{ status: number; code: string }> {
  const text = await response.text();
  const { pathname } = new URL(response.url);
  expect(
    testService.checkResponse('GET', pathname, response.status, response.headers.get('content-type')!, text),
  ).toBeUndefined();
  return { status: response.status, code: (JSON.parse(text) as { error: { code: string } }).error.code };
}

const authorized = { headers: { authorization: `Bearer ${keys.tenant}` } };

async function startReady(env: Record<string, string>): Promise<Service> {
  const service = await startService({ ROLES: 'api', ...env });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

/** Locks the learners, so that a change to a learner waits. Returns a function that releases the lock. */
async function holdLearners(): Promise<() => Promise<void>> {
  const holder = new pg.Client(testService.database.ownerUrl);
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select * from learners for update');
  return () => holder.end();
}

function patchLearner(url: string): Promise<Response> {
  return fetch(`${url}/learners/${learnerId('tenant', 1)}`, {
    method: 'PATCH',
    headers: { ...authorized.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Changed', lastName: 'Changed' }),
  });
}

test('a process whose database becomes unavailable during the start waits for it', async () => {
  await wire.mend();
  wire.cutAt('rolsuper');
  const service = await startService({ ROLES: 'api', DATABASE_URL: wire.url });
  await until(() => service.output().includes('waiting for the database'));
  await wire.mend();
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
});

test('an unavailable database returns 502, and the process recovers', async () => {
  await wire.mend();
  const service = await startReady({ DATABASE_URL: wire.url, KEY_CACHE_MS: '0' });
  expect(await statusOf(`${service.url}/company`, keys.tenant)).toBe(200);

  wire.cut();
  for (const path of ['/company', '/learners', `/learners/${learnerId('tenant', 1)}`]) {
    const answer = await errorOf(await fetch(service.url + path, authorized));
    expect(answer).toEqual({ status: 502, code: 'service_unavailable' });
  }
  expect(await statusOf(`${service.url}/health`)).toBe(200);

  await wire.mend();
  await until(async () => (await statusOf(`${service.url}/company`, keys.tenant)) === 200);
  expect(service.child.exitCode).toBeNull();
});

test('a connection that is reset during a statement returns 502, and the process keeps running', async () => {
  await wire.mend();
  const service = await startReady({ DATABASE_URL: wire.url });
  const release = await holdLearners();
  const answers = Array.from({ length: 5 }, () => patchLearner(service.url).then(errorOf));
  await new Promise((resolve) => setTimeout(resolve, 300));
  wire.cut();
  for (const answer of answers) expect(await answer).toEqual({ status: 502, code: 'service_unavailable' });
  await release();
  await wire.mend();
  await until(async () => (await statusOf(`${service.url}/company`, keys.tenant)) === 200);
  expect(service.child.exitCode).toBeNull();
});

test('a process starts before its database and becomes ready with it', async () => {
  await wire.mend();
  wire.cut();
  const service = await startService({ DATABASE_URL: wire.url, ROLES: 'api' });
  await until(async () => (await statusOf(`${service.url}/health`)) === 200);
  expect(await statusOf(`${service.url}/ready`)).toBe(503);
  await wire.mend();
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
});

test('a statement that runs too long returns 504 and changes nothing', async () => {
  const service = await startReady({ DATABASE_URL: testService.database.serviceUrl, STATEMENT_TIMEOUT_MS: '300' });
  const release = await holdLearners();
  expect(await errorOf(await patchLearner(service.url))).toEqual({ status: 504, code: 'service_timeout' });
  await release();
  const [row] = await testService.query('select first_name from learners where id = $1', [learnerId('tenant', 1)]);
  expect(row).toEqual({ first_name: 'Ada' });
});

test('a statement that could not be prepared in time works again as soon as it can be', async () => {
  const settings = { STATEMENT_TIMEOUT_MS: '300', DATABASE_POOL_SIZE: '4' };
  const service = await startReady({ DATABASE_URL: testService.database.serviceUrl, ...settings });
  expect(await statusOf(`${service.url}/company`, keys.tenant)).toBe(200);
  const holder = new pg.Client(testService.database.ownerUrl);
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table learners in access exclusive mode');
  const path = `${service.url}/learners/${learnerId('tenant', 2)}`;
  const locked = await Promise.all(Array.from({ length: 8 }, () => statusOf(path, keys.tenant)));
  expect(new Set(locked)).toEqual(new Set([504]));
  await holder.end();
  const after = await Promise.all(Array.from({ length: 8 }, () => statusOf(path, keys.tenant)));
  expect(new Set(after)).toEqual(new Set([200]));
});
