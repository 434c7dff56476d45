/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { freePort, startService, stopServices } from '../../process/support.ts';
import { until } from '../../support/until.ts';
import { companies, type CompanyName } from '../../support/world.ts';
import { learner } from '../courses/enrollment-state.ts';
import { historyOf, prepareRisk, scoresOf, setModules, storeRecordedDay } from './risk-state.ts';

prepareRisk('tenant');

/** Timeout for several processes that start on a busy machine. */
const TIMEOUT_MS = 20_000;
const names = Object.keys(companies) as CompanyName[];
const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const forget = () => testService.query('delete from graphile_worker._private_jobs');
afterEach(async () => {
  stopServices();
  await forget();
});

/** Starts a worker process, which uses the local breach feed and sends no email. */
const startWorker = (env: Record<string, string> = {}) =>
  startService({ DATABASE_URL: testService.database.serviceUrl, ROLES: 'worker', ...env });
const startDay = () => testService.query(`select graphile_worker.add_job('start_day')`);

interface Job {
  task: string;
  company: string;
  day: string;
  attempts: number;
  error: string | null;
}

/** Returns the waiting jobs of a task, by company. */
async function jobsOf(task: string): Promise<Job[]> {
  const rows = await testService.query(
    `select identifier as task, payload ->> 'companyId' as company, payload ->> 'day' as day, attempts, last_error as error
       from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where identifier = $1 order by 2, 3`,
    [task],
  );
  return rows as unknown as Job[];
}

const isDone = async (): Promise<boolean> =>
  (await testService.query('select from graphile_worker._private_jobs')).length === 0;

/** Returns the recorded days of each company, by its name. */
async function recorded(): Promise<Record<string, string[]>> {
  const all = await Promise.all(names.map(async (name) => [name, (await historyOf(name)).map(({ date }) => date)]));
  return Object.fromEntries(all) as Record<string, string[]>;
}

const each = (...dates: string[]): Record<string, string[]> => Object.fromEntries(names.map((name) => [name, dates]));

/** Returns the domains that the feed has answered for. */
async function domainsKnown(): Promise<string[]> {
  const rows = await testService.query(
    `select subject from breach_feed_answers where answered_at is not null and subject <> '*' order by 1`,
  );
  return rows.map((row) => row.subject as string);
}

describe('the jobs of a day', () => {
  const queue = (day: string) => testService.query(`select queue_for_companies('record_risk', $1)`, [day]);

  test('are queued once for each company and day, even concurrently', async () => {
    await queue('2026-11-21');
    await Promise.all(Array.from({ length: 5 }, () => queue('2026-11-21')));
    await queue('2026-11-22');
    const jobs = (await jobsOf('record_risk')).map(({ company, day }) => `${company} ${day}`);
    expect(jobs).toEqual(
      Object.values(companies).flatMap((company) => ['2026-11-21', '2026-11-22'].map((day) => `${company} ${day}`)),
    );
  });
});

describe('a worker process', () => {
  test('starts the day, records yesterday for each company and scores its learners', async () => {
    await setModules('tenant', []);
    await startDay();
    await startWorker();
    await until(isDone, TIMEOUT_MS);
    expect(await recorded()).toEqual(each(dayAgo(1)));
    expect((await scoresOf('tenant')).every((score) => score === 0)).toBe(true);
    expect(Math.max(...(await scoresOf('other')))).toBeGreaterThan(0);
  });

  test('that runs twice with two jobs records each day once, including missed days', async () => {
    for (const name of names) await storeRecordedDay(name, dayAgo(4));
    await Promise.all([startDay(), startDay()]);
    await Promise.all([startWorker(), startWorker()]);
    await until(isDone, TIMEOUT_MS);
    const days = each(...[4, 3, 2, 1].map(dayAgo));
    expect(await recorded()).toEqual(days);
    const before = await testService.query('select * from risk_history order by company_id, date');
    await startDay();
    await until(isDone, TIMEOUT_MS);
    expect(await testService.query('select * from risk_history order by company_id, date')).toEqual(before);
  });

  // The local feed knows only acme-industries.test.
  test.each([[['acme-industries.test']], [['aaa.test', 'Acme-Industries.TEST', 'zzz.test']]])(
    'asks the feed about the watched domains %j, one by one, before it records',
    async (domains) => {
      const watch = 'update companies set smbreachprodomains = $2 where id = $1';
      await testService.query('delete from breach_feed_answers');
      await testService.query(watch, [companies.tenant, domains]);
      const email = 'update learners set email = $2 where id = $1';
      await testService.query(email, [learner(4), 'zainab.blackwood@acme-industries.test']);
      await startDay();
      await startWorker();
      await until(isDone, TIMEOUT_MS);
      const scores = await scoresOf('tenant');
      await testService.query(email, [learner(4), 'learner4@tenant.test']);
      await testService.query(watch, [companies.tenant, ['tenant.test']]);
      expect(await domainsKnown()).toEqual(['acme-industries.test']);
      expect(scores[3]).toBeGreaterThan(22);
    },
  );

  test('records the day with the known breaches if the feed is unavailable', async () => {
    await testService.query('delete from breach_feed_answers');
    await startDay();
    const feed = `http://127.0.0.1:${await freePort()}`;
    await startWorker({ BREACH_FEED_KEY: 'key', BREACH_FEED_URL: feed });
    await until(isDone, TIMEOUT_MS);
    expect({ days: await recorded(), known: await domainsKnown() }).toEqual({ days: each(dayAgo(1)), known: [] });
  });

  test('that was stopped at midnight starts the day when it starts', async () => {
    // The last run was two days ago.
    await testService.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
       values ('start_day', now() - interval '9 days', now() - interval '2 days')
       on conflict (identifier) do update set known_since = excluded.known_since, last_execution = excluded.last_execution`,
    );
    await startWorker();
    await until(async () => (await historyOf('tenant')).length > 0);
    await until(isDone, TIMEOUT_MS);
    expect(await recorded()).toEqual(each(dayAgo(1)));
  });

  test('completes the other companies if one fails, and retries the failed one', async () => {
    await testService.query(`
      create function refuse_other() returns trigger language plpgsql as $$ begin
        if new.company_id = '${companies.other}' then raise exception 'stuck'; end if;
        return new;
      end $$;
      create trigger refuses_other before insert on risk_history for each row execute function refuse_other()`);
    try {
      await startDay();
      await startWorker();
      await until(async () => (await jobsOf('record_risk')).some(({ error }) => error !== null));
      await until(async () => (await jobsOf('record_risk')).length === 1);
    } finally {
      await testService.query('drop function refuse_other cascade');
    }
    expect(await jobsOf('record_risk')).toMatchObject([{ company: companies.other, day: dayAgo(0), attempts: 1 }]);
    expect(await recorded()).toEqual({ ...each(dayAgo(1)), other: [] });
    await testService.query('update graphile_worker._private_jobs set run_at = now()');
    await until(isDone, TIMEOUT_MS);
    expect(await recorded()).toEqual(each(dayAgo(1)));
  });
});
