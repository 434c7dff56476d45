import { managedCourses, ownCourseId } from '../../support/world.ts';
import { restoreEnrollments } from './enrollment-state.ts';
import { at, attemptsOf, enrolledInNothing, on, record } from './result-state.ts';

const own = ownCourseId('tenant');
const course = { externalId: 'lms 17' };

restoreEnrollments();
beforeAll(() => testService.query('update courses set external_id = $2 where id = $1', [own, 'lms 17']));
afterEach(() => testService.query('delete from course_result_events'));

describe('POST /course-results with course.externalId', () => {
  test('records the result in the custom course with that id, with or without surrounding spaces', async () => {
    const { body } = await record(
      { course, startedAt: at(3), eventId: 'e1' },
      { course: { externalId: ' lms 17 ' }, finishedAt: at(5), score: 90, eventId: 'e2' },
    );
    expect(body.data.success).toBe(true);
    expect(await attemptsOf(enrolledInNothing, own)).toMatchObject([
      { startDate: on(3), finishDate: on(5), attempts: 1 },
    ]);
  });

  test('accepts the course id for the same result, in one call or two', async () => {
    const finish = { finishedAt: at(5), score: 90, eventId: 'e1' };
    const both = await record({ ...finish, course }, { ...finish, course: { id: own } });
    expect(both.body.data).toMatchObject({ success: true, completed: [{ index: 0 }, { index: 1 }] });
    expect((await record({ ...finish, course: { id: own } })).body.data.success).toBe(true);
    expect(await attemptsOf(enrolledInNothing, own)).toMatchObject([{ attempts: 1 }]);
    const { body } = await record({ ...finish, course: { id: managedCourses.phishing } });
    expect(body.data.failures).toMatchObject([{ code: 'event_id_reused' }]);
  });

  test('finds no foreign course, no managed course and no id in another case', async () => {
    const ids = [ownCourseId('other'), managedCourses.phishing];
    await testService.query(`update courses set external_id = 'their ' || name where id = any($1)`, [ids]);
    const { body } = await record(
      ...['their own-other', 'their phishing-basics', 'LMS 17', own].map((externalId) => {
        return { course: { externalId }, startedAt: at(3), eventId: externalId.replace(' ', '-') };
      }),
    );
    expect(body.data.completed).toEqual([]);
    expect(body.data.failures.map(({ code }: { code: string }) => code)).toEqual(Array(4).fill('course_not_found'));
  });
});
