import { type Answer, call, expectError, get, post } from '../../support/client.ts';
import { companies, learnerId, managedCourses, ownCourseId } from '../../support/world.ts';
import {
  enrolledIn,
  hostileTexts,
  insertHostileNames,
  insertManyResults,
  setResult,
  copyIdsTo,
} from '../reports/report-state.ts';

const unmailed = { askedAt: null, remindedAt: null, mailFailedAt: null };
const firstAttempt = { attemptId: expect.any(String), attempt: 1, attempts: 1, ...unmailed };
const { phishing, passwords } = managedCourses;
const one = learnerId('tenant', 1);
const two = learnerId('tenant', 2);
const three = learnerId('tenant', 3);
const four = learnerId('tenant', 4);
const five = learnerId('tenant', 5);
const pathOf = (learner: string): string => `/learners/${learner}/course-results`;
const coursesOf = ({ body }: Answer): string[] => body.data.map(({ courseId }: { courseId: string }) => courseId);
const finished = { startDate: '2026-01-02', finishDate: '2026-01-03' };

describe('GET /learners/{learnerId}/course-results', () => {
  test('lists finished and started courses, oldest enrolment first, with exactly the documented fields', async () => {
    const { status, body } = await get(pathOf(one));
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        learnerId: one,
        courseId: phishing,
        ...firstAttempt,
        enrollDate: '2026-03-02',
        startDate: '2026-03-03',
        finishDate: '2026-03-03',
        score: 92.5,
        grade: 'pass',
        course: { id: phishing, name: 'phishing-basics', difficulty: 1 },
        assignment: null,
      },
      {
        learnerId: one,
        courseId: passwords,
        ...firstAttempt,
        enrollDate: '2026-03-09',
        startDate: '2026-03-10',
        finishDate: null,
        score: null,
        grade: null,
        course: { id: passwords, name: 'strong-passwords', difficulty: 2 },
        assignment: null,
      },
    ]);
  });

  test('grades a failed course as fail and omits the gap analysis', async () => {
    const { body } = await get(pathOf(two));
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ courseId: phishing, score: 60, grade: 'fail' });
  });

  test('lists courses that are not started and courses of the company', async () => {
    const { body } = await get(pathOf(three));
    expect(body.data).toMatchObject([
      { courseId: phishing, startDate: null, finishDate: null, score: null, grade: null },
      { courseId: ownCourseId('tenant'), startDate: '2026-04-02', course: { name: 'own-tenant' } },
    ]);
  });

  test('the list is empty for a learner without enrolments', async () => {
    expect((await get(pathOf(four))).text).toBe('{"data":[]}');
  });

  test('keeps the results of inactive and deactivated learners', async () => {
    const { body } = await get(pathOf(five));
    expect(body.data).toMatchObject([{ learnerId: five, courseId: phishing, score: 100, grade: 'pass' }]);
    await post('/learners/deactivate', { learnerIds: [one] });
    expect(coursesOf(await get(pathOf(one)))).toEqual([phishing, passwords]);
    await post('/learners/activate', { learnerIds: [one] });
  });

  test('lists results by enrolment date, not by course id or other dates', async () => {
    await setResult('tenant', four, passwords, { enrollDate: '2026-01-03' });
    await setResult('tenant', four, phishing, { enrollDate: '2026-01-04' });
    await setResult('tenant', four, ownCourseId('tenant'), { enrollDate: '2026-01-02', startDate: '2026-05-05' });
    expect(coursesOf(await get(pathOf(four)))).toEqual([ownCourseId('tenant'), passwords, phishing]);
  });

  test('lists enrolments of one day by course id, not by insertion order', async () => {
    for (const course of [ownCourseId('tenant'), phishing, passwords]) await setResult('tenant', four, course, {});
    expect(coursesOf(await get(pathOf(four)))).toEqual([phishing, passwords, ownCourseId('tenant')]);
  });

  test.each([
    [0, false],
    [0.01, false],
    [79.99, false],
    [80, true],
    [100, true],
  ])('a score of %d is returned exactly, with the grade of passed: %s', async (score, passed) => {
    await setResult('childA', learnerId('childA', 4), phishing, { ...finished, score, passed });
    const { body } = await get(pathOf(learnerId('childA', 4)), 'childA');
    expect(body.data).toMatchObject([{ score, grade: passed ? 'pass' : 'fail' }]);
  });

  test.each(['0001-01-01', '1900-02-28', '2024-02-29', '2026-03-29', '2026-12-31', '9999-12-31'])(
    'the date %s is returned as stored',
    async (date) => {
      const dates = { enrollDate: date, startDate: date, finishDate: date };
      await setResult('childA', learnerId('childA', 4), phishing, { ...dates, score: 50, passed: true });
      const { body } = await get(pathOf(learnerId('childA', 4)), 'childA');
      expect(body.data).toMatchObject([dates]);
    },
  );

  test('a later change to the pass mark does not change the grade', async () => {
    await testService.query('update courses set pass_mark = 100 where id = $1', [phishing]);
    expect((await get(pathOf(one))).body.data[0]).toMatchObject({ score: 92.5, grade: 'pass' });
    await testService.query('update courses set pass_mark = 80 where id = $1', [phishing]);
  });

  test('returns hostile course names unchanged', async () => {
    await insertHostileNames('prospect');
    const [row] = await testService.query('select id from learners where company_id = $1 and first_name = $2', [
      companies.prospect,
      hostileTexts[0],
    ]);
    const { body } = await get(pathOf(row!.id as string), 'prospect');
    expect(body.data.map(({ course }: { course: { name: string } }) => course.name)).toEqual(hostileTexts);
  });

  test('lists all 701 results in order, and HEAD returns no body', async () => {
    await insertManyResults('directChild', 1, 698);
    const [learner] = await testService.query(`select id from learners where company_id = $1 and id::text like $2`, [
      companies.directChild,
      '0192b%',
    ]);
    const expected = (await enrolledIn('directChild'))
      .filter((enrolled) => enrolled.learner.id === learner!.id && enrolled.course.type === 'training')
      .map(({ course: { id, name, difficulty }, attempt, result }) => {
        const course = { id, name, difficulty };
        return { learnerId: learner!.id, courseId: id, ...attempt, ...result, course, assignment: null };
      });
    expected.sort((a, b) => (a.enrollDate + a.courseId < b.enrollDate + b.courseId ? -1 : 1));
    const path = pathOf(learner!.id as string);
    const { body } = await get(path, 'directChild');
    expect(body.data).toHaveLength(701);
    expect(body.data).toEqual(expected);
    expect(await call('directChild', 'HEAD', path)).toMatchObject({ status: 200, text: '' });
  });
});

