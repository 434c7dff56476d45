import { managedCourses } from '../support/world.ts';
import { type Service, stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import {
  countJobs,
  enroll,
  forgetMail,
  insertLearners,
  invite,
  leaveJobOfTheDead,
  messageTo,
  pretendLongAgo,
  startMailing,
  whenDone,
} from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterEach(async () => {
  stopServices();
  server.reset();
  await forgetMail();
});
afterAll(() => server.stop());

const recipients = () => server.received.flatMap(({ to }) => to);

const NAMED = `select from pg_stat_activity where datname = current_database() and application_name like 'pool-%'`;

const statuses = () => testService.query('select status, attempts, count(*)::integer from messages group by 1, 2');

async function stop(service: Service): Promise<number> {
  const start = Date.now();
  service.child.kill('SIGTERM');
  expect(await service.exit).toEqual({ code: 0, signal: null });
  return Date.now() - start;
}

describe('two workers', () => {
  test('send each message once', async () => {
    await Promise.all([startMailing(server), startMailing(server)]);
    const learnerIds = await insertLearners(90);
    await enroll(learnerIds);
    await whenDone();
    expect(recipients().toSorted()).toEqual(learnerIds.map((_, n) => `many${n + 1}@tenant.test`).toSorted());
    expect(await statuses()).toEqual([{ status: 'sent', attempts: 1, count: 90 }]);
  });

  test('do not take messages from each other while one is slow and one is stopping', async () => {
    server.hold();
    const slow = await startMailing(server, { WORKER_CONCURRENCY: '1' });
    await invite();
    await until(() => server.received.length === 1);
    const stopping = await startMailing(server, { DRAIN_TIMEOUT_MS: '30000' });
    await invite();
    await until(() => server.received.length === 2);
    stopping.child.kill('SIGTERM');
    await until(() => stopping.output().includes('draining'));
    await pretendLongAgo();
    const takenOver = await leaveJobOfTheDead();
    await startMailing(server);
    await takenOver();
    const jobs = await testService.query('select attempts from graphile_worker._private_jobs');
    expect(jobs).toEqual([{ attempts: 1 }, { attempts: 1 }]);
    server.release();
    expect(await stopping.exit).toEqual({ code: 0, signal: null });
    await whenDone();
    expect({ received: server.received.length, ended: slow.child.exitCode }).toEqual({ received: 2, ended: null });
    expect(await statuses()).toEqual([{ status: 'sent', attempts: 1, count: 2 }]);
  });

  test('do not take messages from each other while one is cut off repeatedly', async () => {
    await Promise.all([startMailing(server), startMailing(server)]);
    await until(async () => (await testService.query(NAMED)).length === 2);
    server.hold();
    for (let n = 0; n < 4; n++) await invite();
    await until(() => server.received.length === 4);
    await pretendLongAgo();
    const [{ name }] = (await testService.query(
      'select min(locked_by) as name from graphile_worker._private_jobs',
    )) as [{ name: string }];
    for (let cuts = 0; cuts < 8; cuts++) {
      await testService.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and strpos(application_name, $1) > 0`,
        [name],
      );
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    server.release();
    await whenDone();
    expect(server.received).toHaveLength(4);
    expect(await statuses()).toEqual([{ status: 'sent', attempts: 1, count: 4 }]);
  });
});

describe('SIGTERM', () => {
  test('completes the email that is being handed over, takes no other, and exits with 0', async () => {
    const worker = await startMailing(server, { WORKER_CONCURRENCY: '1' });
    server.hold();
    const first = await invite();
    const second = await invite();
    await until(() => server.received.length === 1);
    worker.child.kill('SIGTERM');
    await until(() => worker.output().includes('draining'));
    server.release();
    expect(await worker.exit).toEqual({ code: 0, signal: null });
    expect(await messageTo(first.id)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(await messageTo(second.id)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(server.received).toMatchObject([{ to: [first.email] }]);
  });

  test('does not wait longer than DRAIN_TIMEOUT_MS for a silent mail server, and keeps the message', async () => {
    const worker = await startMailing(server, { DRAIN_TIMEOUT_MS: '500' });
    server.hold();
    const { id } = await invite();
    await until(() => server.received.length === 1);
    expect(await stop(worker)).toBeLessThan(5000);
    expect(await messageTo(id)).toMatchObject({ status: 'queued', setup_token: expect.stringMatching(/./) });
    expect(await countJobs()).toBe(1);
  });

  test('ends an idle worker at once, with its connections', async () => {
    const worker = await startMailing(server);
    await until(async () => (await testService.query(NAMED)).length === 1);
    await invite();
    await whenDone();
    expect(await stop(worker)).toBeLessThan(3000);
    await until(async () => (await testService.query(NAMED)).length === 0);
  });
});

describe('a campaign', () => {
  test('to 300 learners does not delay an invite after it', async () => {
    const learnerIds = await insertLearners(300);
    await enroll(learnerIds, [managedCourses.phishing]);
    const { email } = await invite();
    await startMailing(server, { WORKER_CONCURRENCY: '2' });
    await until(() => server.received.length > 50);
    expect(recipients().indexOf(email)).toBeGreaterThanOrEqual(0);
    expect(recipients().indexOf(email)).toBeLessThan(4);
    await whenDone(60_000);
    expect(new Set(recipients()).size).toBe(301);
    expect(server.received).toHaveLength(301);
  });

  test('to 2,000 learners delays an invite in the middle of it only by the current batches', async () => {
    const learnerIds = await insertLearners(2000);
    await enroll(learnerIds, [managedCourses.phishing]);
    await startMailing(server);
    await until(() => server.received.length > 500, 60_000);
    const { email } = await invite();
    const before = server.received.length;
    await until(() => recipients().includes(email), 60_000);
    // Each of the three slots has at most a batch of 100 messages.
    expect(recipients().indexOf(email)).toBeLessThan(before + 400);
    await whenDone(60_000);
    expect(new Set(recipients()).size).toBe(2001);
    expect(server.received).toHaveLength(2001);
  }, 180_000);
});
