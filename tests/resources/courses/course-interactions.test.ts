import { expectError, get, post } from '../../support/client.ts';
import { learnerId, managedCourses, ownCourseId, unknownId } from '../../support/world.ts';
import { PackageLearner } from './package-state.ts';

const courseId = ownCourseId('tenant');
const path = (learner: string, course = courseId) => `/learners/${learner}/courses/${course}/interactions`;

describe('GET /learners/{learnerId}/courses/{courseId}/interactions', () => {
  test('returns the answers that the package has reported', async () => {
    await post('/course-enrollments', { courseIds: [courseId], learnerIds: [learnerId('tenant', 1)] });
    await (await PackageLearner.of(1)).open();
    const elements = { 'cmi.interactions.0.id': 'q1', 'cmi.interactions.0.result': 'correct' };
    await testService.query(
      `update package_progress set state = state || jsonb_build_object('elements', $2::text) where learner_id = $1`,
      [learnerId('tenant', 1), JSON.stringify(elements)],
    );
    const { status, body } = await get(path(learnerId('tenant', 1)));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      ...{ learnerId: learnerId('tenant', 1), courseId, attemptId: expect.any(String) },
      interactions: [{ number: 0, id: 'q1', result: 'correct', learnerResponse: null, correctResponses: [] }],
    });
  });

  test('is empty for a learner who has not opened the package, and for a course without a package', async () => {
    for (const course of [courseId, managedCourses.phishing]) {
      const { body } = await get(path(learnerId('tenant', 2), course));
      expect(body.data).toMatchObject({ attemptId: null, interactions: [] });
    }
  });

  test.each([
    ['learner of another company', learnerId('other', 1), courseId],
    ['course of another company', learnerId('tenant', 1), ownCourseId('other')],
    ['unknown learner', unknownId, courseId],
    ['unknown course', learnerId('tenant', 1), unknownId],
  ])('a %s returns 404', async (_case, learner, course) =>
    expectError(await get(path(learner, course)), 404, 'not_found'),
  );
});
