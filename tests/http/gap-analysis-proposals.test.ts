/** @jest-environment-options {"CONTENT_FOLDER": "tests/fixtures/content"} */
import { expectError, get, patch, post } from '../support/client.ts';
import { Learner } from '../support/learner.ts';
import { nameWrittenCourses, take } from '../support/player.ts';
import { learnerId, managedCourses, ownCourseId, unknownId } from '../support/world.ts';

const PATH = `/learn/courses/${managedCourses.gapAnalysis}`;
const four = learnerId('tenant', 4);
const query = (sql: string, values: unknown[] = []) => testService.query(sql, values);

beforeAll(nameWrittenCourses);
afterEach(() => query('delete from company_settings'));

const proposalsOf = async (id: string) => (await get(`/learners/${id}/gap-analysis-proposals`)).body.data;
const follow = (gapAnalysisFollowUp: string) => patch('/company/settings', { gapAnalysisFollowUp });

/** Enrols a learner in the gap analysis, and answers all questions. */
async function takeGapAnalysis(learner: Learner, id: string, answers: string): Promise<void> {
  await post('/gap-analysis/enrollments', { learnerIds: [id] });
  await learner.post(PATH);
  await take(learner, `${PATH}/1`, answers);
}

const enrollmentsOf = (id: string) =>
  query('select attempt, finish_date from enrollments where learner_id = $1 and course_id = $2', [
    id,
    managedCourses.phishing,
  ]);

test('a result proposes the course of a failed subject to the learner and to admins, and enrols nobody', async () => {
  const learner = await Learner.of('tenant', 4);
  expect(await proposalsOf(four)).toEqual({ attemptId: null, finishDate: null, proposals: [] });
  await takeGapAnalysis(learner, four, 'hook=a&line=a');
  const { proposals, finishDate } = await proposalsOf(four);
  expect(proposals).toEqual([
    { courseId: managedCourses.phishing, name: expect.any(String), score: 50, status: 'proposed' },
  ]);
  expect(finishDate).not.toBeNull();
  expect((await learner.get('/learn')).html).toMatch(/<h2>Recommended for you<\/h2>.*50% of the questions/s);
  expect(await enrollmentsOf(four)).toEqual([]);
});

test('a learner starts a proposed course once, and no other course', async () => {
  const learner = await Learner.of('tenant', 4);
  const start = (id: string) => learner.post(`/learn/proposals/${id}`);
  expect((await learner.get('/learn')).html).toContain('Start this course');
  for (const id of [managedCourses.passwords, ownCourseId('tenant'), ownCourseId('other'), unknownId])
    expect((await start(id)).status).toBe(404);
  const twice = await Promise.all([start(managedCourses.phishing), start(managedCourses.phishing)]);
  const to = `/learn/courses/${managedCourses.phishing}`;
  expect(twice.map(({ headers }) => headers.get('location'))).toEqual([to, to]);
  expect((await start(managedCourses.phishing)).status).toBe(303);
  expect(await enrollmentsOf(four)).toEqual([{ attempt: 1, finish_date: null }]);
  expect((await learner.get(to)).status).toBe(200);
  await query('delete from enrollments where learner_id = $1 and course_id = $2', [four, managedCourses.phishing]);
});

test('a company that switched proposals off shows none', async () => {
  await follow('off');
  expect((await proposalsOf(four)).proposals).toEqual([]);
  expect((await (await Learner.of('tenant', 4)).get('/learn')).html).not.toContain('Recommended for you');
});

test('a retired course is not proposed', async () => {
  await query('update courses set retired_at = now() where id = $1', [managedCourses.phishing]);
  expect((await proposalsOf(four)).proposals).toEqual([]);
  await query('update courses set retired_at = null where id = $1', [managedCourses.phishing]);
});

test('a company that enrols automatically does so once, with the events and the message of any enrolment', async () => {
  await get('/events');
  await follow('enrol');
  const learner = await Learner.of('tenant', 4);
  const events = () =>
    query(`select type from events where type = 'enrollment.created' and data ->> 'learnerId' = $1`, [four]);
  const before = await events();
  await takeGapAnalysis(learner, four, 'hook=a&line=a');
  expect(await enrollmentsOf(four)).toEqual([{ attempt: 1, finish_date: null }]);
  expect((await proposalsOf(four)).proposals).toMatchObject([{ status: 'enrolled' }]);
  expect((await learner.get('/learn')).html).not.toContain('Recommended for you');
  // One event for the new attempt at the gap analysis, and one for the course.
  expect((await events()).length - before.length).toBe(2);

  await takeGapAnalysis(learner, four, 'hook=a&line=a');
  await learner.post(PATH);
  expect(await enrollmentsOf(four)).toEqual([{ attempt: 1, finish_date: null }]);
});

test('a second result does not enrol a learner who has finished the course', async () => {
  await follow('enrol');
  await query(
    'update enrollments set start_date = now(), finish_date = now(), passed = true, score = 90 where learner_id = $1 and course_id = $2',
    [four, managedCourses.phishing],
  );
  await takeGapAnalysis(await Learner.of('tenant', 4), four, 'hook=a&line=a');
  expect(await enrollmentsOf(four)).toMatchObject([{ attempt: 1 }]);
  expect((await proposalsOf(four)).proposals).toMatchObject([{ status: 'finished' }]);
});

test('an unknown learner and one of another company return 404', async () => {
  for (const id of [unknownId, learnerId('other', 1)])
    expectError(await get(`/learners/${id}/gap-analysis-proposals`), 404, 'not_found');
  expectError(await follow('always'), 400, 'invalid_request', ['body/gapAnalysisFollowUp']);
});
