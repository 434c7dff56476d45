/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { type Answer, fingerprintOf, post } from '../../support/client.ts';
import { type CompanyName, learnerId, managedCourses, ownCourseId, unknownId } from '../../support/world.ts';
import { numbered, testIdList } from '../id-list-cases.ts';
import {
  expectNoFailure,
  expectRefused,
  forgetNewLearners,
  insertLearners,
  meanwhile,
  whileSlow,
} from '../tenant-state.ts';
import {
  codesOf,
  coursesOf,
  enrollmentsOf,
  expectEachNamedOnce,
  expectNoDeadlocks,
  forgetMessages,
  insertCourses,
  learner,
  manyLearnerIds,
  message,
  pairsOf,
  planForFew,
  queuedMessages,
  race,
  restoreEnrollments,
  storeEnrollments,
  storeReminder,
  textOf,
  whileQueueIsStuck,
  whileRowsAreSlow,
} from './enrollment-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;
const own = ownCourseId('tenant');
const path = '/course-reminders';
const remind = (learnerIds: unknown, courseIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> =>
  post(path, { learnerIds, courseIds }, key);
const remindedAt = async (id: string): Promise<(Date | null)[]> =>
  (await enrollmentsOf(id)).map((enrollment) => enrollment.remindedAt);

restoreEnrollments();
afterEach(forgetNewLearners);

describe('POST /course-reminders', () => {
  test('reminds each learner of their unfinished courses in one message', async () => {
    const before = await enrollmentsOf(learner(3));
    const { status, body } = await remind([learner(3)], [own, phishing]);
    expect(status).toBe(200);
    const completed = pairsOf([learner(3)], [own, phishing]);
    expect(body.data).toEqual({ success: true, completed, failures: [], errors: [] });
    expect(await queuedMessages()).toEqual([message('course_reminder', learner(3), phishing, own)]);
    const after = await enrollmentsOf(learner(3));
    expect(after.map((enrollment) => ({ ...enrollment, remindedAt: null }))).toEqual(before);
    for (const { remindedAt } of after) expect(Math.abs(Number(remindedAt) - Date.now())).toBeLessThan(10_000);
  });

  test('answers pair by pair in the order of the request, and says why a pair has no reminder', async () => {
    const foreign = learnerId('other', 3);
    const { status, body } = await remind(
      [learner(2), learner(1), learner(5), foreign, learner(3)],
      [gapAnalysis, unknownId, passwords, phishing, ownCourseId('other')],
    );
    expect(status).toBe(200);
    const { failures, ...others } = body.data;
    expect(others).toEqual({
      success: false,
      completed: [
        { learnerId: learner(1), courseId: passwords },
        { learnerId: learner(3), courseId: phishing },
      ],
      errors: [],
    });
    const ownOfOther = ownCourseId('other');
    expect(codesOf(failures)).toEqual([
      { learnerId: learner(2), courseId: gapAnalysis, code: 'already_finished' },
      { learnerId: learner(2), courseId: unknownId, code: 'course_not_found' },
      { learnerId: learner(2), courseId: passwords, code: 'not_enrolled' },
      { learnerId: learner(2), courseId: phishing, code: 'already_finished' },
      { learnerId: learner(2), courseId: ownOfOther, code: 'course_not_found' },
      { learnerId: learner(1), courseId: gapAnalysis, code: 'not_enrolled' },
      { learnerId: learner(1), courseId: unknownId, code: 'course_not_found' },
      { learnerId: learner(1), courseId: phishing, code: 'already_finished' },
      { learnerId: learner(1), courseId: ownOfOther, code: 'course_not_found' },
      { learnerId: learner(5), courseId: gapAnalysis, code: 'learner_inactive' },
      { learnerId: learner(5), courseId: unknownId, code: 'course_not_found' },
      { learnerId: learner(5), courseId: passwords, code: 'learner_inactive' },
      { learnerId: learner(5), courseId: phishing, code: 'learner_inactive' },
      { learnerId: learner(5), courseId: ownOfOther, code: 'course_not_found' },
      { learnerId: foreign, courseId: gapAnalysis, code: 'learner_not_found' },
      { learnerId: foreign, courseId: unknownId, code: 'learner_not_found' },
      { learnerId: foreign, courseId: passwords, code: 'learner_not_found' },
      { learnerId: foreign, courseId: phishing, code: 'learner_not_found' },
      { learnerId: foreign, courseId: ownOfOther, code: 'learner_not_found' },
      { learnerId: learner(3), courseId: gapAnalysis, code: 'not_enrolled' },
      { learnerId: learner(3), courseId: unknownId, code: 'course_not_found' },
      { learnerId: learner(3), courseId: passwords, code: 'not_enrolled' },
      { learnerId: learner(3), courseId: ownOfOther, code: 'course_not_found' },
    ]);
    expect(await queuedMessages()).toEqual([
      message('course_reminder', learner(1), passwords),
      message('course_reminder', learner(3), phishing),
    ]);
  });

  test('a finished course, passed or failed, is not reminded of, in the words of the contract', async () => {
    const before = await fingerprintOf('tenant');
    const { body } = await remind([learner(1), learner(2)], [phishing]);
    const said = { courseId: phishing, code: 'already_finished', message: 'The learner has finished the course.' };
    expect(body.data.failures).toEqual([learner(1), learner(2)].map((id) => ({ learnerId: id, ...said })));
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toEqual([]);
  });

  test('an inactive learner with an unfinished course is not reminded', async () => {
    await storeEnrollments('tenant', [learner(5)], [own]);
    const { body } = await remind([learner(5)], [own]);
    expect(codesOf(body.data.failures)).toEqual([{ learnerId: learner(5), courseId: own, code: 'learner_inactive' }]);
    expect(await remindedAt(learner(5))).toEqual([null, null]);
    expect(await queuedMessages()).toEqual([]);
  });

  test('a repeated call answers the same and changes and sends nothing more', async () => {
    const { body } = await remind([learner(3), learner(4)], [phishing, own]);
    const before = await fingerprintOf('tenant');
    expect((await remind([learner(3), learner(4)], [phishing, own])).body).toEqual(body);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toHaveLength(1);
  });

  test('a reminder counts for an hour', async () => {
    await storeReminder(learner(3), own, '59 minutes 50 seconds');
    const [, before] = await remindedAt(learner(3));
    expect((await remind([learner(3)], [own])).body.data.completed).toHaveLength(1);
    expect(await queuedMessages()).toEqual([]);
    expect((await remindedAt(learner(3)))[1]).toEqual(before);

    await storeReminder(learner(3), own, '60 minutes 1 second');
    expect((await remind([learner(3)], [own])).body.data.completed).toHaveLength(1);
    expect(await queuedMessages()).toEqual([message('course_reminder', learner(3), own)]);
    expect(Math.abs(Number((await remindedAt(learner(3)))[1]) - Date.now())).toBeLessThan(10_000);
  });

  test('a message leaves out the courses that the learner was just reminded of, which count as completed', async () => {
    await remind([learner(3)], [phishing]);
    const { body } = await remind([learner(3)], [phishing, own]);
    expect(body.data).toMatchObject({ success: true, completed: pairsOf([learner(3)], [phishing, own]) });
    expectEachNamedOnce(await queuedMessages(), pairsOf([learner(3)], [phishing, own]));
  });

  test('an invitation is no reminder, and a new enrolment knows no older reminder', async () => {
    const pair = { learnerIds: [learner(4)], courseIds: [own] };
    for (const operation of ['/course-enrollments', path, '/course-unenrollments']) await post(operation, pair);
    await forgetMessages();
    await post('/course-enrollments', pair);
    expect(await remindedAt(learner(4))).toEqual([null]);
    await remind([learner(4)], [own]);
    expect((await queuedMessages()).map(({ kind }) => kind).sort()).toEqual(['course_enrollment', 'course_reminder']);
  });

  test('an MSP reminds no learner of its child', async () => {
    const { body } = await remind([learnerId('childA', 3)], [phishing, ownCourseId('childA')], 'msp');
    expect(codesOf(body.data.failures).map(({ code }) => code)).toEqual(['learner_not_found', 'learner_not_found']);
    expect(await remindedAt(learnerId('childA', 3))).toEqual([null, null]);
  });

  test('nobody counts as reminded when the messages cannot be queued', async () => {
    await whileQueueIsStuck(() => expectRefused(() => remind([learner(3)], [own]), 504, 'service_timeout'));
    expect((await remind([learner(3)], [own])).body.data.success).toBe(true);
    expect(await queuedMessages()).toEqual([message('course_reminder', learner(3), own)]);
  });

  describe('with a bad learnerIds', () => testIdList('learnerIds', (learnerIds) => remind(learnerIds, [own])));
  describe('with a bad courseIds', () => testIdList('courseIds', (courseIds) => remind([learner(3)], courseIds)));
});

describe('POST /course-reminders with very many pairs', () => {
  test('200,001 pairs are refused and nothing changes', async () => {
    const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => numbered(n));
    const request = () => remind([learner(3), ...ids(488)], [own, ...ids(408)]);
    await expectRefused(request, 400, 'invalid_request', ['body/courseIds']);
  });

  test('2,000 learners are reminded of 20 courses in one message each, and a repeated call sends nothing more', async () => {
    await insertLearners('directChild', 2_000);
    const courseIds = (await insertCourses('directChild', 20)).toReversed();
    const { all, active } = manyLearnerIds(2_000);
    await storeEnrollments('directChild', all, courseIds);
    const inactive = all.filter((id) => !active.includes(id));
    await planForFew(() => remind([unknownId], [phishing], 'directChild'));
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await remind(all, courseIds, 'directChild');
      expect(status).toBe(200);
      expect(textOf(body.data.completed) === textOf(pairsOf(active, courseIds))).toBe(true);
      expect(textOf(body.data.failures) === textOf(pairsOf(inactive, courseIds))).toBe(true);
    }
    expect(await queuedMessages()).toEqual(active.map((id) => message('course_reminder', id, ...courseIds)));
  }, 180_000);
});

