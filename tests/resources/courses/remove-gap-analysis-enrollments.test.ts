import { type Answer, fingerprintOf, post } from '../../support/client.ts';
import { companies, type CompanyName, learnerId, managedCourses, unknownId } from '../../support/world.ts';
import { testIdList } from '../id-list-cases.ts';
import { expectNoFailure, expectRefused, forgetNewLearners, insertLearners } from '../tenant-state.ts';
import {
  codesOf,
  countEnrollments,
  coursesOf,
  enrollmentsOf,
  learner,
  manyLearnerIds,
  queuedMessages,
  race,
  restoreEnrollments,
  storeEnrollments,
  withoutGapAnalysis,
} from './enrollment-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;
const path = '/gap-analysis/unenrollments';
const unenroll = (learnerIds: unknown, key: CompanyName = 'tenant'): Promise<Answer> => post(path, { learnerIds }, key);

restoreEnrollments();
beforeEach(async () => {
  await storeEnrollments('tenant', [learner(1), learner(5)], [gapAnalysis]);
  await storeEnrollments('tenant', [learner(3)], [gapAnalysis], '2026-05-05');
});
afterEach(forgetNewLearners);

describe('POST /gap-analysis/unenrollments', () => {
  test('unenrols from the gap analysis alone, with the progress, the inactive too, in the order of the request', async () => {
    const { status, body } = await unenroll([learner(5), learner(3), learner(1)]);
    const data = { removedIds: [learner(5), learner(3), learner(1)], skipped: [] };
    expect({ status, body }).toEqual({ status: 200, body: { data } });
    expect(await coursesOf(learner(1))).toEqual([phishing, passwords]);
    expect(await coursesOf(learner(3))).toHaveLength(2);
    expect(await coursesOf(learner(5))).toEqual([phishing]);
    expect(await queuedMessages()).toEqual([]);
  });

  test('says in the order of the request who was skipped, and why', async () => {
    const before = await enrollmentsOf(learner(2));
    const foreign = learnerId('other', 2);
    const { body } = await unenroll([learner(4), foreign, learner(2), unknownId, learner(3)]);
    expect({ ...body.data, skipped: codesOf(body.data.skipped) }).toEqual({
      removedIds: [learner(3)],
      skipped: [
        { learnerId: learner(4), code: 'not_enrolled' },
        { learnerId: foreign, code: 'learner_not_found' },
        { learnerId: learner(2), code: 'already_finished' },
        { learnerId: unknownId, code: 'learner_not_found' },
      ],
    });
    const messages = body.data.skipped.map((skip: { message: string }) => skip.message);
    expect(messages[0]).toBe('The learner is not enrolled in the gap analysis.');
    expect(messages[2]).toBe('The learner has finished the gap analysis; the result is kept.');
    expect(await enrollmentsOf(learner(2))).toEqual(before);
  });

  test('a repeated call skips who was unenrolled and changes nothing more', async () => {
    await unenroll([learner(1), learner(2)]);
    const before = await fingerprintOf('tenant');
    const { body } = await unenroll([learner(1), learner(2)]);
    expect(body.data.removedIds).toEqual([]);
    expect(codesOf(body.data.skipped)).toEqual([
      { learnerId: learner(1), code: 'not_enrolled' },
      { learnerId: learner(2), code: 'already_finished' },
    ]);
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('who is enrolled again begins anew', async () => {
    await unenroll([learner(3)]);
    await post('/gap-analysis/enrollments', { learnerIds: [learner(3)] });
    const again = (await enrollmentsOf(learner(3))).find(({ courseId }) => courseId === gapAnalysis);
    expect(again).toMatchObject({ startDate: null, finishDate: null, remindedAt: null });
    expect(again!.enrollDate).not.toBe('2026-05-04');
    expect(await queuedMessages()).toHaveLength(1);
  });

  test('an MSP unenrols no learner of its child', async () => {
    await storeEnrollments('childA', [learnerId('childA', 1)], [gapAnalysis]);
    const { body } = await unenroll([learnerId('childA', 1)], 'msp');
    expect(codesOf(body.data.skipped).map(({ code }) => code)).toEqual(['learner_not_found']);
    expect(await coursesOf(learnerId('childA', 1))).toContain(gapAnalysis);
  });

  test('without a gap analysis in the catalogue the answer is 404', async () => {
    await withoutGapAnalysis(async () => {
      const { body } = await expectRefused(() => unenroll([learner(1), unknownId]), 404, 'not_found');
      expect(body.error!.details).toEqual([]);
    });
  });

  testIdList('learnerIds', (learnerIds) => unenroll(learnerIds));
});

describe('POST /gap-analysis/unenrollments of very many', () => {
  test('10,000 learners are unenrolled, and results and other courses are kept', async () => {
    await insertLearners('directChild', 10_000);
    const { all, active } = manyLearnerIds(10_000);
    await storeEnrollments('directChild', all, [gapAnalysis, phishing], '2026-05-05');
    await testService.query(
      `update enrollments set finish_date = '2026-05-06', score = 0, passed = false
        where company_id = $1 and course_id = $2 and learner_id <> all($3)`,
      [companies.directChild, gapAnalysis, active],
    );
    const { body } = await unenroll(all.toReversed(), 'directChild');
    expect(body.data.removedIds).toEqual(active.toReversed());
    const codes = new Set(body.data.skipped.map(({ code }: { code: string }) => code));
    expect(codes).toEqual(new Set(['already_finished']));
    expect(await countEnrollments('directChild')).toBe(10_000 + (10_000 - active.length) + 7);
  });

  test('of ten at once, by either way and in different orders, exactly one removes each enrolment', async () => {
    await insertLearners('tenant', 60);
    const { all } = manyLearnerIds(60);
    await storeEnrollments('tenant', all, [gapAnalysis]);
    const requests = Array.from({ length: 10 }, (_, n) => {
      const learnerIds = n % 4 < 2 ? all : all.toReversed();
      return n % 2
        ? race(path, { learnerIds })
        : race('/course-unenrollments', { learnerIds, courseIds: [gapAnalysis] });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    const removed = (await Promise.all(requests)).flatMap(
      ({ body }) => body.data.removedIds ?? body.data.removed.map((pair: { learnerId: string }) => pair.learnerId),
    );
    expect(removed.sort()).toEqual(all);
  });

  test('unenrolments and enrolments of the same learners end without a 5xx', async () => {
    await insertLearners('tenant', 60);
    const { active } = manyLearnerIds(60);
    const requests = Array.from({ length: 12 }, (_, n) => {
      const learnerIds = n % 4 < 2 ? active : active.toReversed();
      return race(n % 2 ? path : '/gap-analysis/enrollments', { learnerIds });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
  });
});
