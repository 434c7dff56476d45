import { del, expectError, get, patch, post } from '../../support/client.ts';
import { managedCourses, ownCourseId } from '../../support/world.ts';
import { enrollmentsOf, learner, race, restoreEnrollments } from './enrollment-state.ts';
import { at, enrolledInNothing, record } from './result-state.ts';

const COURSE = {
  name: 'forklifts',
  subject: 'Made',
  difficulty: 2,
  passMark: 75,
  locales: ['en'],
  externalId: 'lms-1',
};
const pairs = (id: string) => ({ learnerIds: [enrolledInNothing], courseIds: [id] });

restoreEnrollments();
let id: string;
let path: string;
beforeEach(async () => {
  id = (await post('/courses', { ...COURSE, autoEnrol: true })).body.data.id;
  path = `/courses/${id}`;
});
afterEach(async () => {
  for (const table of ['course_result_events', 'enrollment_attempts', 'enrollments']) {
    await testService.query(`delete from ${table} where course_id = $1`, [id]);
  }
  await testService.query(`delete from courses where subject = 'Made'`);
});

describe('DELETE /courses/{courseId}', () => {
  test('deletes an unused course with its autoEnrol setting, and frees its externalId', async () => {
    const { status, body } = await del(path);
    expect({ status, data: body.data }).toEqual({ status: 200, data: { id } });
    for (const answer of [await get(path), await patch(path, { name: 'Back' }), await del(path)]) {
      expectError(answer, 404, 'not_found');
    }
    const listed = (await get('/courses?includeRetired=true')).body.data;
    expect(listed.map((course: { id: string }) => course.id)).not.toContain(id);
    expect(await testService.query('select from auto_enrolled_courses')).toEqual([]);
    expect((await post('/course-enrollments', pairs(id))).body.data.failures).toMatchObject([
      { code: 'course_not_found' },
    ]);
    const result = { startedAt: at(3), eventId: 'e1' };
    const told = await record({ ...result, course: { id } }, { ...result, course: { externalId: 'lms-1' } });
    expect(told.body.data.failures).toMatchObject([{ code: 'course_not_found' }, { code: 'course_not_found' }]);
    expect((await post('/courses', COURSE)).body.data.externalId).toBe('lms-1');
  });

  test('rejects a course with an open enrolment until the learner is unenrolled', async () => {
    await post('/course-enrollments', pairs(id));
    expectError(await del(path), 400, 'course_in_use', []);
    await post('/course-unenrollments', pairs(id));
    expect((await del(path)).status).toBe(200);
  });

  test('rejects a course with results, even if retired, and keeps its history', async () => {
    await record({ course: { id }, finishedAt: at(5), score: 90, eventId: 'e1' });
    await patch(path, { retired: true });
    const before = await enrollmentsOf(enrolledInNothing);
    expectError(await del(path), 400, 'course_in_use');
    expect(await enrollmentsOf(enrolledInNothing)).toEqual(before);
    expect((await get(path)).status).toBe(200);
  });

  test('concurrent calls either enrol the learners or delete the course', async () => {
    const enrol = () => race('/course-enrollments', { ...pairs(id), learnerIds: [learner(1), learner(4)] });
    const [first, removal, second] = await Promise.all([enrol(), race(path, undefined, 'DELETE'), enrol()]);
    const enrolled = await testService.query('select from enrollments where course_id = $1', [id]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect([enrolled.length, removal.status]).toEqual(removal.status === 200 ? [0, 200] : [2, 400]);
  });

  test('rejects courses of the catalogue and of other companies', async () => {
    const managed = `/courses/${managedCourses.passwords}`;
    expectError(await del(managed), 403, 'forbidden', []);
    expect((await get(managed)).status).toBe(200);
    expectError(await del(`/courses/${ownCourseId('other')}`), 404, 'not_found');
    expectError(await del(`/courses/${ownCourseId('childA')}`, undefined, 'msp'), 404, 'not_found');
    expect((await get(`/courses/${ownCourseId('other')}`, 'other')).status).toBe(200);
  });
});
