/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { type Answer, fingerprintOf, post } from '../../support/client.ts';
import { companies, type CompanyName, learnerId, managedCourses, ownCourseId, unknownId } from '../../support/world.ts';
import { numbered, testIdList } from '../id-list-cases.ts';
import { expectNoFailure, expectRefused, forgetNewLearners, insertLearners, meanwhile } from '../tenant-state.ts';
import {
  codesOf,
  countEnrollments,
  coursesOf,
  enrollmentsOf,
  expectNoDeadlocks,
  insertCourses,
  learner,
  manyLearnerIds,
  type Pair,
  pairsOf,
  planForFew,
  queuedMessages,
  race,
  restoreEnrollments,
  storeEnrollments,
  textOf,
  whileRowsAreSlow,
} from './enrollment-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;
const own = ownCourseId('tenant');
const path = '/course-unenrollments';
const unenroll = (learnerIds: unknown, courseIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> =>
  post(path, { learnerIds, courseIds }, key);

restoreEnrollments();
afterEach(forgetNewLearners);

describe('POST /course-unenrollments', () => {
  test('removes the enrolments with their progress, and answers in the order of the request', async () => {
    const { status, body } = await unenroll([learner(3)], [own, phishing]);
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: { removed: pairsOf([learner(3)], [own, phishing]), skipped: [] } },
    });
    expect(await coursesOf(learner(3))).toEqual([]);
    expect(await queuedMessages()).toEqual([]);
  });

  test('answers pair by pair in the order of the request, and says why it skipped the others', async () => {
    const foreign = learnerId('other', 3);
    const ownOfOther = ownCourseId('other');
    const { body } = await unenroll([foreign, learner(3), learner(1)], [unknownId, passwords, phishing, ownOfOther]);
    expect({ ...body.data, skipped: codesOf(body.data.skipped) }).toEqual({
      removed: [
        { learnerId: learner(3), courseId: phishing },
        { learnerId: learner(1), courseId: passwords },
      ],
      skipped: [
        { learnerId: foreign, courseId: unknownId, code: 'learner_not_found' },
        { learnerId: foreign, courseId: passwords, code: 'learner_not_found' },
        { learnerId: foreign, courseId: phishing, code: 'learner_not_found' },
        { learnerId: foreign, courseId: ownOfOther, code: 'learner_not_found' },
        { learnerId: learner(3), courseId: unknownId, code: 'course_not_found' },
        { learnerId: learner(3), courseId: passwords, code: 'not_enrolled' },
        { learnerId: learner(3), courseId: ownOfOther, code: 'course_not_found' },
        { learnerId: learner(1), courseId: unknownId, code: 'course_not_found' },
        { learnerId: learner(1), courseId: phishing, code: 'already_finished' },
        { learnerId: learner(1), courseId: ownOfOther, code: 'course_not_found' },
      ],
    });
    expect(await coursesOf(learner(3))).toEqual([own]);
    expect(await coursesOf(learner(1))).toEqual([phishing]);
  });

  test('finished results, passed or failed, are kept, in the words of the contract', async () => {
    const before = await fingerprintOf('tenant');
    const { body } = await unenroll([learner(2), learner(5)], [phishing]);
    const message = 'The learner has finished the course; the result is kept.';
    const skipped = { courseId: phishing, code: 'already_finished', message };
    expect(body.data).toEqual({
      removed: [],
      skipped: [learner(2), learner(5)].map((id) => ({ learnerId: id, ...skipped })),
    });
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('an inactive learner can be unenrolled', async () => {
    await storeEnrollments('tenant', [learner(5)], [own, passwords], '2026-05-05');
    const { body } = await unenroll([learner(5)], [own, gapAnalysis]);
    expect({ ...body.data, skipped: codesOf(body.data.skipped) }).toEqual({
      removed: [{ learnerId: learner(5), courseId: own }],
      skipped: [{ learnerId: learner(5), courseId: gapAnalysis, code: 'not_enrolled' }],
    });
    expect(await coursesOf(learner(5))).toEqual([phishing, passwords]);
  });

  test('a repeated call skips what was removed and changes nothing more', async () => {
    await unenroll([learner(1), learner(3)], [passwords]);
    const before = await fingerprintOf('tenant');
    const { status, body } = await unenroll([learner(1), learner(3)], [passwords]);
    expect(status).toBe(200);
    expect(body.data.removed).toEqual([]);
    expect(codesOf(body.data.skipped).map(({ code }) => code)).toEqual(['not_enrolled', 'not_enrolled']);
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('who is enrolled again begins anew', async () => {
    const before = await enrollmentsOf(learner(3));
    await unenroll([learner(3)], [own]);
    await post('/course-enrollments', { learnerIds: [learner(3)], courseIds: [own] });
    const [, again] = await enrollmentsOf(learner(3));
    expect(before[1]!.startDate).toBe('2026-04-02');
    expect(again).toMatchObject({ courseId: own, startDate: null, score: null });
    expect(again!.enrollDate > before[1]!.enrollDate).toBe(true);
  });

  test('an MSP unenrols no learner of its child', async () => {
    const { body } = await unenroll([learnerId('childA', 3)], [phishing, ownCourseId('childA')], 'msp');
    expect(body.data.removed).toEqual([]);
    expect(codesOf(body.data.skipped).map(({ code }) => code)).toEqual(['learner_not_found', 'learner_not_found']);
    expect(await coursesOf(learnerId('childA', 3))).toHaveLength(2);
  });

  describe('with a bad learnerIds', () => testIdList('learnerIds', (learnerIds) => unenroll(learnerIds, [own])));
  describe('with a bad courseIds', () => testIdList('courseIds', (courseIds) => unenroll([learner(3)], courseIds)));
});

describe('POST /course-unenrollments with very many pairs', () => {
  test('200,001 pairs are refused and nothing changes', async () => {
    const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => numbered(n));
    const request = () => unenroll([learner(3), ...ids(488)], [own, ...ids(408)]);
    await expectRefused(request, 400, 'invalid_request', ['body/courseIds']);
  });

  test('2,000 learners are unenrolled from 20 courses, and results are kept', async () => {
    await insertLearners('directChild', 2_000);
    const courseIds = (await insertCourses('directChild', 20)).toReversed();
    const { all } = manyLearnerIds(2_000);
    await storeEnrollments('directChild', all, courseIds, '2026-05-05');
    await testService.query(
      `update enrollments set finish_date = '2026-05-06', score = 80, passed = true
        where company_id = $1 and course_id = $2`,
      [companies.directChild, courseIds[7]],
    );
    const isFinished = ({ courseId }: Pair): boolean => courseId === courseIds[7];
    const pairs = pairsOf(all, courseIds);
    await planForFew(() => unenroll([unknownId], [phishing], 'directChild'));
    const { status, body } = await unenroll(all, courseIds, 'directChild');
    expect(status).toBe(200);
    expect(textOf(body.data.removed) === textOf(pairs.filter((pair) => !isFinished(pair)))).toBe(true);
    expect(textOf(body.data.skipped) === textOf(pairs.filter(isFinished))).toBe(true);
    expect(await countEnrollments('directChild')).toBe(2_000 + 7);
  }, 180_000);
});

describe('POST /course-unenrollments at the same time', () => {
  const { all, active } = manyLearnerIds(60);
  const courseIds = [phishing, passwords, gapAnalysis, own];
  beforeEach(async () => {
    await insertLearners('tenant', 60);
    await storeEnrollments('tenant', all, courseIds, '2026-05-05');
  });
  expectNoDeadlocks();

  test('of the same unenrolments ten times in different orders each pair is removed by exactly one', async () => {
    await whileRowsAreSlow('delete', 'enrollments', async () => {
      const requests = Array.from({ length: 10 }, (_, n) => {
        const learnerIds = n % 2 ? all : all.toReversed();
        return race(path, { learnerIds, courseIds: n % 3 ? courseIds : courseIds.toReversed() });
      });
      expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
      const removed = (await Promise.all(requests)).flatMap(({ body }) => body.data.removed as Pair[]);
      expect(textOf(removed).split('\n').sort()).toEqual(textOf(pairsOf(all, courseIds)).split('\n').sort());
    });
  });

  test('an enrolment that is finished at that moment is kept, and the answer says so', async () => {
    const [id] = all;
    const finished = testService.query(`do $$ begin
      update enrollments set finish_date = '2026-05-06', score = 80, passed = true where learner_id = '${id}';
      perform pg_sleep(0.2);
    end $$`);
    await meanwhile();
    const { body } = await race(path, { learnerIds: [id], courseIds });
    await finished;
    const code = 'already_finished';
    const skipped = pairsOf([id!], courseIds).map((pair) => ({ ...pair, code }));
    expect({ ...body.data, skipped: codesOf(body.data.skipped) }).toEqual({ removed: [], skipped });
    expect(await coursesOf(id!)).toHaveLength(4);
  });

  test('unenrolments, enrolments and reminders of the same pairs end without a 5xx', async () => {
    const operations = [path, '/course-enrollments', '/course-reminders'];
    const requests = Array.from({ length: 18 }, (_, n) => {
      const learnerIds = n % 2 ? active : active.toReversed();
      return race(operations[n % 3]!, { learnerIds, courseIds });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 18 });
  });

  test('unenrolments in the middle of a slow bulk deletion end without a 5xx', async () => {
    await whileRowsAreSlow('delete', 'learners', async () => {
      const requests = [race('/learners/bulk', { learnerIds: all }, 'DELETE')];
      await meanwhile();
      for (let n = 0; n < 3; n += 1) requests.push(race(path, { learnerIds: all.toReversed(), courseIds }));
      expect(await expectNoFailure(requests)).toEqual({ 200: 4 });
    });
    expect(await countEnrollments('tenant')).toBe(7);
  });
});
