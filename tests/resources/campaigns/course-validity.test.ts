import { Temporal } from 'temporal-polyfill';
import { get, patch, post } from '../../support/client.ts';
import { learner } from '../courses/enrollment-state.ts';
import { uniqueId } from '../reports/past-state.ts';
import { ownCourseId } from '../../support/world.ts';
import { evaluate, inDays, listAssignments, only, runCampaign } from './campaign-state.ts';
import { policyId } from '../../support/world-policies.ts';

const courseId = ownCourseId('tenant');
const item = { type: 'course', id: courseId };
const policy = { type: 'policy', id: policyId('tenant', 1) };
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
  const { body } = await post('/course-results', { results: [{ ...finish, finishedAt: `${day}T00:00:00Z` }] });
  expect(body.data).toMatchObject({ success: true });
}

test("a campaign counts a finish within the course's validity, and assigns the course again after an older one", async () => {
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

/** Returns the day of a finish that remains valid for the given number of days. */
function finishDay(months: number, { validDays }: { validDays: number }): string {
  return Temporal.PlainDate.from(inDays(validDays)).subtract({ months }).toString();
}

/** Runs a campaign that repeats before the expiry. Returns the assignments of a learner after a second evaluation. */
async function listRenewals(learnerId: string, due = { days: 14 }): Promise<any[]> {
  const recurrence = { type: 'beforeExpiry' };
  const campaignId = await runCampaign({ items: [item, policy], audience: only(learnerId), due, recurrence });
  await testService.query('update campaigns set evaluate_at = now()');
  await evaluate();
  const assignments = await listAssignments(`campaignId=${campaignId}`);
  return assignments.filter((assignment) => assignment.item.id === courseId);
}

test('a campaign assigns a course again the configured number of days before the result expires', async () => {
  await patch(`/courses/${courseId}`, { validForMonths: 12 });
  await finishOn(finishDay(12, { validDays: 14 }), learner(2));
  await finishOn(finishDay(12, { validDays: 16 }), learner(3));
  const [first, second] = await listRenewals(learner(2));
  expect(first).toMatchObject({ round: 1, status: 'completed' });
  expect(second).toMatchObject({ round: 2, status: 'open', dueOn: inDays(14) });
  const explain = async ({ id }: { id: string }) => (await get(`/assignments/${id}`)).body.data.explanation;
  expect(await explain(first)).toMatchObject({ repeatedBecause: null });
  expect(await explain(second)).toMatchObject({ repeatedBecause: 'beforeExpiry', dueBecause: 'days' });
  expect(await listRenewals(learner(3))).toMatchObject([{ round: 1, status: 'completed' }]);
  await finishOn(inDays(0), learner(2));
  const { body } = await get(`/assignments/${second.id}`);
  expect(body.data).toMatchObject({ status: 'completed' });
});

test('the next round begins no earlier than halfway through the validity', async () => {
  await patch(`/courses/${courseId}`, { validForMonths: 2 });
  await finishOn(finishDay(2, { validDays: 34 }), learner(3));
  await finishOn(finishDay(2, { validDays: 27 }), learner(4));
  expect(await listRenewals(learner(3), { days: 60 })).toMatchObject([{ round: 1 }]);
  expect(await listRenewals(learner(4), { days: 60 })).toMatchObject([{ round: 1 }, { round: 2, dueOn: inDays(60) }]);
});

test('without a validity, a course is not asked for again', async () => {
  await finishOn(finishDay(12, { validDays: -100 }), learner(3));
  expect(await listRenewals(learner(3))).toMatchObject([{ round: 1, status: 'completed' }]);
});
