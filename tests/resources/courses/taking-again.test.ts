/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import pg from 'pg';
import { fingerprintOf, get, post } from '../../support/client.ts';
import { companies, managedCourses } from '../../support/world.ts';
import { expectNoFailure, forgetNewLearners, insertLearners } from '../tenant-state.ts';
import {
  enrollmentsOf,
  expectEachNamedOnce,
  expectNoDeadlocks,
  forgetMessages,
  learner,
  manyLearnerIds,
  message,
  pairsOf,
  queuedMessages,
  race,
  restoreEnrollments,
  storeEnrollments,
} from './enrollment-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;
const passedPhishing = learner(1);
const failedPhishing = learner(2);
const isoToday = () => new Date().toISOString().slice(0, 10);

restoreEnrollments();
afterEach(forgetNewLearners);

const enrol = (learnerIds: string[], courseIds = [phishing]) => post('/course-enrollments', { learnerIds, courseIds });
const unenrol = (learnerIds: string[], courseIds = [phishing]) =>
  post('/course-unenrollments', { learnerIds, courseIds });
const resultsOf = async (id: string, query = '', path = 'course-results') =>
  (await get(`/learners/${id}/${path}${query}`)).body.data as Record<string, unknown>[];

/** Finishes the open attempts of learners at a course today. */
async function finish(learnerIds: string[], courseId = phishing, score = 90): Promise<void> {
  await testService.query(
    `update enrollments set start_date = current_date, finish_date = current_date, score = $3::numeric, passed = $3::numeric >= 80
      where learner_id = any($1) and course_id = $2 and finish_date is null`,
    [learnerIds, courseId, score],
  );
}

describe('a learner who has finished a course', () => {
  test.each([
    ['passed', passedPhishing],
    ['failed', failedPhishing],
  ])('and %s it begins a new attempt, with a message', async (_case, id) => {
    const { body } = await enrol([id]);
    expect(body.data).toEqual({
      ...{
        success: true,
        completed: [{ learnerId: id, courseId: phishing }],
        unchanged: [],
        failures: [],
        errors: [],
      },
    });
    const again = (await resultsOf(id)).find(({ courseId }) => courseId === phishing);
    expect(again).toMatchObject({
      attempt: 2,
      attempts: 2,
      startDate: null,
      finishDate: null,
      score: null,
      grade: null,
    });
    expect(again!.enrollDate).toBe(isoToday());
    expect(await queuedMessages()).toEqual([message('course_enrollment', id, phishing)]);
  });

  test('keeps every earlier result with its own id, which attempts=all lists', async () => {
    const [before] = await resultsOf(failedPhishing);
    await enrol([failedPhishing]);
    await finish([failedPhishing], phishing, 70);
    await enrol([failedPhishing]);
    const all = await resultsOf(failedPhishing, '?attempts=all');
    expect(all).toMatchObject([
      { ...before, attempt: 1, attempts: 3 },
      { attempt: 2, attempts: 3, score: 70, grade: 'fail', finishDate: isoToday() },
      { attempt: 3, attempts: 3, score: null, grade: null },
    ]);
    expect(new Set(all.map(({ attemptId }) => attemptId)).size).toBe(3);
    expect(await resultsOf(failedPhishing)).toEqual([all[2]]);
    expect(await resultsOf(failedPhishing, '?attempts=newest')).toEqual([all[2]]);
  });

  test('counts once in every report, by the newest attempt', async () => {
    await enrol([failedPhishing]);
    await finish([failedPhishing]);
    const { summary, rows } = (await get(`/reports/learning?learnerId=${failedPhishing}&courseId=${phishing}`)).body
      .data;
    expect(rows).toMatchObject([{ attempts: 2, score: 90, grade: 'pass' }]);
    expect(summary).toMatchObject({ enrollmentCount: 1, finishedCount: 1, passedCount: 1, averageScore: 90 });
    const ofLearner = ({ learnerId }: { learnerId: string }) => learnerId === failedPhishing;
    const results = (await get('/reports/course-results')).body.data.filter(ofLearner);
    expect(results).toMatchObject([{ attempt: 2, attempts: 2, grade: 'pass' }]);
    const { learners } = (await get('/reports/course-participation')).body.data;
    const participant = learners.find(({ id }: { id: string }) => id === failedPhishing);
    expect(participant.courseResults).toMatchObject([{ courseId: phishing, grade: 'pass' }]);
  });

  test('begins new attempts only while active, and only in finished courses', async () => {
    const { body } = await enrol([learner(5), learner(1)], [phishing, passwords]);
    expect(body.data.unchanged).toEqual([{ learnerId: learner(1), courseId: passwords }]);
    expect(body.data.failures).toHaveLength(2);
    expect(await resultsOf(learner(5))).toMatchObject([{ attempts: 1, grade: 'pass' }]);
  });

  test('gets the message of the new attempt even within an hour of the first', async () => {
    await enrol([learner(4)]);
    await finish([learner(4)]);
    await enrol([learner(4)]);
    const sent = await testService.query('select subject_ids, status from messages order by created_at');
    expect(sent).toEqual([
      { subject_ids: [phishing], status: 'cancelled' },
      { subject_ids: [phishing], status: 'queued' },
    ]);
  });
});

