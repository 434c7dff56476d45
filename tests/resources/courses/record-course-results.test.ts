import pg from 'pg';
import { expectError, get, post } from '../../support/client.ts';
import { companies, learnerId, managedCourses, ownCourseId } from '../../support/world.ts';
import { learner, queuedMessages, restoreEnrollments } from './enrollment-state.ts';
import { at, attemptsOf, enrolledInNothing, on, record } from './result-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;

restoreEnrollments();
afterEach(() => testService.query('delete from course_result_events'));

describe('POST /course-results', () => {
  test('enrols the learner without a message, and reports count the result', async () => {
    const { status, body } = await record(
      { startedAt: at(3), eventId: 'e1' },
      { finishedAt: at(5), score: 90, eventId: 'e2' },
    );
    expect(status).toBe(200);
    expect(body.data).toEqual({
      success: true,
      completed: [
        { index: 0, eventId: 'e1' },
        { index: 1, eventId: 'e2' },
      ],
      failures: [],
      errors: [],
    });
    expect(await attemptsOf()).toMatchObject([
      { enrollDate: on(3), startDate: on(3), finishDate: on(5), score: 90, grade: 'pass', attempt: 1, attempts: 1 },
    ]);
    expect(await queuedMessages()).toEqual([]);
    const { rows } = (await get(`/reports/learning?learnerId=${enrolledInNothing}&courseId=${phishing}`)).body.data;
    expect(rows).toMatchObject([{ score: 90, grade: 'pass' }]);
  });

  test('finishes an open enrolment, even if started, and keeps its id', async () => {
    const [before] = await attemptsOf(learner(1), passwords);
    const finish = { learner: { id: learner(1) }, course: { id: passwords }, finishedAt: at(5), score: 79.999 };
    await record({ ...finish, eventId: 'e1' });
    expect(await attemptsOf(learner(1), passwords)).toEqual([
      { ...before, finishDate: on(5), score: 80, grade: 'pass' },
    ]);
  });

  test('the earlier of two starts is kept, and a start after the finish begins another attempt', async () => {
    await record({ startedAt: at(4), finishedAt: at(5), score: 60, eventId: 'e1' });
    await record({ startedAt: at(3), eventId: 'e2' }, { startedAt: at(8), eventId: 'e3' });
    expect(await attemptsOf()).toMatchObject([
      { startDate: on(3), finishDate: on(5), score: 60, grade: 'fail', attempts: 2 },
      { startDate: on(8), finishDate: null, score: null, grade: null, attempts: 2 },
    ]);
  });

  test('a late finish comes before later ones, which keep their ids and results', async () => {
    await record({ finishedAt: at(9), score: 90, eventId: 'e1' });
    const [last] = await attemptsOf();
    await record({ finishedAt: at(3), score: 50, eventId: 'e2' });
    const [first] = await attemptsOf();
    await record({ finishedAt: at(6), score: 70, eventId: 'e3' });
    expect(await attemptsOf()).toEqual([
      { ...first, attempts: 3 },
      expect.objectContaining({ attempt: 2, attempts: 3, finishDate: on(6), score: 70, grade: 'fail' }),
      { ...last, attempt: 3, attempts: 3 },
    ]);
  });

  test('keeps results that were stored in another way', async () => {
    const [before] = await attemptsOf(learner(2));
    const again = { learner: { id: learner(2) }, score: 100 };
    await record({ ...again, finishedAt: '2026-03-06T18:00:00Z', eventId: 'e1' });
    expect(await attemptsOf(learner(2))).toEqual([before]);
    await record({ ...again, finishedAt: at(5), eventId: 'e2' });
    expect(await attemptsOf(learner(2))).toMatchObject([
      { ...before, attempts: 2 },
      { attempt: 2, finishDate: on(5), grade: 'pass' },
    ]);
  });

  test('enrolments and unenrolments continue from the recorded results', async () => {
    const pair = { learnerIds: [enrolledInNothing], courseIds: [phishing] };
    await record({ finishedAt: at(5), score: 60, eventId: 'e1' });
    await post('/course-enrollments', pair);
    await post('/course-unenrollments', pair);
    await record({ finishedAt: at(3), score: 50, eventId: 'e2' });
    expect(await attemptsOf()).toMatchObject([
      { attempt: 1, attempts: 2, score: 50 },
      { attempt: 2, attempts: 2, score: 60 },
    ]);
    await post('/course-enrollments', pair);
    const now = new Date().toISOString();
    await record({ finishedAt: now, score: 80, eventId: 'e3' });
    expect(await attemptsOf()).toMatchObject([
      { attempt: 1, score: 50 },
      { attempt: 2, score: 60 },
      { attempt: 3, attempts: 3, score: 80, finishDate: now.slice(0, 10), askedAt: null },
    ]);
  });

  test('a removed enrolment returns with a new start, but not with a repeated result', async () => {
    const pair = { learnerIds: [enrolledInNothing], courseIds: [phishing] };
    await record({ startedAt: at(3), eventId: 'e1' });
    await post('/course-unenrollments', pair);
    expect((await record({ startedAt: at(3), eventId: 'e1' })).body.data.success).toBe(true);
    expect(await attemptsOf()).toEqual([]);
    await record({ startedAt: at(4), eventId: 'e2' });
    expect(await attemptsOf()).toMatchObject([{ startDate: on(3), attempts: 1 }]);
  });

  test('the grade follows the pass mark at the time of recording', async () => {
    await record({ finishedAt: at(5), score: 75, eventId: 'e1' });
    await testService.query('update courses set pass_mark = 70 where id = $1', [phishing]);
    try {
      await record({ finishedAt: at(3), score: 75, eventId: 'e2' }, { finishedAt: at(7), score: 75, eventId: 'e3' });
      expect((await attemptsOf()).map(({ grade }) => grade)).toEqual(['pass', 'fail', 'pass']);
    } finally {
      await testService.query('update courses set pass_mark = 80 where id = $1', [phishing]);
    }
  });

  test('accepts inactive learners, custom courses, the gap analysis and e-mail addresses', async () => {
    const finish = { finishedAt: at(5), score: 90 };
    const { body } = await record(
      { ...finish, learner: { email: 'LEARNER5@tenant.test' }, eventId: 'e1' },
      { ...finish, course: { id: ownCourseId('tenant') }, eventId: 'e2' },
      { ...finish, course: { id: gapAnalysis }, eventId: 'e3' },
    );
    expect(body.data.success).toBe(true);
    expect(await attemptsOf(learner(5))).toMatchObject([{}, { finishDate: on(5), attempts: 2 }]);
    expect(await attemptsOf(enrolledInNothing, ownCourseId('tenant'))).toMatchObject([{ grade: 'pass' }]);
    const results = (await get(`/learners/${enrolledInNothing}/gap-analysis-results`)).body.data;
    expect(results).toMatchObject([{ finishDate: on(5) }]);
  });

  test('an unknown, foreign, implausible or inconsistent result fails individually with a code', async () => {
    const start = { startedAt: at(3) };
    const { status, body } = await record(
      { ...start, eventId: 'e1' },
      { ...start, eventId: 'e2', learner: { id: learnerId('other', 1) } },
      { ...start, eventId: 'e3', learner: { email: 'nobody@tenant.test' } },
      { ...start, eventId: 'e4', course: { id: ownCourseId('other') } },
      { ...start, eventId: 'e5', course: { id: enrolledInNothing } },
      { startedAt: '2099-01-01T00:00:00Z', eventId: 'e6' },
      { finishedAt: '1926-01-01T00:00:00Z', score: 90, eventId: 'e7' },
      { startedAt: at(5), finishedAt: at(4), score: 90, eventId: 'e8' },
      { finishedAt: at(4), passed: true, passMark: 60, eventId: 'e9' },
      { startedAt: at(4), score: 90, eventId: 'e10' },
      { eventId: 'e11' },
      { startedAt: at(4), eventId: 'e1' },
      { startedAt: at(4), passed: true, eventId: 'e12' },
    );
    expect(status).toBe(200);
    expect(body.data.success).toBe(false);
    expect(body.data.completed).toEqual([{ index: 0, eventId: 'e1' }]);
    expect(body.data.failures.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [1, 'learner_not_found'],
      [2, 'learner_not_found'],
      [3, 'course_not_found'],
      [4, 'course_not_found'],
      [5, 'time_not_plausible'],
      [6, 'time_not_plausible'],
      [7, 'result_inconsistent'],
      [8, 'result_inconsistent'],
      [9, 'result_inconsistent'],
      [10, 'result_inconsistent'],
      [11, 'event_id_reused'],
      [12, 'result_inconsistent'],
    ]);
    expect(await attemptsOf()).toMatchObject([{ startDate: on(3), attempts: 1 }]);
  });

  test('a repeated result succeeds without a change, even in another spelling', async () => {
    const finish = { finishedAt: at(5), score: 90, eventId: 'e1' };
    await record(finish);
    const stored = async () => [
      await testService.query('select * from enrollments order by learner_id, course_id'),
      await testService.query('select * from course_result_events order by event_id'),
    ];
    const before = await stored();
    const { body } = await record({
      ...finish,
      finishedAt: '2026-04-05T10:00:00+02:00',
      learner: { email: 'learner4@tenant.test' },
    });
    expect(body.data).toMatchObject({ success: true, completed: [{ index: 0, eventId: 'e1' }] });
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['another time', { finishedAt: at(6) }],
    ['a start', { startedAt: at(3) }],
    ['another score', { score: 91 }],
    ['no score', { score: null }],
    ['another learner', { learner: { id: learner(2) } }],
    ['another course', { course: { id: passwords } }],
  ])('an event id reused with %s fails with event_id_reused', async (_case, change) => {
    const finish = { finishedAt: at(5), score: 90, eventId: 'e1' };
    await record(finish);
    const { body } = await record({ ...finish, ...change });
    expect(body.data.failures).toMatchObject([{ index: 0, eventId: 'e1', code: 'event_id_reused' }]);
  });

  test.each([
    ['no learner', { learner: {} }],
    ['no course', { course: {} }],
    ['a score above 100', { score: 101 }],
    ['an invalid time', { finishedAt: 'yesterday' }],
    ['an event id with a space', { eventId: ' 1' }],
  ])('%s returns 400 for the whole call', async (_case, change) => {
    const answer = await record({ finishedAt: at(5), score: 90, eventId: 'e1', ...change });
    expectError(answer, 400, 'invalid_request');
    expect(await attemptsOf()).toEqual([]);
  });
});