describe('POST /course-reminders at the same time', () => {
  const { all, active } = manyLearnerIds(60);
  const courseIds = [phishing, passwords, gapAnalysis, own];
  beforeEach(async () => {
    await insertLearners('tenant', 60);
    await storeEnrollments('tenant', all, courseIds, '2026-05-05');
  });
  expectNoDeadlocks();

  test('the same reminders ten times in different orders send each learner one message', async () => {
    await whileRowsAreSlow('update', 'enrollments', async () => {
      const requests = Array.from({ length: 10 }, (_, n) => {
        const learnerIds = n % 2 ? active : active.toReversed();
        return race(path, { learnerIds, courseIds: n % 3 ? courseIds : courseIds.toReversed() });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
      for (const { body } of await Promise.all(requests)) expect(body.data.success).toBe(true);
    });
    expect(await queuedMessages()).toEqual(active.map((id) => message('course_reminder', id, ...courseIds)));
  });

  test('reminders that overlap name each pair in exactly one message', async () => {
    const requests = Array.from({ length: 12 }, (_, n) => {
      const learnerIds = n % 2 ? active : active.toReversed();
      return race(path, { learnerIds, courseIds: [courseIds[n % 4], courseIds[(n + 1) % 4]] });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    expectEachNamedOnce(await queuedMessages(), pairsOf(active, courseIds));
  });

  test('reminders and unenrolments end without a 5xx, and what is still enrolled is reminded of once', async () => {
    const removed = [passwords, gapAnalysis];
    await whileRowsAreSlow('delete', 'enrollments', async () => {
      const requests = Array.from({ length: 12 }, (_, n) => {
        const learnerIds = n % 4 < 2 ? active : active.toReversed();
        return n % 2
          ? race(path, { learnerIds, courseIds })
          : race('/course-unenrollments', { learnerIds, courseIds: removed });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    });
    for (const id of active) expect(await coursesOf(id)).toEqual([phishing, own]);
    const messages = await queuedMessages();
    const kept = messages.map((sent) => ({ ...sent, courseIds: sent.courseIds.filter((id) => !removed.includes(id)) }));
    expectEachNamedOnce(
      kept.filter((sent) => sent.courseIds.length > 0),
      pairsOf(active, [phishing, own]),
    );
  });

  test.each([
    ['update', 'POST', '/learners/deactivate'],
    ['delete', 'DELETE', '/learners/bulk'],
  ] as const)('reminders in the middle of a slow %s by %s %s end without a 5xx', async (statement, method, other) => {
    await whileRowsAreSlow(statement, 'learners', async () => {
      const requests = [race(other, { learnerIds: active }, method)];
      await meanwhile();
      for (let n = 0; n < 3; n += 1) requests.push(race(path, { learnerIds: active.toReversed(), courseIds }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
    });
    expect(await testService.query('select from messages')).toEqual([]);
  });

  test.each<['update' | 'insert', string]>([
    ['update', 'enrollments'],
    ['insert', 'messages'],
  ])('a learner who is deleted at the %s of %s is no 5xx', async (statement, table) => {
    const [gone] = active;
    await whileSlow(statement, table, async () => {
      const requests = [race(path, { learnerIds: [gone, learner(3)], courseIds: [own] })];
      await meanwhile();
      requests.push(race(`/learners/${gone}`, undefined, 'DELETE'));
      expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
    });
    const messages = await testService.query('select learner_id from messages');
    expect(messages).toEqual([{ learner_id: learner(3) }]);
  });
});
