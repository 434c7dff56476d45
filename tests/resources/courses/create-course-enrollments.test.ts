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
  untilBegun,
  whileSlow,
} from '../tenant-state.ts';
import {
  codesOf,
  countEnrollments,
  coursesOf,
  enrollmentsOf,
  expectEachNamedOnce,
  expectNoDeadlocks,
  insertCourses,
  learner,
  manyLearnerIds,
  message,
  type Pair,
  pairsOf,
  planForFew,
  queuedMessages,
  race,
  restoreEnrollments,
  textOf,
  whileQueueIsStuck,
  whileRowsAreSlow,
} from './enrollment-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;
const own = ownCourseId('tenant');
const path = '/course-enrollments';
const enroll = (learnerIds: unknown, courseIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> =>
  post(path, { learnerIds, courseIds }, key);

restoreEnrollments();
afterEach(forgetNewLearners);

describe('POST /course-enrollments', () => {
  test('enrols every learner in every course from today on, and answers in the order of the request', async () => {
    const days = [new Date().toISOString().slice(0, 10)];
    const { status, body } = await enroll([learner(4), learner(2)], [own, passwords]);
    days.push(new Date().toISOString().slice(0, 10));
    const completed = pairsOf([learner(4), learner(2)], [own, passwords]);
    expect(status).toBe(200);
    expect(body.data).toEqual({ success: true, completed, failures: [], errors: [] });
    const fresh = { startDate: null, finishDate: null, score: null, passed: null, remindedAt: null };
    const [first, second, ...others] = await enrollmentsOf(learner(4));
    expect(days).toContain(first!.enrollDate);
    expect(first).toEqual({ courseId: passwords, enrollDate: first!.enrollDate, ...fresh });
    expect(second).toEqual({ courseId: own, enrollDate: first!.enrollDate, ...fresh });
    expect(others).toEqual([]);
    expect(await coursesOf(learner(2))).toEqual([phishing, passwords, gapAnalysis, own]);
  });

  test('answers pair by pair in the order of the request, and says why a pair failed', async () => {
    const foreign = learnerId('other', 1);
    const { status, body } = await enroll(
      [learner(4), unknownId, learner(5), foreign, learner(1)],
      [own, ownCourseId('other'), phishing, unknownId],
    );
    expect(status).toBe(200);
    expect({ ...body.data, failures: codesOf(body.data.failures) }).toEqual({
      success: false,
      completed: pairsOf([learner(4), learner(1)], [own, phishing]),
      failures: [
        { learnerId: learner(4), courseId: ownCourseId('other'), code: 'course_not_found' },
        { learnerId: learner(4), courseId: unknownId, code: 'course_not_found' },
        { learnerId: unknownId, courseId: own, code: 'learner_not_found' },
        { learnerId: unknownId, courseId: ownCourseId('other'), code: 'learner_not_found' },
        { learnerId: unknownId, courseId: phishing, code: 'learner_not_found' },
        { learnerId: unknownId, courseId: unknownId, code: 'learner_not_found' },
        { learnerId: learner(5), courseId: own, code: 'learner_inactive' },
        { learnerId: learner(5), courseId: ownCourseId('other'), code: 'course_not_found' },
        { learnerId: learner(5), courseId: phishing, code: 'learner_inactive' },
        { learnerId: learner(5), courseId: unknownId, code: 'course_not_found' },
        { learnerId: foreign, courseId: own, code: 'learner_not_found' },
        { learnerId: foreign, courseId: ownCourseId('other'), code: 'learner_not_found' },
        { learnerId: foreign, courseId: phishing, code: 'learner_not_found' },
        { learnerId: foreign, courseId: unknownId, code: 'learner_not_found' },
        { learnerId: learner(1), courseId: ownCourseId('other'), code: 'course_not_found' },
        { learnerId: learner(1), courseId: unknownId, code: 'course_not_found' },
      ],
      errors: [],
    });
    expect(await coursesOf(learner(4))).toEqual([phishing, own]);
    expect(await coursesOf(learner(5))).toEqual([phishing]);
  });

  test('an inactive learner fails with the words of the contract', async () => {
    const { body } = await enroll([learner(5)], [own]);
    const said = { code: 'learner_inactive', message: 'The learner is inactive.' };
    expect(body.data.failures).toEqual([{ learnerId: learner(5), courseId: own, ...said }]);
  });

  test('each learner with a new enrolment is sent one message, which names the new ones alone', async () => {
    await enroll([learner(1), learner(4), learner(5), unknownId], [gapAnalysis, phishing, passwords, unknownId]);
    expect(await queuedMessages()).toEqual([
      message('course_enrollment', learner(1), gapAnalysis),
      message('course_enrollment', learner(4), phishing, passwords, gapAnalysis),
    ]);
  });

  test('who is enrolled, has begun or has finished keeps dates and result, counts as completed and is sent nothing', async () => {
    const before = await fingerprintOf('tenant');
    expect((await enroll([learner(3), learner(2)], [phishing])).body.data).toMatchObject({ success: true });
    const { body } = await enroll([learner(1)], [passwords, phishing]);
    const completed = pairsOf([learner(1)], [passwords, phishing]);
    expect(body.data).toEqual({ success: true, completed, failures: [], errors: [] });
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toEqual([]);
  });

  test('a repeated call answers the same and changes and sends nothing more', async () => {
    const { body } = await enroll([learner(4), learner(5)], [gapAnalysis, own]);
    const before = await fingerprintOf('tenant');
    expect((await enroll([learner(4), learner(5)], [gapAnalysis, own])).body).toEqual(body);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toHaveLength(1);
  });

  test('an MSP enrols no learner of its child, in no course of its child', async () => {
    const child = learnerId('childA', 4);
    const { body } = await enroll([child, learnerId('msp', 4)], [passwords, ownCourseId('childA')], 'msp');
    expect(body.data.completed).toEqual([{ learnerId: learnerId('msp', 4), courseId: passwords }]);
    expect(body.data.failures.map(({ code }: { code: string }) => code)).toEqual([
      'learner_not_found',
      'learner_not_found',
      'course_not_found',
    ]);
    expect(await coursesOf(child)).toEqual([]);
  });

  test('nobody is enrolled when the messages cannot be queued', async () => {
    await whileQueueIsStuck(() => expectRefused(() => enroll([learner(4)], [own]), 504, 'service_timeout'));
    expect((await enroll([learner(4)], [own])).body.data.success).toBe(true);
    expect(await queuedMessages()).toEqual([message('course_enrollment', learner(4), own)]);
  });

  describe('with a bad learnerIds', () => testIdList('learnerIds', (learnerIds) => enroll(learnerIds, [own])));
  describe('with a bad courseIds', () => testIdList('courseIds', (courseIds) => enroll([learner(4)], courseIds)));
});

describe('POST /course-enrollments with very many pairs', () => {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => numbered(count - n));

  test('200,001 pairs are refused and nothing changes', async () => {
    const courseIds = [own, ...ids(408)];
    const learnerIds = [learner(4), ...ids(488)];
    await expectRefused(() => enroll(learnerIds, courseIds), 400, 'invalid_request', ['body/courseIds']);
  });

  test.each([
    [1, 999],
    [1, 1000],
    [7, 143],
    [40, 50],
    [500, 400],
    [10_000, 1],
    [1, 10_000],
  ])('%i unknown learners and %i courses fail pair by pair, in their order', async (learnerCount, courseCount) => {
    const { body } = await enroll(ids(learnerCount), ids(courseCount));
    expect(body.data.completed).toEqual([]);
    expect(textOf(body.data.failures) === textOf(pairsOf(ids(learnerCount), ids(courseCount)))).toBe(true);
  });

  test('4,000 learners are enrolled in 10 courses, and a repeated call sends nothing more', async () => {
    await insertLearners('directChild', 4000);
    const courseIds = (await insertCourses('directChild', 10)).toReversed();
    const { all, active } = manyLearnerIds(4000);
    const inactive = all.filter((id) => !active.includes(id));
    await planForFew(() => enroll([unknownId], [phishing], 'directChild'));
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await enroll(all, courseIds, 'directChild');
      expect(status).toBe(200);
      expect(textOf(body.data.completed) === textOf(pairsOf(active, courseIds))).toBe(true);
      expect(textOf(body.data.failures) === textOf(pairsOf(inactive, courseIds))).toBe(true);
      expect(await countEnrollments('directChild')).toBe(active.length * 10 + 7);
    }
    expect(await queuedMessages()).toEqual(active.map((id) => message('course_enrollment', id, ...courseIds)));
  }, 180_000);
});