describe('a finish without a score', () => {
  const progress = { startDate: on(5), finishDate: on(5), score: null, attempts: 1 };

  test.each([
    ['that is reported as passed', { passed: true }, 'pass'],
    ['that is reported as failed', { passed: false }, 'fail'],
    ['without a grade', {}, null],
    ['with a null score and grade', { score: null, passed: null }, null],
  ])('%s has no score in any report', async (_case, told, grade) => {
    expect((await record({ finishedAt: at(5), ...told, eventId: 'e1' })).body.data.success).toBe(true);
    expect(await attemptsOf()).toMatchObject([{ ...progress, grade }]);
    const query = `?learnerId=${enrolledInNothing}&courseId=${phishing}`;
    const { rows, summary } = (await get(`/reports/learning${query}`)).body.data;
    expect(rows).toMatchObject([{ status: 'finished', score: null, grade }]);
    expect(summary).toMatchObject({ finishedCount: 1, passedCount: grade === 'pass' ? 1 : 0, averageScore: null });
    const { learners } = (await get('/reports/course-participation')).body.data;
    const me = learners.find(({ id }: { id: string }) => id === enrolledInNothing);
    expect(me.courseResults).toMatchObject([{ courseId: phishing, finishDate: on(5), score: null, grade }]);
  });

  test('takes a grade that is reported for the same day, and keeps it', async () => {
    const [ends, grade] = [
      { finishedAt: at(5, 9), eventId: 'e1' },
      { finishedAt: at(5, 10), score: 90, eventId: 'e2' },
    ];
    await record(ends);
    const [before] = await attemptsOf();
    await record(grade);
    expect(await attemptsOf()).toEqual([{ ...before, score: 90, grade: 'pass' }]);
    await record({ finishedAt: at(5, 11), eventId: 'e3' });
    expect(await attemptsOf()).toEqual([{ ...before, score: 90, grade: 'pass' }]);
  });

  test('takes its grade even after a later attempt', async () => {
    await record({ finishedAt: at(5), eventId: 'e1' }, { finishedAt: at(7), score: 90, eventId: 'e2' });
    const [first, second] = await attemptsOf();
    await record({ finishedAt: at(5, 9), passed: false, eventId: 'e3' });
    expect(await attemptsOf()).toEqual([{ ...first, grade: 'fail' }, second]);
    await expect(testService.query('update enrollment_attempts set score = 100, passed = true')).resolves.toBeDefined();
    expect(await attemptsOf()).toEqual([{ ...first, grade: 'fail' }, second]);
  });

  test('is followed by another attempt when the learner is enrolled again', async () => {
    const now = Date.now();
    await record({ finishedAt: new Date(now - 5000).toISOString(), eventId: 'e1' });
    await post('/course-enrollments', { learnerIds: [enrolledInNothing], courseIds: [phishing] });
    await record({ finishedAt: new Date(now).toISOString(), eventId: 'e2' });
    expect(await attemptsOf()).toMatchObject([
      { attempts: 2, grade: null },
      { attempts: 2, grade: null },
    ]);
  });
});

test('results are stored only for the company that sent them', async () => {
  await record({ finishedAt: at(5), score: 90, eventId: 'mine' });
  const others = await testService.query('select * from course_result_events where company_id <> $1', [
    companies.tenant,
  ]);
  expect(others).toEqual([]);
});

test.each(['update course_result_events set score = 100', 'delete from course_result_events'])(
  'the service role cannot %s',
  async (statement) => {
    const service = new pg.Client(testService.database.serviceUrl);
    await service.connect();
    try {
      await expect(service.query(statement)).rejects.toThrow(/permission denied/);
    } finally {
      await service.end();
    }
  },
);
