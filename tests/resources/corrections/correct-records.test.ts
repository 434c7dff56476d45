import { call, get, post } from '../../support/client.ts';
import { managedCourses } from '../../support/world.ts';
import { learner, race, restoreEnrollments } from '../courses/enrollment-state.ts';
import { at, attemptsOf, bodyOf, enrolledInNothing, on, record } from '../courses/result-state.ts';
import { correct, corrected } from './correction-state.ts';

const { phishing, passwords } = managedCourses;

restoreEnrollments();
afterEach(() => testService.query('delete from corrections'));
afterEach(() => testService.query('delete from course_result_events'));

const recorded = async (query = '') => (await get(`/course-results?learnerId=${enrolledInNothing}${query}`)).body.data;

describe('POST /corrections', () => {
  test('a voided finish leaves no attempt, no row in reports, and counts again once it is restored', async () => {
    await record({ finishedAt: at(5), score: 90, eventId: 'e1' });
    const before = await attemptsOf();
    const rows = async () =>
      (await get(`/reports/learning?learnerId=${enrolledInNothing}&courseId=${phishing}`)).body.data.rows;
    const reported = await rows();
    expect(await corrected({ eventId: 'e1', action: 'void' })).toEqual([true]);
    expect([await attemptsOf(), await rows()]).toEqual([[], []]);
    expect(await corrected({ eventId: 'e1', action: 'restore' })).toEqual([true]);
    expect([await attemptsOf(), await rows()]).toEqual([before, reported]);
  });

  test('an enrolment is open again, as a new attempt, if its finish is voided', async () => {
    const [before] = await attemptsOf(learner(1), passwords);
    const finish = { learner: { id: learner(1) }, course: { id: passwords }, finishedAt: at(5), score: 90 };
    await record({ ...finish, eventId: 'e1' });
    const [finished] = await attemptsOf(learner(1), passwords);
    expect(finished.attemptId).toBe(before.attemptId);
    await corrected({ eventId: 'e1', action: 'void' });
    const [open, ...more] = await attemptsOf(learner(1), passwords);
    const { attemptId, ...rest } = before;
    expect([open, more]).toMatchObject([{ ...rest, askedAt: null, remindedAt: null, mailFailedAt: null }, []]);
    expect(open.attemptId).not.toBe(attemptId);
    await corrected({ eventId: 'e1', action: 'restore' });
    expect(await attemptsOf(learner(1), passwords)).toMatchObject([
      { attemptId, finishDate: on(5), score: 90, grade: 'pass', attempts: 1 },
    ]);
  });

  test('a replacement keeps the attempt, and the pass mark grades its new score', async () => {
    await record({ startedAt: at(4), finishedAt: at(5), score: 90, eventId: 'e1' });
    const [before] = await attemptsOf();
    const replacement = { eventId: 'e2', startedAt: at(3), finishedAt: at(6), score: 40 };
    expect(await corrected({ eventId: 'e1', action: 'replace', replacement })).toEqual([true]);
    expect(await attemptsOf()).toEqual([
      { ...before, enrollDate: on(3), startDate: on(3), finishDate: on(6), score: 40, grade: 'fail' },
    ]);
    const again = { eventId: 'e3', finishedAt: at(6), passed: true };
    await corrected({ eventId: 'e2', action: 'replace', replacement: again });
    expect(await attemptsOf()).toMatchObject([
      { attemptId: before.attemptId, startDate: on(6), finishDate: on(6), score: null, grade: 'pass' },
    ]);
  });

  test('removes the newest attempt; the earlier one is newest again, with its grade and email times', async () => {
    await record({ finishedAt: at(3), score: 50, eventId: 'e1' });
    await testService.query(
      `update enrollments set asked_at = '2026-04-01Z', reminder_sent_at = '2026-04-02Z' where learner_id = $1`,
      [enrolledInNothing],
    );
    const [first] = await attemptsOf();
    expect(first.remindedAt).toBe('2026-04-02T00:00:00.000Z');
    await record({ finishedAt: at(9), score: 90, eventId: 'e2' });
    await corrected({ eventId: 'e2', action: 'void' });
    expect(await attemptsOf()).toEqual([first]);
    await record({ finishedAt: at(12), score: 80, eventId: 'e3' });
    expect(await attemptsOf()).toMatchObject([
      { ...first, attempts: 2 },
      { attempt: 2, finishDate: on(12), score: 80, grade: 'pass' },
    ]);
  });

  test('voiding a result removes its attempt and renumbers the later ones', async () => {
    for (const [eventId, day] of [['e1', 3] as const, ['e2', 6] as const, ['e3', 9] as const])
      await record({ finishedAt: at(day), score: 70 + day, eventId });
    const [first, , third] = await attemptsOf();
    await corrected({ eventId: 'e2', action: 'void' });
    expect(await attemptsOf()).toEqual([
      { ...first, attempts: 2 },
      { ...third, attempt: 2, attempts: 2 },
    ]);
    await corrected({ eventId: 'e2', action: 'restore' });
    expect((await attemptsOf()).map(({ finishDate, score }) => [finishDate, score])).toEqual([
      [on(3), 73],
      [on(6), 76],
      [on(9), 79],
    ]);
  });

  test('a grade from a former pass mark is kept if the score is kept', async () => {
    const marks = { name: 'corrected-marks', subject: 'Made', difficulty: 2, passMark: 50, locales: ['en'] };
    const { body } = await post('/courses', marks);
    const course = { id: body.data.id as string };
    await record({ course, finishedAt: at(5), score: 60, eventId: 'e1' });
    await record({ course, finishedAt: at(7), score: 55, eventId: 'e2' });
    expect((await call('tenant', 'PATCH', `/courses/${course.id}`, { body: { passMark: 90 } })).status).toBe(200);
    const moved = { eventId: 'e3', finishedAt: at(4), score: 60 };
    await corrected({ eventId: 'e1', action: 'replace', replacement: moved });
    await corrected({ eventId: 'e2', action: 'void' });
    expect(await attemptsOf(enrolledInNothing, course.id)).toMatchObject([
      { finishDate: on(4), score: 60, grade: 'pass', attempts: 1 },
    ]);
    await corrected({ eventId: 'e2', action: 'restore' });
    const [, second] = await attemptsOf(enrolledInNothing, course.id);
    expect(second).toMatchObject({ finishDate: on(7), score: 55, grade: 'pass' });
    await testService.query('delete from course_result_events');
    await testService.query('delete from enrollment_attempts');
    await testService.query('delete from enrollments where course_id = $1', [course.id]);
    await testService.query('delete from courses where id = $1', [course.id]);
  });

  test('a finish that is recorded under two ids counts until both are voided', async () => {
    const finish = { finishedAt: at(5), score: 90 };
    await record({ ...finish, eventId: 'e1' }, { ...finish, eventId: 'e2' });
    const before = await attemptsOf();
    await corrected({ eventId: 'e1', action: 'void' });
    expect(await attemptsOf()).toEqual(before);
    await corrected({ eventId: 'e2', action: 'void' });
    expect(await attemptsOf()).toEqual([]);
  });

  test('a voided grade leaves the finish of the same day without a grade', async () => {
    await record({ finishedAt: at(5), eventId: 'e1' }, { finishedAt: at(5, 9), score: 90, eventId: 'e2' });
    const [before] = await attemptsOf();
    await corrected({ eventId: 'e2', action: 'void' });
    expect(await attemptsOf()).toEqual([{ ...before, score: null, grade: null }]);
  });

  test('voiding a start keeps the enrolment, or removes it if the start created it', async () => {
    await record({ startedAt: at(5), eventId: 'e1' });
    await corrected({ eventId: 'e1', action: 'void' });
    expect(await attemptsOf()).toEqual([]);
    const [before] = await attemptsOf(learner(1), passwords);
    await record({ learner: { id: learner(1) }, course: { id: passwords }, startedAt: at(5), eventId: 'e2' });
    await corrected({ eventId: 'e2', action: 'void' });
    expect(await attemptsOf(learner(1), passwords)).toMatchObject([
      { attemptId: before.attemptId, enrollDate: before.enrollDate, finishDate: null },
    ]);
  });

  test('a correction that is sent again changes nothing, and a voided result that is sent again stays voided', async () => {
    await record({ finishedAt: at(5), score: 90, eventId: 'e1' });
    const replacement = { eventId: 'e2', finishedAt: at(6), score: 80 };
    const replace = { eventId: 'e1', action: 'replace', replacement } as const;
    expect(await corrected(replace)).toEqual([true]);
    const attempts = await attemptsOf();
    expect(await corrected(replace, { eventId: 'e1', action: 'void' })).toEqual([false, false]);
    expect(await corrected({ eventId: 'e2', action: 'restore' })).toEqual([false]);
    expect((await record({ finishedAt: at(5), score: 90, eventId: 'e1' })).body.data.success).toBe(true);
    expect(await attemptsOf()).toEqual(attempts);
    expect((await get('/corrections')).body.data).toHaveLength(1);
  });

  test('corrections are applied in order, and one that fails does not stop the others', async () => {
    await record({ finishedAt: at(5), score: 90, eventId: 'e1' }, { finishedAt: at(9), score: 60, eventId: 'e2' });
    const replacement = { eventId: 'e3', finishedAt: at(6) };
    const { body } = await correct(
      { eventId: 'e1', action: 'void' },
      { eventId: 'e1', action: 'replace', replacement },
      { eventId: 'e1', action: 'restore' },
      { eventId: 'nobody', action: 'void' },
      { eventId: 'e2', action: 'replace' },
      { eventId: 'e2', action: 'void', replacement },
      { eventId: 'e2', action: 'replace', replacement: { eventId: 'e3' } },
      { eventId: 'e2', action: 'replace', replacement: { eventId: 'e3', startedAt: at(9), finishedAt: at(8) } },
      { eventId: 'e2', action: 'replace', replacement: { eventId: 'e3', startedAt: at(8), score: 3 } },
      {
        eventId: 'e2',
        action: 'replace',
        replacement: { eventId: 'e3', finishedAt: at(8), passed: true, passMark: 3 },
      },
      { eventId: 'e2', action: 'replace', replacement: { eventId: 'e3', finishedAt: '2031-01-01T00:00:00Z' } },
      { eventId: 'e2', action: 'replace', replacement: { eventId: 'e1', finishedAt: at(6) } },
      { eventId: 'e2', action: 'replace', replacement: { eventId: 'e2', finishedAt: at(6) } },
      { eventId: 'e2', action: 'replace', replacement },
      { eventId: 'e3', action: 'void' },
    );
    expect(body.data.success).toBe(false);
    expect(body.data.completed.map(({ index }: { index: number }) => index)).toEqual([0, 2, 13]);
    expect(body.data.failures.map(({ index, code }: { index: number; code: string }) => [index, code])).toEqual([
      [1, 'already_voided'],
      [3, 'record_not_found'],
      [4, 'replacement_inconsistent'],
      [5, 'replacement_inconsistent'],
      [6, 'replacement_inconsistent'],
      [7, 'replacement_inconsistent'],
      [8, 'replacement_inconsistent'],
      [9, 'replacement_inconsistent'],
      [10, 'time_not_plausible'],
      [11, 'event_id_reused'],
      [12, 'event_id_reused'],
      [14, 'record_not_found'],
    ]);
    expect((await attemptsOf()).map(({ finishDate }) => finishDate)).toEqual([on(5), on(6)]);
  });

  test('a course whose results are voided can be deleted, and its results are then not found', async () => {
    const made = { name: 'corrected-away', subject: 'Made', difficulty: 2, passMark: 50, locales: ['en'] };
    const course = { id: (await post('/courses', made)).body.data.id as string };
    await record({ course, finishedAt: at(5), score: 60, eventId: 'e1' }, { finishedAt: at(6), eventId: 'e2' });
    const remove = () => call('tenant', 'DELETE', `/courses/${course.id}`);
    expect((await remove()).status).toBe(400);
    await corrected({ eventId: 'e1', action: 'void' });
    expect((await remove()).status).toBe(200);
    const replacement = { eventId: 'e1', finishedAt: at(6) };
    const { body } = await correct(
      { eventId: 'e1', action: 'restore' },
      { eventId: 'e2', action: 'replace', replacement },
    );
    expect(body.data.failures).toMatchObject([{ code: 'record_not_found' }, { code: 'event_id_reused' }]);
    expect(await attemptsOf(enrolledInNothing, course.id)).toEqual([]);
    await testService.query('delete from course_result_events');
    await testService.query('delete from courses where id = $1', [course.id]);
  });

  test('records of other companies are not found', async () => {
    await record({ finishedAt: at(5), score: 90, eventId: 'e1' });
    const corrections = [{ kind: 'course_result', eventId: 'e1', action: 'void', reason: 'A guess' }];
    for (const company of ['other', 'msp'] as const) {
      const { body } = await call(company, 'POST', '/corrections', { body: { corrections } });
      expect(body.data.failures).toMatchObject([{ index: 0, code: 'record_not_found' }]);
    }
    expect(await attemptsOf()).toHaveLength(1);
  });

  test.each([
    ['an unknown kind', { kind: 'shoe' }, 'body/corrections/0/kind'],
    ['an unknown action', { action: 'undo' }, 'body/corrections/0/action'],
    ['no reason', { reason: undefined }, 'body/corrections/0/reason'],
    ['a blank reason', { reason: '  ' }, 'body/corrections/0/reason'],
    ['a reason with a line break', { reason: 'a\nb' }, 'body/corrections/0/reason'],
    ['an id with a space', { eventId: ' e1' }, 'body/corrections/0/eventId'],
    ['another learner', { replacement: { eventId: 'e2', learner: {} } }, 'body/corrections/0/replacement/learner'],
  ])('rejects %s', async (_, fields, field) => {
    const item = { kind: 'course_result', eventId: 'e1', action: 'void', reason: 'A mistake', ...fields };
    const { status, body } = await post('/corrections', { corrections: [item] });
    expect({ status, field: body.error?.details[0]?.field }).toEqual({ status: 400, field });
  });

  test('corrections and results of one learner at the same time lose nothing', async () => {
    const days = Array.from({ length: 12 }, (_, index) => index + 1);
    await record(...days.map((day) => ({ finishedAt: at(day), score: 50 + day, eventId: `old-${day}` })));
    const kind = 'course_result';
    const answers = await Promise.all(
      days.flatMap((day) => [
        race('/corrections', {
          corrections: [{ kind, eventId: `old-${day}`, action: 'void', reason: `Wrong day ${day}` }],
        }),
        race('/course-results', bodyOf([{ finishedAt: at(day, 12), score: 70 + day, eventId: `new-${day}` }])),
      ]),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await attemptsOf()).map(({ finishDate, score }) => [finishDate, score])).toEqual(
      days.map((day) => [on(day), 70 + day]),
    );
    expect(await recorded()).toHaveLength(12);
    expect(await recorded('&includeVoided=true')).toHaveLength(24);
  });
});