test('a learner with an open attempt is left unchanged, and the response says so', async () => {
  await enrol([failedPhishing]);
  await forgetMessages();
  const before = await fingerprintOf('tenant');
  const { body } = await enrol([failedPhishing]);
  expect(body.data.unchanged).toEqual([{ learnerId: failedPhishing, courseId: phishing }]);
  expect(await fingerprintOf('tenant')).toBe(before);
  expect(await queuedMessages()).toEqual([]);
});

test('a reminder is about the open attempt', async () => {
  const body = { learnerIds: [failedPhishing], courseIds: [phishing] };
  expect((await post('/course-reminders', body)).body.data.failures).toMatchObject([{ code: 'already_finished' }]);
  await enrol([failedPhishing]);
  await forgetMessages();
  expect((await post('/course-reminders', body)).body.data).toMatchObject({ success: true });
  expect(await queuedMessages()).toEqual([message('course_reminder', failedPhishing, phishing)]);
});

describe('unenrolling', () => {
  test('removes the open attempt and makes the result before it the newest again', async () => {
    const before = await enrollmentsOf(failedPhishing);
    const results = await resultsOf(failedPhishing, '?attempts=all');
    await enrol([failedPhishing]);
    expect((await unenrol([failedPhishing])).body.data).toEqual({
      removed: [{ learnerId: failedPhishing, courseId: phishing }],
      skipped: [],
    });
    expect(await enrollmentsOf(failedPhishing)).toEqual(before);
    expect(await resultsOf(failedPhishing, '?attempts=all')).toEqual(results);
  });

  test('skips learners with only finished attempts, and enrolling begins the next attempt', async () => {
    await enrol([failedPhishing]);
    await unenrol([failedPhishing]);
    const { body } = await unenrol([failedPhishing]);
    expect(body.data.skipped).toMatchObject([{ code: 'already_finished' }]);
    await enrol([failedPhishing]);
    await finish([failedPhishing]);
    await enrol([failedPhishing]);
    expect(await resultsOf(failedPhishing, '?attempts=all')).toMatchObject([
      { attempt: 1, score: 60 },
      { attempt: 2, score: 90 },
      { attempt: 3, score: null },
    ]);
  });
});

test('a second gap analysis can be compared with the first', async () => {
  const { body } = await post('/gap-analysis/enrollments', { learnerIds: [learner(2), learner(4)] });
  expect(body.data).toMatchObject({ success: true, unchangedIds: [] });
  await finish([learner(2)], gapAnalysis, 88);
  const both = [
    { attempt: 1, attempts: 2, score: 71.25, grade: 'fail' },
    { attempt: 2, attempts: 2, score: 88, grade: 'pass' },
  ];
  expect(await resultsOf(learner(2), '?attempts=all', 'gap-analysis-results')).toMatchObject(both);
  const report = (query: string) => get(`/reports/gap-analysis-results${query}`);
  expect((await report('')).body.data).toMatchObject([both[1], { learnerId: learner(4), attempts: 1 }]);
  expect((await report('?attempts=all')).body.data).toMatchObject([...both, { learnerId: learner(4), attempts: 1 }]);
});

