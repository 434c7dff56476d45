import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { get } from '../support/client.ts';
import { MailServer } from './smtp-support.ts';
import {
  bothCourses,
  createLearner,
  enroll,
  enrolledLearner,
  forgetMail,
  hurry,
  messageTo,
  remind,
  startMailing,
  whenDone,
  whenTried,
} from './transport-support.ts';

const server = new MailServer();
beforeAll(async () => {
  await server.start();
  await startMailing(server, { STATEMENT_TIMEOUT_MS: '500' });
});
afterEach(async () => {
  server.reset();
  await forgetMail();
});
afterAll(async () => {
  stopServices();
  await server.stop();
});

interface Mailed {
  courseId: string;
  askedAt: string | null;
  remindedAt: string | null;
  mailFailedAt: string | null;
}
const now = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
const nothing = { askedAt: null, remindedAt: null, mailFailedAt: null };

const resultsOf = async (id: string, query = ''): Promise<Mailed[]> =>
  (await get(`/learners/${id}/course-results${query}`)).body.data as Mailed[];

async function finish(id: string): Promise<void> {
  await testService.query(
    `update enrollments set start_date = enroll_date, finish_date = enroll_date, score = 90 where learner_id = $1`,
    [id],
  );
}

test('results contain askedAt and remindedAt once the email is sent', async () => {
  server.refuse('to', 451, 'try again later');
  const { id } = await enrolledLearner({}, bothCourses);
  await whenTried(id);
  expect(await resultsOf(id)).toMatchObject([nothing, nothing]);
  server.accept();
  await hurry();
  await whenDone();
  expect(await resultsOf(id)).toMatchObject(bothCourses.map(() => ({ ...nothing, askedAt: now })));
  await remind([id], [bothCourses[0]!]);
  await whenDone();
  expect(await resultsOf(id)).toMatchObject([
    { courseId: bothCourses[0], askedAt: now, remindedAt: now, mailFailedAt: null },
    { courseId: bothCourses[1], askedAt: now, remindedAt: null, mailFailedAt: null },
  ]);
  const report = (await get('/reports/course-results')).body.data as (Mailed & { learnerId: string })[];
  expect(report.find(({ learnerId }) => learnerId === id)).toMatchObject({ askedAt: now, remindedAt: now });
});

test('results contain mailFailedAt until a message is sent', async () => {
  // A refusal that says that no mailbox has the address would keep the reminder from being sent.
  server.refuse('data', 554, '5.7.1 looks like spam');
  const { id } = await enrolledLearner();
  await whenDone();
  expect(await resultsOf(id)).toMatchObject([{ ...nothing, mailFailedAt: now }]);
  server.accept();
  await remind([id]);
  await whenDone();
  expect(await resultsOf(id)).toMatchObject([{ ...nothing, remindedAt: now }]);
});

test('a learner whose row a long call locks is mailed once, and the result is recorded after the call', async () => {
  server.refuse('to', 451, 'try again later');
  const { id } = await enrolledLearner();
  await whenTried(id);
  const holder = new pg.Client(testService.database.ownerUrl);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from learners where id = $1 for no key update', [id]);
  server.accept();
  await hurry();
  await until(async () => server.received.length > 0);
  await sleep(1200);
  expect(await resultsOf(id)).toMatchObject([nothing]);
  await holder.query('commit');
  await holder.end();
  await whenDone();
  expect(server.received).toHaveLength(1);
  expect(await resultsOf(id)).toMatchObject([{ ...nothing, askedAt: now }]);
});

test("a refusal that cannot be recorded while the learner's row is locked is recorded later", async () => {
  server.refuse('to', 550, '5.1.1 no such mailbox');
  const { id } = await createLearner();
  const holder = new pg.Client(testService.database.ownerUrl);
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from learners where id = $1 for no key update', [id]);
  await testService.query(
    `with inserted as (
       insert into messages (company_id, id, kind, learner_id)
       select company_id, gen_random_uuid(), 'sign_in', id from learners where id = $1 returning company_id, id)
     select graphile_worker.add_job('send_message', json_build_object('companyId', company_id, 'messageId', id))
       from inserted`,
    [id],
  );
  const listBlocked = () =>
    testService.query(
      `select query_start::text from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'mail_bounces'`,
    );
  let blocked: unknown[] = [];
  await until(async () => (blocked = await listBlocked()).length > 0);
  // The statement has timed out.
  await until(async () => JSON.stringify(await listBlocked()) !== JSON.stringify(blocked));
  await holder.query('commit');
  await holder.end();
  await whenDone();
  expect((await messageTo(id)).status).toBe('failed');
  expect((await get(`/learners/${id}`)).body.data).toMatchObject({ mailStatus: 'undeliverable' });
});

test('mail times stay with their attempt, and the next attempt begins without them', async () => {
  const { id } = await enrolledLearner();
  await whenDone();
  await finish(id);
  server.refuse('to', 550, 'no such mailbox');
  await enroll([id]);
  await whenDone();
  expect(await resultsOf(id, '?attempts=all')).toMatchObject([
    { attempt: 1, ...nothing, askedAt: now },
    { attempt: 2, ...nothing, mailFailedAt: now },
  ]);
});
