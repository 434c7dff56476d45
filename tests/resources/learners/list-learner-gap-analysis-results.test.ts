import { call, expectError, get, post } from '../../support/client.ts';
import { companies, learnerId, managedCourses } from '../../support/world.ts';
import { copyIdsTo, hostileTexts, setResult } from '../reports/report-state.ts';

const unmailed = { askedAt: null, remindedAt: null, mailFailedAt: null };
const firstAttempt = { attemptId: expect.any(String), attempt: 1, attempts: 1, ...unmailed };
const { gapAnalysis } = managedCourses;
const one = learnerId('tenant', 1);
const two = learnerId('tenant', 2);
const three = learnerId('tenant', 3);
const four = learnerId('tenant', 4);
const five = learnerId('tenant', 5);
const pathOf = (learner: string): string => `/learners/${learner}/gap-analysis-results`;

describe('GET /learners/{learnerId}/gap-analysis-results', () => {
  test('lists the gap analysis, not training courses, with exactly the documented fields', async () => {
    const { status, body } = await get(pathOf(two));
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        learnerId: two,
        courseId: gapAnalysis,
        ...firstAttempt,
        enrollDate: '2026-02-01',
        startDate: '2026-02-02',
        finishDate: '2026-02-03',
        score: 71.25,
        grade: 'fail',
        course: { id: gapAnalysis, name: 'gap-analysis', difficulty: 1 },
        assignment: null,
      },
    ]);
  });

  test('the list is empty for learners with only training or without enrolments', async () => {
    for (const learner of [one, three, four, five]) {
      expect((await get(pathOf(learner))).text).toBe('{"data":[]}');
    }
  });

  test('a gap analysis not started has no start date, finish date, score or grade', async () => {
    await setResult('tenant', four, gapAnalysis, { enrollDate: '2026-05-01' });
    const nothing = { startDate: null, finishDate: null, score: null, grade: null };
    expect((await get(pathOf(four))).body.data).toMatchObject([{ enrollDate: '2026-05-01', ...nothing }]);
  });

  test('a gap analysis not finished has no score or grade', async () => {
    await setResult('tenant', four, gapAnalysis, { startDate: '2026-05-02' });
    const { body } = await get(pathOf(four));
    expect(body.data).toMatchObject([{ startDate: '2026-05-02', finishDate: null, score: null, grade: null }]);
  });

  test.each([
    [0, false],
    [0.01, false],
    [79.99, false],
    [80, true],
    [100, true],
  ])('a score of %d is returned exactly, with the grade of passed: %s', async (score, passed) => {
    const finished = { startDate: '2026-01-02', finishDate: '2026-01-03', score, passed };
    await setResult('tenant', three, gapAnalysis, finished);
    expect((await get(pathOf(three))).body.data).toMatchObject([{ score, grade: passed ? 'pass' : 'fail' }]);
  });

  test('keeps the results of inactive and deactivated learners', async () => {
    await setResult('tenant', five, gapAnalysis, { enrollDate: '2026-01-01' });
    expect((await get(pathOf(five))).body.data).toMatchObject([{ learnerId: five, courseId: gapAnalysis }]);
    await post('/learners/deactivate', { learnerIds: [two] });
    expect((await get(pathOf(two))).body.data).toMatchObject([{ learnerId: two, score: 71.25 }]);
    await post('/learners/activate', { learnerIds: [two] });
  });

  test('returns a hostile course name unchanged', async () => {
    const name = hostileTexts.join('');
    await testService.query('update courses set name = $2 where id = $1', [gapAnalysis, name]);
    expect((await get(pathOf(two))).body.data[0].course.name).toBe(name);
    await testService.query(`update courses set name = 'gap-analysis' where id = $1`, [gapAnalysis]);
  });

  test('HEAD returns the content length of GET without the body', async () => {
    const { headers } = await get(pathOf(two));
    const head = await call('tenant', 'HEAD', pathOf(two));
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(headers.get('content-length'));
  });
});

describe('GET /learners/{learnerId}/gap-analysis-results of another company', () => {
  test('an MSP reads a learner of its child company only with its companyId', async () => {
    const path = pathOf(learnerId('childB', 2));
    const { body } = await get(`${path}?companyId=${companies.childB}`, 'msp');
    expect(body.data).toMatchObject([{ learnerId: learnerId('childB', 2), courseId: gapAnalysis }]);
    expectError(await get(path, 'msp'), 404, 'not_found');
    expectError(await get(`${path}?companyId=${companies.childA}`, 'msp'), 404, 'not_found');
  });

  test('keeps results apart if another company has a learner with the same id', async () => {
    const before = await get(pathOf(two));
    await copyIdsTo('other');
    expect((await get(pathOf(two))).text).toBe(before.text);
    const { body } = await get(pathOf(two), 'other');
    expect(body.data).toMatchObject([{ enrollDate: '2020-01-01', startDate: null }]);
  });

  test('the id of a company or course returns 404', async () => {
    for (const id of [companies.tenant, gapAnalysis]) expectError(await get(pathOf(id)), 404, 'not_found');
  });
});
