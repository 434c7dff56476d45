import pg from 'pg';
import { type Service, startService, statusOf, stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { DatabaseWire } from '../support/database-wire.ts';
import {
  enroll,
  forgetMail,
  insertLearners,
  invite,
  leaveJobOf,
  mailing,
  messageTo,
  pretendLongAgo,
  startMailing,
  whenDone,
} from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const server = new MailServer();
const wire = new DatabaseWire();
beforeAll(() => Promise.all([server.start(), wire.mend()]));
afterEach(async () => {
  stopServices();
  server.reset();
  await forgetMail();
});
afterAll(async () => {
  wire.cut();
  await server.stop();
});

const worker = (env: Record<string, string> = {}) => startMailing(server, { DATABASE_URL: wire.url, ...env });

/** Returns the application names of running workers. A worker that was killed can stay listed for a moment. */
async function namesOfWorkers(): Promise<string[]> {
  const text = `select application_name as names from pg_stat_activity
                 where datname = current_database() and application_name like 'pool-%'`;
  return (await testService.query(text)).map(({ names }) => names as string);
}

test('a worker continues after a database outage', async () => {
  const service = await worker();
  await invite();
  await whenDone();
  wire.cut();
  const { id } = await invite();
  // Long enough for each part of the worker to have failed to reach its database.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect((await messageTo(id)).attempts).toBe(0);
  await wire.mend();
  await until(async () => (await messageTo(id)).status === 'sent');
  expect({ received: server.received.length, ended: service.child.exitCode }).toEqual({ received: 2, ended: null });
});

test('an email that the mail server accepts during an outage is not lost, and at most sent again unchanged', async () => {
  const service = await worker();
  server.hold();
  const { id } = await invite();
  await until(() => server.received.length === 1);
  wire.cut();
  server.release();
  await until(() => server.taken.length === 1);
  await wire.mend();
  await pretendLongAgo();
  await whenDone(60_000);
  expect(await messageTo(id)).toMatchObject({ status: 'sent', reason: null, setup_token: null });
  expect(new Set(server.taken.map(({ parsed }) => parsed.messageId)).size).toBe(1);
  expect(server.taken.length).toBeLessThanOrEqual(2);
  expect(service.child.exitCode).toBeNull();
});

test('a worker under load sends each email once, even if its connections are cut repeatedly', async () => {
  const service = await worker({ DRAIN_TIMEOUT_MS: '60000' });
  server.slowMs = 80;
  const outages = 12;
  const learnerIds = await insertLearners(outages * 14);
  await enroll(learnerIds);
  for (let n = 1; n <= outages; n++) {
    const before = server.received.length;
    await until(() => server.received.length > before + 8);
    wire.cut();
    await new Promise((resolve) => setTimeout(resolve, 700));
    await wire.mend();
  }
  await whenDone(60_000);
  const recipients = server.received.flatMap(({ to }) => to);
  expect({ sent: recipients.length, to: new Set(recipients).size }).toEqual({
    sent: learnerIds.length,
    to: learnerIds.length,
  });
  const start = Date.now();
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual({ code: 0, signal: null });
  // The worker does not wait for runs that were replaced.
  expect(Date.now() - start).toBeLessThan(30_000);
});

test('a worker continues after Postgres ends its connections, as in a restart', async () => {
  const service = await worker();
  for (let n = 1; n <= 3; n++) {
    await wire.end();
    const { id } = await invite();
    await until(async () => (await messageTo(id)).status === 'sent');
  }
  expect({ received: server.received.length, ended: service.child.exitCode }).toEqual({ received: 3, ended: null });
});

test('a worker continues after it lost only its liveness connection', async () => {
  await until(async () => (await namesOfWorkers()).length === 0);
  await worker();
  await until(async () => (await namesOfWorkers()).length === 1);
  await wire.end(`application_name like 'pool-%'`);
  const { id } = await invite();
  await until(async () => (await messageTo(id)).status === 'sent');
  expect(server.received).toHaveLength(1);
});

test.each([
  ['breaks', () => wire.end()],
  ['falls silent', async () => wire.freeze()],
])('a worker releases a job that it took unknowingly when its poll %s', async (_, loseAnswers) => {
  await until(async () => (await namesOfWorkers()).length === 0);
  await worker({ STATEMENT_TIMEOUT_MS: '3000' });
  await until(async () => (await namesOfWorkers()).length === 1);
  const [names] = (await namesOfWorkers()) as [string];
  const takenAgain = await leaveJobOf(names.split(' ')[1]!);
  // Keeps the names of the worker in use, so that no worker releases the job as a job of a dead worker.
  const namesake = new pg.Client({ connectionString: testService.database.serviceUrl, application_name: names });
  await namesake.connect();
  await namesake.query('begin; lock table graphile_worker._private_jobs');
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                      and query ilike '%_private_jobs%skip locked%'`;
  await until(async () => (await testService.query(waiting)).length > 0);
  await loseAnswers();
  wire.thaw();
  await namesake.query('rollback');
  await takenAgain().finally(() => namesake.end());
});

describe('a queue that temporarily cannot be read', () => {
  const takeAway = () => testService.query('alter schema graphile_worker rename to elsewhere');
  const bringBack = () => testService.query('alter schema elsewhere rename to graphile_worker');
  const times = (service: Service, words: string) => service.output().split(words).length - 1;

  test('is read again by a running worker', async () => {
    const service = await worker();
    await invite();
    await whenDone();
    await takeAway();
    await until(() => times(service, 'worker session ended; restarting') > 1).finally(bringBack);
    const { id } = await invite();
    await until(async () => (await messageTo(id)).status === 'sent');
  });

  test('does not end a worker that is replaced while its LISTEN is unanswered', async () => {
    wire.silenceAt('LISTEN');
    const service = await worker();
    await invite();
    await whenDone();
    await takeAway();
    await until(() => times(service, 'worker session ended; restarting') > 0);
    wire.cut();
    await wire.mend();
    await bringBack();
    const { id } = await invite();
    await until(async () => (await messageTo(id)).status === 'sent' || service.child.exitCode !== null);
    expect(service.child.exitCode).toBeNull();
    // The library has released the connection at the close, and again at the cut.
    expect(times(service, 'attempting to UNLISTEN')).toBeGreaterThan(1);
  });

  test('is read by a worker that has started during the outage', async () => {
    await takeAway();
    const service = await worker().catch((error: unknown) => bringBack().then(() => Promise.reject(error as Error)));
    await until(() => times(service, 'worker session ended; restarting') > 1).finally(bringBack);
    const { id } = await invite();
    await until(async () => (await messageTo(id)).status === 'sent');
  });
});

test.each(['cut', 'freeze'] as const)('a worker without a database (%s) exits in time with code 0', async (outage) => {
  const service = await worker({ DRAIN_TIMEOUT_MS: '1000' });
  await invite();
  await whenDone();
  wire[outage]();
  const start = Date.now();
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual({ code: 0, signal: null });
  expect(Date.now() - start).toBeLessThan(6000);
  wire.cut();
  await wire.mend();
});

test('a worker that starts before its database sends once the database is available', async () => {
  wire.cut();
  const { id } = await invite();
  const service = await startService(mailing(server, { DATABASE_URL: wire.url }));
  await until(async () => (await statusOf(`${service.url}/health`)) === 200);
  await wire.mend();
  await until(async () => (await messageTo(id)).status === 'sent');
  expect(server.received).toHaveLength(1);
});
