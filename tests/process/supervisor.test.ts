import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { whileLocked } from '../support/locks.ts';
import { keys } from '../support/world.ts';
import { type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

afterEach(stopServices);

const METRICS_PORT = 29_464;

function lines(service: Service): { msg?: string; pid?: number }[] {
  const text = service.output().split('\n').slice(0, -1);
  return text.map((line) => JSON.parse(line) as { msg?: string; pid?: number });
}

const count = (service: Service, msg: string) => lines(service).filter((line) => line.msg === msg).length;

async function startSupervised(env: Record<string, string> = {}): Promise<Service> {
  const service = await startService({ DATABASE_URL: testService.database.serviceUrl, HTTP_PROCESSES: '2', ...env });
  await until(() => count(service, 'ready') >= 2);
  return service;
}

/** Calls the service on four connections until `stop()`, which returns the number of responses by status. */
function call(url: string): { stop(): Promise<Record<number, number>> } {
  const statuses: Record<number, number> = {};
  let isOver = false;
  const callers = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const status = await statusOf(`${url}/company`, keys.tenant);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  const stop = async () => {
    isOver = true;
    await Promise.all(callers);
    return statuses;
  };
  return { stop };
}

/** Returns the status of a call on a new connection, so that every listening process gets some of many calls. */
function statusOnNewConnection(url: string, key: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, headers: { authorization: `Bearer ${key}` } };
    get(url, options, (response) => response.resume().on('end', () => resolve(response.statusCode))).on(
      'error',
      reject,
    );
  });
}

test('processes share the port, jobs run in a process that does not listen, and one page has all metrics', async () => {
  const service = await startSupervised({ ROLES: 'api,worker', METRICS_PORT: String(METRICS_PORT) });
  await until(() => count(service, 'ready') === 3);
  expect(count(service, 'listening')).toBe(2);
  const statuses = [1, 2, 3, 4, 5, 6].map(() => statusOf(`${service.url}/company`, keys.tenant));
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200, 200, 200]);
  const page = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  expect(page).toMatch(/^http_requests_total\{operation="getCompany",status="200"\} 6$/m);
  expect(page.match(/^# HELP queue_jobs /gm)).toHaveLength(1);
  expect(page.match(/^# HELP process_cpu_seconds_total /gm)).toHaveLength(1);
});

test('a killed process is replaced while the others serve', async () => {
  const service = await startSupervised({ ROLES: 'api' });
  const { pid } = lines(service).find(({ msg }) => msg === 'worker process started')!;
  process.kill(pid!, 'SIGKILL');
  await until(() => count(service, 'worker process exited; restarting') === 1);
  expect(await statusOf(`${service.url}/company`, keys.tenant)).toBe(200);
  await until(() => count(service, 'ready') === 3);
});

test('SIGHUP replaces the processes one by one without a failed call, and SIGTERM ends them', async () => {
  const service = await startSupervised({ ROLES: 'api', RATE_LIMIT_PER_MINUTE: '0', DRAIN_DELAY_MS: '500' });
  const calls = call(service.url);
  service.child.kill('SIGHUP');
  await until(() => count(service, 'restarted') === 1);
  await sleep(200);
  const statuses = await calls.stop();
  expect(Object.keys(statuses)).toEqual(['200']);
  expect(count(service, 'stopped')).toBe(2);

  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual({ code: 0, signal: null });
  expect(count(service, 'stopped')).toBe(4);
  expect(await statusOf(`${service.url}/health`)).toBe(0);
});

test('a supervised process gets no requests before it has found its database', async () => {
  const service = await startSupervised({ ROLES: 'api', RATE_LIMIT_PER_MINUTE: '0' });
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                      and query like '%knex_migrations%'`;
  const statuses = new Set<number | undefined>();
  const ask = async (): Promise<void> => {
    service.child.kill('SIGHUP');
    await until(async () => (await testService.query(waiting)).length > 0);
    const calls = Array.from({ length: 40 }, () => statusOnNewConnection(`${service.url}/company`, keys.tenant));
    for (const status of await Promise.all(calls)) statuses.add(status);
  };
  // A process can take long to start on a busy machine.
  await whileLocked('knex_migrations', ask, 90);
  expect([...statuses]).toEqual([200]);
  await until(() => count(service, 'restarted') === 1);
});

test('an invalid setting ends the supervisor with an error that names it', async () => {
  const env = { DATABASE_URL: testService.database.serviceUrl, HTTP_PROCESSES: '2', ROLES: 'worker' };
  const { exit, output } = await startService(env);
  expect((await exit).code).toBe(78);
  expect(output()).toContain('HTTP_PROCESSES requires the role api or mcp');
});
