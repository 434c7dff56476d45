/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { fingerprintOf } from '../../support/client.ts';
import { managedCourses, ownCourseId, unknownId } from '../../support/world.ts';
import { numbered } from '../id-list-cases.ts';
import { testAdding } from '../pairs/adding-cases.ts';
import { doneIn, leftIn, outcomeOf, pairsOf, send, textOf } from '../pairs/pair-resource.ts';
import { testReminding } from '../pairs/reminding-cases.ts';
import { testRemoving } from '../pairs/removing-cases.ts';
import { forgetNewLearners } from '../tenant-state.ts';
import { coursePairs } from './course-pairs.ts';
import {
  coursesOf,
  enrollmentsOf,
  learner,
  queuedMessages,
  restoreEnrollments,
  storeEnrollments,
} from './enrollment-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;
const own = ownCourseId('tenant');
const courses = {
  ...coursePairs,
  paths: { add: '/course-enrollments', remind: '/course-reminders', remove: '/course-unenrollments' },
  name: 'courseId' as const,
  targets: [passwords, own],
  targetOf: ownCourseId,
  unusable: (company: Parameters<typeof ownCourseId>[0]) => [ownCourseId(company), unknownId],
  someTargets: async () => [phishing, passwords, gapAnalysis, own],
};

restoreEnrollments();
afterEach(forgetNewLearners);

testAdding(courses);
testReminding(courses);
testRemoving(courses);

describe('POST /course-enrollments', () => {
  test('enrols from today on, without progress', async () => {
    const days = [new Date().toISOString().slice(0, 10)];
    await send(courses, 'add', [learner(4)], [own]);
    days.push(new Date().toISOString().slice(0, 10));
    const [enrollment] = await enrollmentsOf(learner(4));
    expect(days).toContain(enrollment!.enrollDate);
    const fresh = { startDate: null, finishDate: null, score: null, passed: null, remindedAt: null };
    expect(enrollment).toEqual({ courseId: own, enrollDate: enrollment!.enrollDate, ...fresh });
  });

  test('the response has only the fields of the contract', async () => {
    const { body } = await send(courses, 'add', [learner(4), learner(5)], [own]);
    const message = 'The learner is inactive.';
    expect(body.data).toEqual({
      success: false,
      completed: [{ learnerId: learner(4), courseId: own }],
      unchanged: [],
      failures: [{ learnerId: learner(5), courseId: own, code: 'learner_inactive', message }],
      errors: [],
    });
  });

  test('enrolling a learner who has not finished keeps dates and progress', async () => {
    const before = await fingerprintOf('tenant');
    const { done } = outcomeOf(courses, await send(courses, 'add', [learner(3)], [phishing]));
    expect(done).toEqual([[learner(3), phishing]]);
    await send(courses, 'add', [learner(1)], [passwords]);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await queuedMessages()).toEqual([]);
  });

  const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => numbered(count - n));
  test.each([
    [1, 999],
    [1, 1000],
    [7, 143],
    [40, 50],
    [1, 10_000],
  ])('%i unknown learners and %i courses fail pair by pair, in order', async (learnerCount, courseCount) => {
    const answer = await send(courses, 'add', ids(learnerCount), ids(courseCount));
    expect(doneIn(courses, answer)).toEqual([]);
    expect(textOf(leftIn(courses, answer)) === textOf(pairsOf(ids(learnerCount), ids(courseCount)))).toBe(true);
  });
});

describe('POST /course-unenrollments', () => {
  test('finished enrolments, passed or failed, are skipped with already_finished', async () => {
    const before = await fingerprintOf('tenant');
    const { body } = await send(courses, 'remove', [learner(2), learner(5)], [phishing]);
    const message = 'The learner has already finished the course; the result is kept.';
    const skipped = { courseId: phishing, code: 'already_finished', message };
    expect(body.data).toEqual({
      removed: [],
      skipped: [learner(2), learner(5)].map((id) => ({ learnerId: id, ...skipped })),
    });
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('removes a started enrolment and keeps the others', async () => {
    await storeEnrollments('tenant', [learner(5)], [own, passwords], '2026-05-05');
    const { done } = outcomeOf(courses, await send(courses, 'remove', [learner(5)], [own]));
    expect(done).toEqual([[learner(5), own]]);
    expect(await coursesOf(learner(5))).toEqual([phishing, passwords]);
  });

  test('enrolling again after removal starts without progress', async () => {
    const before = await enrollmentsOf(learner(3));
    await send(courses, 'remove', [learner(3)], [own]);
    await send(courses, 'add', [learner(3)], [own]);
    const [, again] = await enrollmentsOf(learner(3));
    expect(before[1]!.startDate).toBe('2026-04-02');
    expect(again).toMatchObject({ courseId: own, startDate: null, score: null });
    expect(again!.enrollDate > before[1]!.enrollDate).toBe(true);
  });
});