describe('GET /learners/{learnerId}/course-results of another company', () => {
  test('an MSP reads a learner of its child company only with its companyId', async () => {
    const path = pathOf(learnerId('childB', 3));
    const { body } = await get(`${path}?companyId=${companies.childB}`, 'msp');
    expect(body.data.map(({ courseId }: { courseId: string }) => courseId)).toEqual([phishing, ownCourseId('childB')]);
    expectError(await get(path, 'msp'), 404, 'not_found');
    expectError(await get(`${path}?companyId=${companies.childA}`, 'msp'), 404, 'not_found');
  });

  test('a learner of the MSP with the companyId of its child returns 404', async () => {
    const path = `${pathOf(learnerId('msp', 1))}?companyId=${companies.childA}`;
    expectError(await get(path, 'msp'), 404, 'not_found');
  });

  test('keeps results apart if another company has a learner with the same id', async () => {
    const before = await get(pathOf(one));
    await copyIdsTo('other');
    expect((await get(pathOf(one))).text).toBe(before.text);
    expect(coursesOf(await get(pathOf(one), 'other'))).toEqual([phishing, passwords]);
    expect((await get(pathOf(one), 'other')).text).not.toContain('2026-');
  });

  test('the id of a company or course returns 404', async () => {
    for (const id of [companies.tenant, phishing, ownCourseId('tenant')]) {
      expectError(await get(pathOf(id)), 404, 'not_found');
    }
  });

  test('a deleted learner returns 404', async () => {
    const fields = { email: 'gone@tenant.test', firstName: 'Gone', lastName: 'Soon' };
    const { id } = (await post('/learners', fields)).body.data;
    await setResult('tenant', id, phishing, {});
    expect((await get(pathOf(id))).body.data).toHaveLength(1);
    await call('tenant', 'DELETE', `/learners/${id}`);
    expectError(await get(pathOf(id)), 404, 'not_found');
  });
});
