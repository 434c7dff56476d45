import { stopServices } from '../process/support.ts';
import { askPage } from '../support/learner.ts';
import { until } from '../support/until.ts';
import { companies } from '../support/world.ts';
import { MailServer } from './smtp-support.ts';
import { createLearner, enroll, forgetMail, insertLearners, startMailing } from './transport-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterAll(async () => {
  stopServices();
  await server.stop();
  await forgetMail();
});

const LEARNERS = 1000;
const QUEUED = 100_000;
const MAX_MS = 2000;
const REQUESTS = 5;

/** Queues further messages to the learners, with the priorities that a bulk call gives them. */
async function fillQueue(learnerIds: string[]): Promise<void> {
  await testService.query(
    `with inserted as (
       insert into messages (company_id, id, kind, learner_id, subject_ids)
       select m.company_id, gen_random_uuid(), m.kind, m.learner_id, m.subject_ids
         from messages m cross join generate_series(2, $2::integer)
        where m.company_id = $1 and m.learner_id = any($3::uuid[])
       returning company_id, id
     )
     select graphile_worker.add_jobs(array_agg((
       'send_message', json_build_object('companyId', company_id, 'messageId', id), null, null, null, null,
       least(1 + number / 100, 1000)::smallint, null)::graphile_worker.job_spec))
       from (select *, row_number() over () as number from inserted) as numbered`,
    [companies.tenant, QUEUED / LEARNERS, learnerIds],
  );
}

/** Requests a sign-in link, and returns the milliseconds until the mail server has the email. */
async function timeSignInLink(): Promise<number> {
  const { email } = await createLearner();
  const startedAt = performance.now();
  await askPage('/learn', { method: 'POST', body: new URLSearchParams({ email }) });
  await until(() => server.received.some(({ to }) => to.includes(email)), 60_000);
  return performance.now() - startedAt;
}

test('a sign-in link arrives within two seconds while 100,000 training messages are queued', async () => {
  const learnerIds = await insertLearners(LEARNERS);
  await enroll(learnerIds);
  await fillQueue(learnerIds);
  await startMailing(server);
  await until(() => server.received.length > 500, 60_000);
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) times.push(await timeSignInLink());
  const [left] = await testService.query(`select count(*)::integer as queued from messages where status = 'queued'`);
  expect(left!.queued).toBeGreaterThan(QUEUED / 2);
  expect(Math.max(...times)).toBeLessThan(MAX_MS);
}, 240_000);
