import { Temporal } from 'temporal-polyfill';
import { get, patch, post } from '../../support/client.ts';
import { learner } from '../courses/enrollment-state.ts';
import { uniqueId } from '../reports/past-state.ts';
import { ownCourseId } from '../../support/world.ts';
import { listAssignments, only, runCampaign } from './campaign-state.ts';

const courseId = ownCourseId('tenant');
const item = { type: 'course', id: courseId };
afterEach(() => patch(`/courses/${courseId}`, { validForMonths: null }));
afterEach(() => testService.query('delete from enrollments where course_id = $1', [courseId]));
afterEach(() => testService.query('delete from enrollment_attempts where course_id = $1', [courseId]));

/** Returns the day a number of months ago, with the last day of a shorter month. */
function monthsAgo(months: number, days = 0): string {
  const today = Temporal.PlainDate.from(new Date().toISOString().slice(0, 10));
  return today.subtract({ months }).add({ days }).toString();
}

async function finishOn(day: string, learnerId: string): Promise<void> {
  const finish = { eventId: uniqueId(), learner: { id: learnerId }, course: { id: courseId }, score: 100 };
  const { body } = await post('/course-results', { results: [{ ...finish, finishedAt: `${day}T12:00:00Z` }] });
  expect(body.data).toMatchObject({ success: true });
}

test('a campaign counts a finish within the validity of the course, and asks again for an older one', async () => {
  await patch(`/courses/${courseId}`, { validForMonths: 12 });
  await finishOn(monthsAgo(12, 1), learner(2));
  await finishOn(monthsAgo(12, -2), learner(3));
  const campaignId = await runCampaign({ items: [item], audience: only(learner(2), learner(3)) });
  const assignments = await listAssignments(`campaignId=${campaignId}`);
  const statusOf = (id: string) => assignments.find((assignment) => assignment.learner.id === id).status;
  expect([statusOf(learner(2)), statusOf(learner(3))]).toEqual(['completed', 'open']);
  const { body } = await get(`/learners/${learner(3)}/course-results`);
  const result = body.data.find((row: { courseId: string }) => row.courseId === courseId);
  expect(result).toMatchObject({ attempt: 2, finishDate: null });
});

test('the shorter of the recurrence and the validity decides', async () => {
  await patch(`/courses/${courseId}`, { validForMonths: 24 });
  await finishOn(monthsAgo(13), learner(4));
  const recurrence = { type: 'afterCompletion', months: 12 };
  const campaignId = await runCampaign({ items: [item], audience: only(learner(4)), recurrence });
  expect(await listAssignments(`campaignId=${campaignId}`)).toMatchObject([{ status: 'open', round: 1 }]);
});
