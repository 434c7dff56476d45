import { startMailing, enrolledLearner, forgetMail, whenDone } from '../mail/transport-support.ts';
import { MailServer } from '../mail/smtp-support.ts';
import { DatabaseWire } from '../support/database-wire.ts';
import { figure, parseMetrics } from '../support/prometheus-text.ts';
import { keys } from '../support/world.ts';
import { freePort, type Service, startService, statusOf, stopServices } from './support.ts';
import { until } from '../support/until.ts';

const wire = new DatabaseWire();
const server = new MailServer();
/** A process without a worker, so that the jobs of a test stay unchanged. */
let api: Scraped;
beforeAll(async () => {
  await server.start();
  api = await startScraped({ ROLES: 'api,mcp', RATE_LIMIT_PER_MINUTE: '0' });
});
afterEach(forgetMail);
afterAll(async () => {
  wire.cut();
  stopServices();
  await server.stop();
});

interface Scraped extends Service {
  metricsUrl: string;
  scrape(): Promise<string>;
}

/** Starts a process that Prometheus can scrape. */
async function startScraped(env: Record<string, string> = {}, start = startReady): Promise<Scraped> {
  const port = await freePort();
  const metricsUrl = `http://127.0.0.1:${port}/metrics`;
  const service = await start({ METRICS_PORT: String(port), ...env });
  return { ...service, metricsUrl, scrape: async () => (await fetch(metricsUrl)).text() };
}

async function startReady(env: Record<string, string>): Promise<Service> {
  const service = await startService({ DATABASE_URL: testService.database.serviceUrl, ROLES: 'api', ...env });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

test('metrics are served at their own address and nowhere else', async () => {
  const { url, metricsUrl } = api;
  const answer = await fetch(metricsUrl);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect(await statusOf(new URL('/metrics', url).href)).toBe(404);
  for (const path of ['/', '/v1/health', '/metrics/', '/metricsx']) {
    expect([path, await statusOf(new URL(path, metricsUrl).href)]).toEqual([path, 404]);
  }
  const posted = await fetch(metricsUrl, { method: 'POST', body: '{}' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
});

test('a metrics port in use ends the process with a line that names it', async () => {
  const port = new URL(testService.url).port;
  const service = await startService({ DATABASE_URL: testService.database.serviceUrl, METRICS_PORT: port });
  expect((await service.exit).code).toBe(1);
  expect(service.output()).toContain(`"host":"127.0.0.1","port":${port},"msg":"cannot listen"`);
});

test('every metric has a help text and follows the conventions of names and units', async () => {
  const metrics = parseMetrics(await api.scrape());
  expect(metrics.size).toBeGreaterThan(30);
  for (const [name, { type, help }] of metrics) {
    expect([name, help]).toEqual([name, expect.stringMatching(/\S/)]);
    const isOurs = !/^(process|nodejs)_/.test(name);
    if (isOurs && type === 'counter') expect(name).toMatch(/_total$/);
    if (isOurs && type !== 'counter') expect(name).not.toMatch(/_total$/);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|mb)(_|$)/);
  }
  expect([...metrics.keys()]).toEqual(expect.arrayContaining(['nodejs_eventloop_lag_p99_seconds', 'queue_jobs']));
});

test('scrapes during calls count each call once', async () => {
  const { url, scrape } = api;
  const headers = { authorization: `Bearer ${keys.tenant}` };
  const counted = (text: string) =>
    figure(text, 'http_requests_total', { operation: 'getCompany', status: '200' }) ?? 0;
  let last = 0;
  for (let round = 0; round < 10; round++) {
    const calls = Array.from({ length: 20 }, () =>
      fetch(`${url}/company`, { headers }).then((answer) => answer.text()),
    );
    const text = await scrape();
    expect(counted(text)).toBeGreaterThanOrEqual(last);
    last = counted(text);
    expect(figure(text, 'db_pool_connections', { pool: 'requests' })).toBeLessThanOrEqual(10);
    await Promise.all(calls);
  }
  await until(async () => counted(await scrape()) === 200);
});

describe('the queue', () => {
  const addJob = (task: string, more: string) =>
    testService.query(`select graphile_worker.add_job($1, run_at := now() + $2::interval)`, [task, more]);

  test('is reported by every process with its due, scheduled and failed jobs', async () => {
    await addJob('tidy_up', '-90 seconds');
    await addJob('tidy_up', '-10 seconds');
    await addJob('record_risk', '1 hour');
    await addJob('of_another_release', '-1 second');
    await testService.query(`update graphile_worker._private_jobs j set attempts = max_attempts
      where run_at > now() - interval '20 seconds' and run_at < now() - interval '5 seconds'`);
    // A process caches these figures for some seconds.
    await until(async () => figure(await api.scrape(), 'queue_jobs', { task: 'of_another_release' }) !== undefined);
    const text = await api.scrape();
    const jobs = (task: string, state: string) => figure(text, 'queue_jobs', { task, state });
    expect([jobs('tidy_up', 'waiting'), jobs('tidy_up', 'failed'), jobs('tidy_up', 'running')]).toEqual([1, 1, 0]);
    expect([jobs('record_risk', 'scheduled'), jobs('record_risk', 'waiting')]).toEqual([1, 0]);
    expect(jobs('of_another_release', 'waiting')).toBe(1);
    // A task without a job also has figures.
    expect(jobs('send_message', 'waiting')).toBe(0);
    expect(figure(text, 'queue_oldest_waiting_seconds', { task: 'send_message' })).toBe(0);
    expect(figure(text, 'queue_oldest_waiting_seconds', { task: 'record_risk' })).toBe(0);
    const age = figure(text, 'queue_oldest_waiting_seconds', { task: 'tidy_up' })!;
    expect(age).toBeGreaterThanOrEqual(90);
    expect(age).toBeLessThan(300);
  });

  test('has no figures while the database is unavailable, unlike the other metrics', async () => {
    await wire.mend();
    const { scrape, url } = await startScraped({ DATABASE_URL: wire.url });
    expect(figure(await scrape(), 'queue_jobs', { task: 'send_message', state: 'waiting' })).toBe(0);
    wire.cut();
    await until(async () => figure(await scrape(), 'queue_jobs') === undefined);
    const text = await scrape();
    expect(figure(text, 'queue_oldest_waiting_seconds')).toBeUndefined();
    expect(figure(text, 'http_requests_total', { operation: 'getReadiness', status: '200' })).toBeGreaterThan(0);
    expect(await statusOf(`${url}/health`)).toBe(200);
    await wire.mend();
    await until(async () => figure(await scrape(), 'queue_jobs') !== undefined);
  });
});

test('a worker counts its jobs and the outcomes of messages', async () => {
  const { scrape } = await startScraped({}, (env) => startMailing(server, env));
  await enrolledLearner();
  await whenDone();
  await until(async () => (figure(await scrape(), 'jobs_total', { task: 'send_message' }) ?? 0) > 0);
  const text = await scrape();
  expect(figure(text, 'jobs_total', { task: 'send_message', outcome: 'succeeded' })).toBe(1);
  expect(figure(text, 'job_duration_seconds_count', { task: 'send_message' })).toBe(1);
  expect(figure(text, 'messages_settled_total', { status: 'sent' })).toBe(1);
  expect(figure(text, 'db_pool_connections', { pool: 'jobs' })).toBeGreaterThan(0);
  expect(text).not.toMatch(/@/);
});
