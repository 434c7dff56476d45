import { expectError, get, patch, post } from '../../support/client.ts';
import { managedCourses, ownCourseId } from '../../support/world.ts';
import { fieldsOf } from '../tenant-state.ts';
import { restoreEnrollments } from './enrollment-state.ts';
import { at, attemptsOf, enrolledInNothing, record } from './result-state.ts';

const COURSE = { name: 'forklifts', subject: 'Made', difficulty: 2, passMark: 75, locales: ['en'] };

restoreEnrollments();
let path: string;
let id: string;
beforeEach(async () => {
  const fields = { externalId: 'lms-1', description: 'Where to walk.', durationMinutes: 8, validForMonths: 12 };
  id = (await post('/courses', { ...COURSE, ...fields })).body.data.id;
  path = `/courses/${id}`;
});
afterEach(async () => {
  await testService.query('delete from course_result_events');
  await testService.query('delete from enrollments where course_id = $1', [id]);
  await testService.query(`delete from courses where subject = 'Made'`);
});

describe('PATCH /courses/{courseId} of a custom course', () => {
  test('changes the given fields and keeps the rest', async () => {
    const { body: before } = await get(path);
    const changes = { displayName: 'Forklifts and you', passMark: 80, locales: ['de_CH'], externalId: ' lms-2 ' };
    const { status, body } = await patch(path, changes);
    expect(status).toBe(200);
    const { updatedAt } = body.data;
    const stored = { ...changes, locales: ['de-CH'], externalId: 'lms-2' };
    expect(body.data).toEqual({ ...before.data, ...stored, updatedAt });
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(before.data.updatedAt));
    expect((await get(path)).body).toEqual(body);
    expect((await patch(path, {})).body).toEqual(body);
  });

  test('clears the optional fields', async () => {
    const cleared = { externalId: null, description: null, durationMinutes: null, validForMonths: null };
    expect((await patch(path, cleared)).body.data).toMatchObject(cleared);
  });

  test('a new pass mark applies to later results', async () => {
    const course = { id };
    await record({ course, finishedAt: at(3), score: 78, eventId: 'e1' });
    await patch(path, { passMark: 80 });
    await record({ course, finishedAt: at(5), score: 78, eventId: 'e2' });
    expect((await attemptsOf(enrolledInNothing, id)).map(({ grade }) => grade)).toEqual(['pass', 'fail']);
  });

  test('an externalId in use returns 400 and changes nothing', async () => {
    await post('/courses', { ...COURSE, externalId: 'lms-2' });
    const { body: before } = await get(path);
    const answer = await patch(path, { name: 'Other', externalId: 'lms-2' });
    expectError(answer, 400, 'external_course_id_taken', ['body/externalId']);
    expect((await get(path)).body).toEqual(before);
  });

  test('a managed course returns 403 and a foreign one 404, and both stay unchanged', async () => {
    const managed = `/courses/${managedCourses.phishing}`;
    const { body: before } = await get(managed);
    const refused = await patch(managed, { autoEnrol: true, passMark: 10, retired: true });
    expectError(refused, 403, 'forbidden', ['body/passMark', 'body/retired']);
    expect((await get(managed)).body).toEqual(before);
    const { body: theirs } = await get(`/courses/${ownCourseId('other')}`, 'other');
    expectError(await patch(`/courses/${ownCourseId('other')}`, { name: 'Mine' }), 404, 'not_found');
    expect((await get(`/courses/${ownCourseId('other')}`, 'other')).body).toEqual(theirs);
  });

  test.each(['name', 'displayName', 'subject', 'difficulty', 'passMark', 'locales', 'retired'])(
    '%s cannot be null',
    async (field) => {
      const answer = await patch(path, { [field]: null });
      expectError(answer, 400, 'invalid_request');
      expect(fieldsOf(answer)).toEqual([`body/${field}`]);
    },
  );
});
