import { companies, learnerId } from '../support/world.ts';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { forgetMail, startMailing, whenDone } from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterAll(async () => {
  stopServices();
  await server.stop();
  await forgetMail();
});

/** Stores a message of a company that was settled a number of days ago or still waits, and returns its id. */
async function store(company: 'tenant' | 'other', status: string, days: number): Promise<string> {
  const [row] = await testService.query(
    `insert into messages (company_id, id, kind, learner_id, status, created_at, settled_at)
     values ($1, gen_random_uuid(), 'course_reminder', $2, $3, now() - $4 * interval '1 day',
             case when $3 <> 'queued' then now() - $4 * interval '1 day' end) returning id`,
    [companies[company], learnerId(company, 1), status, days],
  );
  return row!.id as string;
}

test('messages are purged 90 days after they were settled, and newer or waiting messages are kept', async () => {
  await startMailing(server);
  for (const company of ['tenant', 'other'] as const) {
    for (const status of ['sent', 'failed', 'cancelled']) await store(company, status, 90.01);
  }
  const kept = await Promise.all([
    store('tenant', 'sent', 89.99),
    store('tenant', 'failed', 0),
    store('other', 'queued', 400),
  ]);
  await testService.query(`select graphile_worker.add_job('tidy_up')`);
  await whenDone();
  const left = await testService.query('select id from messages');
  expect(left.map(({ id }) => id as string).toSorted()).toEqual(kept.toSorted());
});

test('a worker schedules tidy_up', async () => {
  const known = () =>
    testService.query(`select from graphile_worker._private_known_crontabs where identifier = 'tidy_up'`);
  await until(async () => (await known()).length === 1);
});

test('signatures of deleted learners are purged after SIGNATURE_RETENTION_DAYS', async () => {
  stopServices();
  await startMailing(server, { SIGNATURE_RETENTION_DAYS: '40' });
  const gone = learnerId('tenant', 1);
  await testService.query('delete from learners where id = $1', [gone]);
  for (const [days, count] of [
    [39.9, 1],
    [40.1, 0],
  ] as const) {
    await testService.query(`update signatures set orphaned_at = now() - $2 * interval '1 day' where learner_id = $1`, [
      gone,
      days,
    ]);
    await testService.query(`select graphile_worker.add_job('tidy_up')`);
    await whenDone();
    expect(await testService.query('select from signatures where learner_id = $1', [gone])).toHaveLength(count);
  }
});

test('if purging signatures fails, everything else has been tidied up before', async () => {
  await testService.query(`insert into oauth_interactions values ('\\x01', '{}', now() - interval '1 day')`);
  const rename = (from: string, to: string): Promise<unknown> =>
    testService.query(`alter function ${from}(integer, text[], integer) rename to ${to}`);
  await rename('purge_signatures', 'purge_no_signatures');
  await testService.query(`select graphile_worker.add_job('tidy_up')`);
  await until(async () => (await testService.query('select from oauth_interactions')).length === 0);
  await rename('purge_no_signatures', 'purge_signatures');
});