test('an MSP reads the attempts of its child, and another company gets 404', async () => {
  await enrol([failedPhishing]);
  for (const path of ['course-results', 'gap-analysis-results']) {
    expect((await get(`/learners/${failedPhishing}/${path}?attempts=all`, 'other')).status).toBe(404);
  }
  const { body } = await get(`/reports/course-results?companyId=${companies.childA}`, 'msp');
  expect(body.data.map(({ attempts }: { attempts: number }) => attempts)).toEqual(body.data.map(() => 1));
});

test('deleting a learner deletes the earlier attempts', async () => {
  await insertLearners('tenant', 1);
  const { active } = manyLearnerIds(1);
  await enrol(active);
  await finish(active);
  await enrol(active);
  await race(`/learners/${active[0]}`, undefined, 'DELETE');
  expect(await testService.query('select from enrollment_attempts')).toEqual([]);
});

test('the service role cannot delete an earlier attempt that no result finished, or change its finish', async () => {
  await enrol([failedPhishing]);
  const before = await testService.query('select * from enrollment_attempts');
  expect(before).toMatchObject([{ company_id: companies.tenant, finish_event_id: null, passed: false }]);
  const service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
  try {
    await service.query(`select set_config('app.company_id', $1, false)`, [companies.tenant]);
    await expect(service.query('delete from enrollment_attempts')).rejects.toThrow(/cannot be deleted/);
    const change = 'update enrollment_attempts set finish_date = finish_date + 1, score = 100, passed = true';
    expect((await service.query(change)).rowCount).toBe(1);
  } finally {
    await service.end();
  }
  expect(await testService.query('select * from enrollment_attempts')).toEqual(before);
});

describe('concurrent calls', () => {
  const { all, active } = manyLearnerIds(21);
  const body = { learnerIds: active, courseIds: [phishing, passwords] };
  beforeEach(async () => {
    await insertLearners('tenant', all.length);
    await storeEnrollments('tenant', active, [phishing, passwords]);
    await finish(active);
    await finish(active, passwords);
  });
  expectNoDeadlocks();

  test('begin one attempt for each pair with one message, and keep the result', async () => {
    const requests = Array.from({ length: 10 }, (_, n) =>
      race('/course-enrollments', n % 2 ? body : { ...body, learnerIds: active.toReversed() }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    const unchanged = (await Promise.all(requests)).flatMap((answer) => answer.body.data.unchanged as object[]);
    expect(unchanged).toHaveLength(9 * 2 * active.length);
    const [open] = await testService.query(
      `select count(*)::integer as open from enrollments where learner_id = any($1) and attempt = 2 and finish_date is null`,
      [active],
    );
    expect(open).toEqual({ open: 2 * active.length });
    const kept = await testService.query('select attempt, score::float from enrollment_attempts');
    expect(kept).toEqual(Array(2 * active.length).fill({ attempt: 1, score: 90 }));
    expectEachNamedOnce(await queuedMessages(), pairsOf(active, body.courseIds));
  });

  test('to enrol, unenrol and finish lose no result and return no 5xx', async () => {
    const requests = Array.from({ length: 12 }, (_, n) =>
      n % 3 === 2 ? race('/course-unenrollments', body) : race('/course-enrollments', body),
    );
    const finishes = active.map((id) => finish([id]));
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    await Promise.all(finishes);
    for (const id of active) {
      const attempts = await resultsOf(id, '?attempts=all');
      for (const courseId of body.courseIds) {
        const ofCourse = attempts.filter((attempt) => attempt.courseId === courseId);
        expect(ofCourse.map(({ attempt }) => attempt)).toEqual(ofCourse.map((_, n) => n + 1));
        expect(ofCourse[0]).toMatchObject({ score: 90, grade: 'pass', attempts: ofCourse.length });
        expect(ofCourse.slice(0, -1).every(({ finishDate }) => finishDate !== null)).toBe(true);
      }
    }
  });
});
