import type { TaskList } from 'graphile-worker';
import type pg from 'pg';
import { openPool } from '../../src/db/pool.ts';
import { startWorker, type Worker } from '../../src/jobs/worker.ts';
import { createLogs } from '../../src/observability/logger.ts';
import { get } from '../support/client.ts';
import { DatabaseWire } from '../support/database-wire.ts';
import { holdLock, releaseLocks } from '../mail/crash-support.ts';
import { until } from '../support/until.ts';

const wire = new DatabaseWire();
let worker: Worker | undefined;
let tasksPool: pg.Pool | undefined;
let done: unknown[] = [];
let log: string[] = [];
let gaveUp = false;
// graphile-worker prints the errors that end its slots.
beforeAll(() => void Object.assign(console, { trace: () => undefined }));
beforeEach(async () => {
  [done, log, gaveUp] = [[], [], false];
  await wire.mend();
});
afterEach(async () => {
  await worker?.stop(1000);
  wire.cut();
  await tasksPool?.end();
  [worker, tasksPool] = [undefined, undefined];
  await releaseLocks();
  await testService.query('delete from graphile_worker._private_jobs');
});

const open = (poolSize: number) =>
  openPool({
    connectionString: wire.url,
    poolSize,
    timesAsDates: true,
    statementTimeoutMs: 15_000,
    connectTimeoutMs: 5000,
    onIdleError: () => undefined,
  });

interface Settings {
  tasks?: TaskList;
  stuck?: number;
  plans?: string[];
}

/** Starts a worker with one task in this process, with at most a tenth of the service's time limits. */
function start({
  tasks = { note: async (payload) => void done.push(payload) },
  stuck: stalledMs = 1500,
  plans = ['other'],
}: Settings = {}): void {
  tasksPool = open(1);
  worker = startWorker({
    pool: tasksPool,
    openPool: () => open(10),
    plans: plans.map((name) => ({ name, tasks, schedule: [], concurrency: 2 })),
    logger: createLogs('info', { write: (line) => void log.push(line) }).logger,
    times: { pollMs: 300, unresponsiveMs: 5000, stalledMs, exitMs: 4000 },
    onGiveUp: () => (gaveUp = true),
  });
}

const addJob = (name = 'first') => testService.query(`select graphile_worker.add_job('note', '"${name}"')`);
const logged = (words: string) => log.some((line) => line.includes(words));

test('a worker whose database stops responding starts again and takes jobs', async () => {
  start({ stuck: 60_000 });
  await addJob();
  await until(() => done.length === 1);
  wire.freeze();
  wire.thaw();
  await addJob('second');
  // A slot with a new connection might take the job before the silence of the other slot is noticed. The first job
  // runs again if the silence came before its end was recorded.
  await until(() => done.includes('second') && logged('worker session ended; restarting'));
});

describe('a worker that is not taking jobs although one is waiting', () => {
  const holdJobs = () => holdLock('select from graphile_worker._private_jobs for update');

  test('logs the stall, is unhealthy until it takes a job, and requests a new process after a while', async () => {
    await addJob();
    const release = await holdJobs();
    start();
    await until(() => !worker!.isHealthy());
    expect(logged('worker stalled: not taking jobs although jobs are waiting')).toBe(true);
    expect(gaveUp).toBe(false);
    await until(() => gaveUp);
    await release();
    await until(() => worker!.isHealthy());
    expect(done).toHaveLength(1);
    expect(logged('worker recovered')).toBe(true);
  });

  test('is healthy if each of its slots has a job', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    start({ tasks: { note: () => promise } });
    for (let n = 0; n < 4; n++) await addJob();
    await new Promise((later) => setTimeout(later, 4000));
    expect({ healthy: worker!.isHealthy(), gaveUp }).toEqual({ healthy: true, gaveUp: false });
    resolve();
  });

  test('is healthy if the waiting job is not one of its tasks', async () => {
    start();
    await testService.query(`select graphile_worker.add_job('send_message', '{}')`);
    await new Promise((later) => setTimeout(later, 3000));
    expect(worker!.isHealthy()).toBe(true);
  });
});

test('a process with a stuck worker is not ready', async () => {
  expect((await get('/ready')).status).toBe(200);
  testService.readiness.worker = { isHealthy: () => false };
  expect(await get('/ready')).toMatchObject({ status: 503, body: { error: { code: 'not_ready' } } });
  delete testService.readiness.worker;
});

// The connection's application name has room for two pool names.
test('a worker with three worker pools reports each of them as alive', async () => {
  const names = new Set<string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  const note: TaskList[string] = async (_payload, { job }) => {
    names.add(job.locked_by!);
    await promise;
  };
  start({ tasks: { note }, stuck: 60_000, plans: ['other', 'mail', 'simulations'] });
  for (let n = 0; n < 6; n++) await addJob();
  const areShown = async () => {
    const shown = (await testService.query(
      `select unnest(string_to_array(application_name, ' ')) as name from pg_stat_activity
        where datname = current_database()`,
    )) as { name: string }[];
    return names.size === 3 && [...names].every((lockName) => shown.some(({ name }) => name === lockName));
  };
  await until(areShown, 10_000).finally(resolve);
});
