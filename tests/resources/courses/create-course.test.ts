import { expectError, get, post } from '../../support/client.ts';
import { companies, type KeyName, ownCourseId } from '../../support/world.ts';
import { fieldsOf } from '../tenant-state.ts';
import { race } from './enrollment-state.ts';

afterEach(() => testService.query(`delete from courses where subject = 'Made'`));

const COURSE = { name: 'forklifts', subject: 'Made', difficulty: 2, passMark: 75, locales: ['en'] };
const create = (fields: object = {}, key: KeyName = 'tenant') => post('/courses', { ...COURSE, ...fields }, key);
const courseCount = async () => (await testService.query('select from courses')).length;

describe('POST /courses', () => {
  test('creates a training course with the documented defaults', async () => {
    const { status, body } = await create();
    expect(status).toBe(200);
    const { id, createdAt, updatedAt, ...course } = body.data;
    expect(course).toEqual({
      ...COURSE,
      ...{ externalId: null, displayName: 'forklifts', description: null, durationMinutes: null, validForMonths: null },
      ...{ source: 'custom', type: 'training', autoEnrol: false, retiredAt: null, localizedNames: [] },
    });
    expect(updatedAt).toBe(createdAt);
    expect((await get(`/courses/${id}`)).body).toEqual(body);
  });

  test('stores every field, a trimmed externalId and each language once', async () => {
    const fields = {
      displayName: 'Forklifts and you',
      description: 'Where to walk.',
      durationMinutes: 8,
      validForMonths: 12,
      difficulty: 5,
    };
    const { body } = await create({ ...fields, externalId: ' lms 17 ', locales: ['de_CH', 'en', 'de-CH'] });
    expect(body.data).toMatchObject({ ...fields, externalId: 'lms 17', locales: ['de-CH', 'en'] });
    const listed = (await get('/courses?source=custom')).body.data.at(-1);
    expect(listed).toMatchObject({ id: body.data.id, externalId: 'lms 17', displayName: 'Forklifts and you' });
  });

  test('with autoEnrol, enrols learners who are created later', async () => {
    const { id } = (await create({ autoEnrol: true })).body.data;
    const learner = { email: 'made@tenant.test', firstName: 'Radia', lastName: 'Perlman' };
    const made = (await post('/learners', learner)).body.data.id;
    const { body } = await get(`/learners/${made}/course-results`);
    expect(body.data.map(({ courseId }: { courseId: string }) => courseId)).toEqual([id]);
    await testService.query('delete from learners where id = $1', [made]);
  });

  test('rejects `autoEnrol` when 20 courses have it, and creates no course', async () => {
    await testService.query(
      `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
       select $1, gen_random_uuid(), 'training', 'n', 'n', 'Made', 1, 1, '{en}' from generate_series(1, 20)`,
      [companies.tenant],
    );
    await testService.query(
      `insert into auto_enrolled_courses select owner_id, id, owner_id from courses where name = 'n'`,
    );
    const before = await courseCount();
    expectError(await create({ autoEnrol: true }), 400, 'invalid_request', ['body/autoEnrol']);
    expect(await courseCount()).toBe(before);
    expect((await create({ autoEnrol: false })).status).toBe(200);
  });

  test('an externalId is unique in the company, even for simultaneous calls', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => race('/courses', { ...COURSE, externalId: 'lms-1' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expectError(await create({ externalId: ' lms-1' }), 400, 'external_course_id_taken', ['body/externalId']);
    expect((await create({ externalId: 'lms-1' }, 'other')).status).toBe(200);
    expect((await create({ externalId: 'LMS-1' })).status).toBe(200);
  });

  test('the course is visible only to its company and, with companyId, to its MSP', async () => {
    const { id } = (await create({}, 'childA')).body.data;
    for (const key of ['tenant', 'msp', 'childB'] as const) {
      expectError(await get(`/courses/${id}`, key), 404, 'not_found');
    }
    const { body } = await get(`/courses/${id}?companyId=${companies.childA}`, 'msp');
    expect(body.data).toMatchObject({ id, source: 'custom' });
    expect((await get(`/courses/${ownCourseId('childA')}`, 'childA')).body.data.externalId).toBeNull();
  });

  test.each<[field: string, value: unknown]>([
    ['name', undefined],
    ['subject', undefined],
    ['difficulty', undefined],
    ['difficulty', 6],
    ['difficulty', 1.5],
    ['passMark', undefined],
    ['passMark', 101],
    ['locales', undefined],
    ['locales', []],
    ['durationMinutes', 10_081],
    ['validForMonths', 0],
    ['validForMonths', 121],
    ['externalId', null],
    ['source', 'managed'],
  ])('%s %j returns 400 naming the field', async (field, value) => {
    const before = await courseCount();
    const answer = await create({ [field]: value });
    expectError(answer, 400, 'invalid_request');
    expect(fieldsOf(answer)).toEqual([`body/${field}`]);
    expect(await courseCount()).toBe(before);
  });
});
