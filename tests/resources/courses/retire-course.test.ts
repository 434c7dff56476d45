import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Answer, expectError, get, patch, post } from '../../support/client.ts';
import { companies, managedCourses, ownCourseId } from '../../support/world.ts';
import { coursesOf, learner, message, queuedMessages, race, restoreEnrollments } from './enrollment-state.ts';
import { at, attemptsOf, record } from './result-state.ts';

const { phishing } = managedCourses;
const own = ownCourseId('tenant');
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id);
const retire = async (retired: boolean) => (await patch(`/courses/${own}`, { retired })).body.data;
const codesOf = ({ body }: Answer) => body.data.failures.map(({ code }: { code: string }) => code);

restoreEnrollments();
afterEach(async () => {
  await testService.query('delete from course_result_events');
  await testService.query('delete from auto_enrolled_courses');
  await testService.query('update courses set retired_at = null');
});

describe('a retired course', () => {
  test('is listed only with includeRetired, and can be read and restored', async () => {
    const { retiredAt } = await retire(true);
    expect(Math.abs(Date.parse(retiredAt) - Date.now())).toBeLessThan(60_000);
    expect((await retire(true)).retiredAt).toBe(retiredAt);
    expect(idsOf(await get('/courses'))).not.toContain(own);
    expect((await get('/courses?source=custom&includeRetired=true')).body.data).toMatchObject([{ id: own, retiredAt }]);
    expect((await get(`/courses/${own}`)).body.data.retiredAt).toBe(retiredAt);
    expect((await retire(false)).retiredAt).toBeNull();
    expect(idsOf(await get('/courses'))).toContain(own);
  });

  test('rejects enrolments and reminders, while other courses of the call succeed', async () => {
    await retire(true);
    const [three, four] = [learner(3), learner(4)];
    const pairs = { learnerIds: [three, four], courseIds: [own, phishing] };
    const enrolled = await post('/course-enrollments', pairs);
    expect(codesOf(enrolled)).toEqual(['course_retired', 'course_retired']);
    expect(enrolled.body.data.completed).toEqual([
      { learnerId: three, courseId: phishing },
      { learnerId: four, courseId: phishing },
    ]);
    expect(await coursesOf(four)).toEqual([phishing]);
    expect(await queuedMessages()).toEqual([message('course_enrollment', four, phishing)]);
    expect(codesOf(await post('/course-reminders', { learnerIds: [three], courseIds: [own] }))).toEqual([
      'course_retired',
    ]);
    expect(await queuedMessages()).toHaveLength(1);
  });

  test('cannot get autoEnrol from a call that began earlier', async () => {
    const other = new pg.Client(testService.database.ownerUrl);
    await other.connect();
    await other.query('begin');
    await other.query('select from company_seats where company_id = $1 for update', [companies.tenant]);
    const marked = race(`/courses/${own}`, { autoEnrol: true }, 'PATCH');
    await sleep(200);
    await other.query('update courses set retired_at = now() where id = $1', [own]);
    await other.query('commit');
    await other.end();
    expectError(await marked, 400, 'invalid_request', ['body/autoEnrol']);
  });

  test('cannot be retaken by a learner who finished it', async () => {
    const finish = { course: { id: own }, finishedAt: at(5), score: 90, eventId: 'e1' };
    await record(finish);
    await retire(true);
    expect(codesOf(await post('/course-enrollments', { learnerIds: [learner(4)], courseIds: [own] }))).toEqual([
      'course_retired',
    ]);
    expect(await attemptsOf(learner(4), own)).toMatchObject([{ grade: 'pass', attempts: 1 }]);
  });

  test('keeps its results and open enrolments, which can be finished, reported and removed', async () => {
    await retire(true);
    const finish = { course: { id: own }, finishedAt: at(5), score: 90 };
    const { body } = await record(
      { ...finish, learner: { id: learner(3) }, eventId: 'e1' },
      { ...finish, eventId: 'e2' },
    );
    expect(body.data.success).toBe(true);
    for (const number of [3, 4] as const) {
      expect(await attemptsOf(learner(number), own)).toMatchObject([{ grade: 'pass', attempts: 1 }]);
    }
    const { rows } = (await get(`/reports/learning?courseId=${own}`)).body.data;
    expect(rows).toHaveLength(2);
    await retire(false);
    await post('/course-enrollments', { learnerIds: [learner(1)], courseIds: [own] });
    await retire(true);
    const removal = await post('/course-unenrollments', { learnerIds: [learner(1)], courseIds: [own] });
    expect(removal.body.data.removed).toHaveLength(1);
  });

  test('loses autoEnrol, which only another call restores', async () => {
    await patch(`/courses/${own}`, { autoEnrol: true });
    expect((await retire(true)).autoEnrol).toBe(false);
    expectError(await patch(`/courses/${own}`, { autoEnrol: true }), 400, 'invalid_request', ['body/autoEnrol']);
    expect((await retire(false)).autoEnrol).toBe(false);
    expect((await patch(`/courses/${own}`, { autoEnrol: true })).body.data.autoEnrol).toBe(true);
  });

  test('of the catalogue enrols no new learner, and its autoEnrol works again when restored', async () => {
    await patch(`/courses/${phishing}`, { autoEnrol: true });
    await testService.query('update courses set retired_at = now() where id = $1', [phishing]);
    expect((await get(`/courses/${phishing}`)).body.data.autoEnrol).toBe(false);
    const newLearner = { email: 'new@tenant.test', firstName: 'Radia', lastName: 'Perlman' };
    const { id } = (await post('/learners', newLearner)).body.data;
    expect(await coursesOf(id)).toEqual([]);
    await testService.query('delete from learners where id = $1', [id]);
    await testService.query('update courses set retired_at = null where id = $1', [phishing]);
    expect((await get(`/courses/${phishing}`)).body.data.autoEnrol).toBe(true);
  });
});
