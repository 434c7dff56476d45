import { call, expectError, get, post } from '../../support/client.ts';
import { companies, type KeyName, managedCourses, ownCourseId } from '../../support/world.ts';
import { enrollmentsOf, insertCourses, message, queuedMessages, race, restoreEnrollments } from './enrollment-state.ts';

const { phishing, gapAnalysis } = managedCourses;
const own = ownCourseId('tenant');

restoreEnrollments();
afterEach(async () => {
  await testService.query('delete from auto_enrolled_courses');
  await testService.query("delete from learners where email like 'new%'");
});

const patch = (courseId: string, body: object, key: KeyName = 'tenant') =>
  call(key, 'PATCH', `/courses/${courseId}`, { body });
const mark = async (...courseIds: string[]) => {
  for (const courseId of courseIds) expect((await patch(courseId, { autoEnrol: true })).status).toBe(200);
};

let made = 0;
const newLearner = (fields: object = {}) => ({
  ...{ email: `new${++made}@tenant.test`, firstName: 'Radia', lastName: 'Perlman' },
  ...fields,
});
const create = async (fields: object = {}): Promise<string> =>
  (await post('/learners', newLearner(fields))).body.data.id as string;
const coursesOfNew = async (id: string) => (await enrollmentsOf(id)).map(({ courseId }) => courseId);

describe('PATCH /courses/{courseId}', () => {
  test('sets and clears autoEnrol on managed and custom courses', async () => {
    for (const courseId of [phishing, own]) {
      const { body: before } = await get(`/courses/${courseId}`);
      expect(before.data.autoEnrol).toBe(false);
      const { status, body } = await patch(courseId, { autoEnrol: true });
      expect({ status, data: body.data }).toEqual({ status: 200, data: { ...before.data, autoEnrol: true } });
      expect((await patch(courseId, { autoEnrol: true })).body).toEqual(body);
      expect((await patch(courseId, {})).body).toEqual(body);
      expect((await get('/courses')).body.data.find(({ id }: { id: string }) => id === courseId).autoEnrol).toBe(true);
      expect((await patch(courseId, { autoEnrol: false })).body).toEqual(before);
    }
  });

  test('sets autoEnrol for one company only, which its MSP reads with companyId', async () => {
    expect((await patch(phishing, { autoEnrol: true }, 'childA')).status).toBe(200);
    for (const key of ['tenant', 'msp', 'childB'] as const) {
      expect((await get(`/courses/${phishing}`, key)).body.data.autoEnrol).toBe(false);
    }
    const { body } = await get(`/courses/${phishing}?companyId=${companies.childA}`, 'msp');
    expect(body.data.autoEnrol).toBe(true);
  });

  test('a company can set autoEnrol only on courses that it sees', async () => {
    expectError(await patch(ownCourseId('other'), { autoEnrol: true }), 404, 'not_found');
    expectError(await patch(ownCourseId('childA'), { autoEnrol: true }, 'msp'), 404, 'not_found');
    expect(await testService.query('select from auto_enrolled_courses')).toEqual([]);
  });

  test('at most 20 courses can have autoEnrol, even with concurrent calls', async () => {
    const ids = await insertCourses('tenant', 24);
    await mark(...ids.slice(0, 17));
    const answers = await Promise.all(ids.slice(17).map((id) => race(`/courses/${id}`, { autoEnrol: true }, 'PATCH')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400, 400, 400, 400]);
    const refused = ids[17 + answers.findIndex(({ status }) => status === 400)]!;
    expectError(await patch(refused, { autoEnrol: true }), 400, 'invalid_request', ['body/autoEnrol']);
    await mark(ids[0]!);
    await patch(ids[0]!, { autoEnrol: false });
    await mark(refused);
  });

  test.each([{ autoEnrol: null }, { autoEnrol: 'yes' }, { source: 'custom' }])('%j returns 400', async (body) => {
    expectError(await patch(phishing, body), 400, 'invalid_request');
  });
});

describe('a new learner', () => {
  test('is enrolled in the autoEnrol courses and gets one message about them', async () => {
    await mark(own, phishing, gapAnalysis);
    const id = await create();
    expect(await coursesOfNew(id)).toEqual([phishing, gapAnalysis, own]);
    expect(await queuedMessages()).toEqual([message('course_enrollment', id, phishing, gapAnalysis, own)]);
  });

  test('on leave is enrolled without a message', async () => {
    await mark(phishing);
    const id = await create({ absentUntil: '2999-12-31' });
    expect(await coursesOfNew(id)).toEqual([phishing]);
    expect(await queuedMessages()).toEqual([]);
  });

  test('is not enrolled if excluded, if created before autoEnrol was set, or in another company', async () => {
    const before = await create();
    await mark(phishing);
    const excluded = await create({ excludedFromAutoEnrol: true });
    const { id: other } = (await post('/learners', newLearner({ email: 'new@other.test' }), 'other')).body.data;
    for (const id of [before, excluded, other]) expect(await coursesOfNew(id)).toEqual([]);
    expect(await queuedMessages()).toEqual([]);
  });

  test('created in bulk is enrolled and gets one message', async () => {
    await mark(phishing, own);
    const learners = Array.from({ length: 30 }, () => newLearner());
    expect((await post('/learners/bulk', { learners })).body.data.success).toBe(true);
    const rows = await testService.query(
      `select count(*)::integer as enrolled, count(distinct learner_id)::integer as learners from enrollments
        where learner_id in (select id from learners where email like 'new%')`,
    );
    expect(rows).toEqual([{ enrolled: 60, learners: 30 }]);
    expect(await queuedMessages()).toHaveLength(30);
  });

  test('is not enrolled while the company has no training module', async () => {
    await mark(phishing);
    await testService.query('update companies set smlearn = false where id = $1', [companies.tenant]);
    const id = await create();
    await testService.query('update companies set smlearn = true where id = $1', [companies.tenant]);
    expect(await coursesOfNew(id)).toEqual([]);
  });
});