describe('POST /course-enrollments at the same time', () => {
  const { all, active } = manyLearnerIds(60);
  const courseIds = [phishing, passwords, gapAnalysis, own];
  beforeEach(() => insertLearners('tenant', 60));
  expectNoDeadlocks();

  test('the same enrolment ten times in different orders enrols once and sends each learner one message', async () => {
    await whileRowsAreSlow('insert', 'enrollments', async () => {
      const requests = Array.from({ length: 10 }, (_, n) => {
        const learnerIds = n % 2 ? active : active.toReversed();
        return race(path, { learnerIds, courseIds: n % 3 ? courseIds : courseIds.toReversed() });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
      for (const { body } of await Promise.all(requests)) expect(body.data.success).toBe(true);
    });
    expect(await queuedMessages()).toEqual(active.map((id) => message('course_enrollment', id, ...courseIds)));
    for (const id of active) expect(await coursesOf(id)).toHaveLength(4);
  });

  test('enrolments that overlap name each new pair in exactly one message', async () => {
    const requests = Array.from({ length: 12 }, (_, n) => {
      const learnerIds = n % 2 ? active.slice(n) : active.slice(0, 40 + n).toReversed();
      return race(path, { learnerIds, courseIds: [courseIds[n % 4], courseIds[(n + 1) % 4]] });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    const completed = completedIn(await Promise.all(requests));
    const pairs = pairsOf(active, courseIds).filter((pair) => completed.has(textOf([pair])));
    expectEachNamedOnce(await queuedMessages(), pairs);
  });

  test.each(['enrollments', 'messages'])(
    'a learner who is deleted while %s are written leaves nothing',
    async (table) => {
      await whileSlow('insert', table, async () => {
        const requests = [race(path, { learnerIds: [active[0], learner(4)], courseIds })];
        await meanwhile();
        requests.push(race(`/learners/${active[0]}`, undefined, 'DELETE'));
        expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
      });
      expect(await coursesOf(active[0]!)).toEqual([]);
      expect(await coursesOf(learner(4))).toHaveLength(4);
    },
  );

  test('learners whose deletion is under way are not found, and the others are enrolled', async () => {
    await whileRowsAreSlow('delete', 'learners', async () => {
      const requests = [race('/learners/bulk', { learnerIds: all }, 'DELETE')];
      await untilBegun(requests[0]!);
      for (let n = 0; n < 3; n += 1) requests.push(race(path, { learnerIds: [...all, learner(4)], courseIds }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
    });
    expect(await countEnrollments('tenant')).toBe(7 + 4);
    const messages = await testService.query('select learner_id from messages');
    expect(messages).toEqual([{ learner_id: learner(4) }]);
  });

  test('enrolments and deactivations end without a 5xx, and what is completed is what is stored', async () => {
    await whileRowsAreSlow('update', 'learners', async () => {
      const requests = Array.from({ length: 12 }, (_, n) => {
        if (n % 3 === 0) return race('/learners/deactivate', { learnerIds: active.slice(n) });
        if (n % 3 === 1) return race('/learners/activate', { learnerIds: active.slice(0, -n).toReversed() });
        return race(path, { learnerIds: n % 2 ? active : active.toReversed(), courseIds });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
      const completed = completedIn((await Promise.all(requests)).filter(({ body }) => body.data.completed));
      for (const id of active) {
        const stored = pairsOf([id], await coursesOf(id)).filter((pair) => completed.has(textOf([pair])));
        expect(stored).toHaveLength([...completed].filter((pair) => pair.startsWith(id)).length);
        expect(await coursesOf(id)).toHaveLength(stored.length);
      }
    });
  });

  test('enrolments and unenrolments of the same pairs end without a 5xx', async () => {
    await whileRowsAreSlow('delete', 'enrollments', async () => {
      const requests = Array.from({ length: 12 }, (_, n) => {
        const body = { learnerIds: n % 4 < 2 ? active : active.toReversed(), courseIds };
        return race(n % 2 ? path : '/course-unenrollments', body);
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    });
  });
});

/** The pairs that were completed in any of the answers, each as a text. */
function completedIn(answers: Answer[]): Set<string> {
  return new Set(answers.flatMap(({ body }) => (body.data.completed as Pair[]).map((pair) => textOf([pair]))));
}
