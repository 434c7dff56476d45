/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { type Answer, post } from '../../support/client.ts';
import { managedCourses, unknownId } from '../../support/world.ts';
import { testAdding } from '../pairs/adding-cases.ts';
import type { PairResource, Verb } from '../pairs/pair-resource.ts';
import { testReminding } from '../pairs/reminding-cases.ts';
import { testRemoving } from '../pairs/removing-cases.ts';
import { expectNoFailure, expectRefused, forgetNewLearners, insertLearners } from '../tenant-state.ts';
import { coursePairs } from './course-pairs.ts';
import {
  coursesOf,
  enrollmentsOf,
  learner,
  manyLearnerIds,
  message,
  queuedMessages,
  race,
  restoreEnrollments,
  storeEnrollments,
  withoutGapAnalysis,
} from './enrollment-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;
const paths = {
  add: '/gap-analysis/enrollments',
  remind: '/gap-analysis/reminders',
  remove: '/gap-analysis/unenrollments',
};
const ofCourses = { add: '/course-enrollments', remind: '/course-reminders', remove: '/course-unenrollments' };
const gapAnalyses: PairResource = {
  ...coursePairs,
  paths,
  words: {
    missing: 'The learner is not enrolled in the gap analysis.',
    done: 'The learner has already finished the gap analysis.',
  },
  name: null,
  targets: [gapAnalysis],
  targetOf: () => gapAnalysis,
  unusable: () => [],
  someTargets: async () => [gapAnalysis],
  insertTargets: async () => [gapAnalysis],
  rowsOf: async (id) => (await coursePairs.rowsOf(id)).filter(({ targetId }) => targetId === gapAnalysis),
};

restoreEnrollments();
afterEach(forgetNewLearners);

testAdding(gapAnalyses);
testReminding(gapAnalyses);
testRemoving(gapAnalyses);

test('responses have only the fields of the contract', async () => {
  const learnerIds = [learner(4), unknownId];
  const failure = { learnerId: unknownId, code: 'learner_not_found', message: expect.any(String) };
  const completed = { success: false, completedIds: [learner(4)], unchangedIds: [], failures: [failure] };
  expect((await post(paths.add, { learnerIds })).body.data).toEqual(completed);
  expect((await post(paths.remind, { learnerIds })).body.data).toEqual(completed);
  const removed = { removedIds: [learner(4)], skipped: [failure] };
  expect((await post(paths.remove, { learnerIds })).body.data).toEqual(removed);
});

test('an enrolment begins today, without progress', async () => {
  const days = [new Date().toISOString().slice(0, 10)];
  await post(paths.add, { learnerIds: [learner(4)] });
  days.push(new Date().toISOString().slice(0, 10));
  const [enrollment] = await enrollmentsOf(learner(4));
  expect(days).toContain(enrollment!.enrollDate);
  expect(enrollment).toMatchObject({ courseId: gapAnalysis, startDate: null, finishDate: null, remindedAt: null });
});

test('unenrolling affects only the gap analysis, and enrolling again starts without progress', async () => {
  await storeEnrollments('tenant', [learner(1)], [gapAnalysis], '2026-05-05');
  await post(paths.remove, { learnerIds: [learner(1)] });
  expect(await coursesOf(learner(1))).toEqual([phishing, passwords]);
  await post(paths.add, { learnerIds: [learner(1)] });
  const again = (await enrollmentsOf(learner(1))).find(({ courseId }) => courseId === gapAnalysis);
  expect(again).toMatchObject({ startDate: null, finishDate: null, remindedAt: null });
  expect(again!.enrollDate).not.toBe('2026-05-04');
});

test('unenrolling from a finished gap analysis keeps the result and returns the message in the contract', async () => {
  const before = await enrollmentsOf(learner(2));
  const { body } = await post(paths.remove, { learnerIds: [learner(2)] });
  expect(body.data.skipped[0].message).toBe('The learner has already finished the gap analysis; the result is kept.');
  expect(await enrollmentsOf(learner(2))).toEqual(before);
});

test('course operations and gap analysis operations share enrolments and reminders', async () => {
  const learnerIds = [learner(1), learner(3)];
  const byCourses = { learnerIds: [learner(1)], courseIds: [gapAnalysis] };
  await post(paths.add, { learnerIds });
  await post(ofCourses.add, byCourses);
  expect(await queuedMessages()).toHaveLength(2);
  await post(ofCourses.remind, byCourses);
  expect((await post(paths.remind, { learnerIds })).body.data.completedIds).toEqual(learnerIds);
  await post(ofCourses.remind, { learnerIds: [learner(3)], courseIds: [gapAnalysis, phishing] });
  const reminders = (await queuedMessages()).filter(({ kind }) => kind === 'course_reminder');
  expect(reminders.flatMap(({ learnerId, courseIds }) => courseIds.map((id) => [learnerId, id])).sort()).toEqual(
    [
      [learner(1), gapAnalysis],
      [learner(3), gapAnalysis],
      [learner(3), phishing],
    ].sort(),
  );
});

test.each(['add', 'remind', 'remove'] as const)(
  'without a gap analysis in the catalogue, %s returns 404 and other courses still work',
  async (verb) => {
    await withoutGapAnalysis(async () => {
      const { body } = await expectRefused(
        () => post(paths[verb], { learnerIds: [learner(4), unknownId] }),
        404,
        'not_found',
      );
      expect(body.error!.details).toEqual([]);
      await expectRefused(() => post(paths[verb], { learnerIds: [unknownId] }), 404, 'not_found');
      const courses = await post(ofCourses.add, { learnerIds: [learner(4)], courseIds: [gapAnalysis, phishing] });
      expect(courses.body.data).toMatchObject({
        completed: [{ courseId: phishing }],
        failures: [{ courseId: gapAnalysis }],
      });
    });
  },
);

describe('concurrent calls of both kinds, in different orders', () => {
  const { active } = manyLearnerIds(60);
  beforeEach(() => insertLearners('tenant', 60));

  async function tenTimes(verb: Verb): Promise<Answer[]> {
    const requests = Array.from({ length: 10 }, (_, n) => {
      const learnerIds = n % 4 < 2 ? active : active.toReversed();
      return n % 2
        ? race(paths[verb], { learnerIds })
        : race(ofCourses[verb], { learnerIds, courseIds: [gapAnalysis] });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    return Promise.all(requests);
  }

  test.each([
    ['add', 'course_enrollment'],
    ['remind', 'course_reminder'],
  ] as const)('ten identical calls to %s send each learner one message', async (verb, kind) => {
    if (verb === 'remind') await storeEnrollments('tenant', active, [gapAnalysis]);
    for (const { body } of await tenTimes(verb)) expect(body.data.success).toBe(true);
    expect(await queuedMessages()).toEqual(active.map((id) => message(kind, id, gapAnalysis)));
  });

  test('ten identical calls to remove delete each enrolment once', async () => {
    await storeEnrollments('tenant', active, [gapAnalysis]);
    const removed = (await tenTimes('remove')).flatMap(
      ({ body }) => body.data.removedIds ?? body.data.removed.map((pair: { learnerId: string }) => pair.learnerId),
    );
    expect(removed.sort()).toEqual(active);
  });
});
