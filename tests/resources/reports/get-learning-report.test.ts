import { noProfile } from './profile-state.ts';
import { expectError, get, post } from '../../support/client.ts';
import {
  companies,
  type CompanyName,
  groupId,
  type KeyName,
  learnerId,
  managedCourses,
  ownCourseId,
  unknownId,
} from '../../support/world.ts';
import {
  asLearningReport,
  copyIdsTo,
  emptyOut,
  type Enrolled,
  enrolledIn,
  expectNothingForeign,
  expectSame,
  hostileTexts,
  insertHostileNames,
  insertManyResults,
  setResult,
} from './report-state.ts';

const path = '/reports/learning';
const { phishing, passwords, gapAnalysis } = managedCourses;
const one = learnerId('tenant', 1);
const two = learnerId('tenant', 2);
const three = learnerId('tenant', 3);
const four = learnerId('tenant', 4);
const five = learnerId('tenant', 5);
const nobody = {
  learnerCount: 0,
  enrollmentCount: 0,
  startedCount: 0,
  finishedCount: 0,
  passedCount: 0,
  averageScore: null,
};

async function report(
  query = '',
  key: KeyName = 'tenant',
): Promise<{ generatedAt: string; summary: any; rows: any[] }> {
  const { status, body } = await get(path + query, key);
  expect(status).toBe(200);
  return body.data;
}

const pairs = (rows: any[]): string[][] => rows.map((row) => [row.learnerId, row.courseId]);
const inReport = ({ learner, course }: Enrolled): boolean => !learner.inactive && course.type === 'training';

/** Expects the complete report of a company, and returns its rows. */
async function expectReport(company: CompanyName, query: string, key: KeyName): Promise<any[]> {
  const askedAt = Date.now();
  const { generatedAt, ...data } = await report(query, key);
  expect(Date.parse(generatedAt)).toBeGreaterThanOrEqual(askedAt);
  const expected = asLearningReport((await enrolledIn(company)).filter(inReport));
  expectSame(data.rows, expected.rows);
  expect(data.summary).toEqual(expected.summary);
  return data.rows;
}

describe('GET /reports/learning', () => {
  test('returns totals and one row per training of an active learner, by learner and course', async () => {
    const { summary, rows } = await report();
    expect(summary).toEqual({
      learnerCount: 3,
      enrollmentCount: 5,
      startedCount: 4,
      finishedCount: 2,
      passedCount: 1,
      averageScore: 76.25,
    });
    expect(rows[0]).toEqual({
      learnerId: one,
      learnerName: 'Ada tenant',
      learnerEmail: 'learner1@tenant.test',
      externalLearnerId: 'HR-1',
      inactive: false,
      groups: [{ id: groupId('tenant', 1), name: 'Group 1' }],
      courseId: phishing,
      courseName: 'phishing-basics',
      ...{ status: 'finished', attempt: 1, attempts: 1 },
      enrollDate: '2026-03-02',
      startDate: '2026-03-03',
      finishDate: '2026-03-03',
      score: 92.5,
      ...{ grade: 'pass', ...noProfile },
    });
    expect(rows.slice(1)).toMatchObject([
      { learnerId: one, courseId: passwords, status: 'in_progress', finishDate: null, score: null, grade: null },
      { learnerId: two, courseId: phishing, status: 'finished', score: 60, grade: 'fail' },
      { learnerId: three, courseId: phishing, status: 'not_started', startDate: null, grade: null },
      { learnerId: three, courseId: ownCourseId('tenant'), status: 'in_progress', startDate: '2026-04-02' },
    ]);
    expect(rows).toHaveLength(5);
  });

  test('returns the time at which it was generated', async () => {
    const before = Date.now();
    const { generatedAt } = await report();
    expect(generatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(generatedAt)).toBeGreaterThanOrEqual(before - 1000);
    expect(Date.parse(generatedAt)).toBeLessThanOrEqual(Date.now() + 1000);
  });

  test('a deactivated learner leaves rows and totals', async () => {
    await post('/learners/deactivate', { learnerIds: [one] });
    const { summary, rows } = await report();
    expect(pairs(rows)).toEqual([
      [two, phishing],
      [three, phishing],
      [three, ownCourseId('tenant')],
    ]);
    expect(summary).toMatchObject({ learnerCount: 2, enrollmentCount: 3, passedCount: 0, averageScore: 60 });
    await post('/learners/activate', { learnerIds: [one] });
  });

  test('a company without enrolments has no rows and empty totals', async () => {
    await emptyOut('directChild');
    expect(await report('', 'directChild')).toMatchObject({ summary: nobody, rows: [] });
  });

  test.each([
    ['without finished courses is null', [undefined, undefined], null],
    ['of zeros is zero', [0, 0], 0],
    ['of one score is that score', [33.33], 33.33],
    ['of full scores is 100', [100, 100, 100], 100],
    ['excludes unfinished courses', [50, undefined, undefined], 50],
    ['is rounded down to two decimals', [33.33, 33.33, 33.34], 33.33],
    ['is rounded up to two decimals', [66.66, 66.67, 66.67], 66.67],
    ['halfway between two decimals is rounded up', [0.01, 0.02], 0.02],
    ['of thirds is rounded', [100, 0, 0], 33.33],
  ])('the average %s', async (_case, scores, averageScore) => {
    await testService.query('delete from enrollments where company_id = $1', [companies.childA]);
    for (const [index, score] of scores.entries()) {
      const finished = { startDate: '2026-01-02', finishDate: '2026-01-02', score, passed: false };
      const learner = learnerId('childA', (index + 1) as 1 | 2 | 3);
      await setResult('childA', learner, phishing, score === undefined ? {} : finished);
    }
    expect((await report('', 'childA')).summary).toMatchObject({ averageScore, enrollmentCount: scores.length });
  });

  test('the grade given at the finish is kept when the pass mark changes', async () => {
    const finished = { startDate: '2026-01-02', finishDate: '2026-01-02' };
    await setResult('childB', learnerId('childB', 1), phishing, { ...finished, score: 100, passed: true });
    await setResult('childB', learnerId('childB', 2), phishing, { ...finished, score: 1, passed: false });
    await testService.query('update courses set pass_mark = 0 where id = $1', [phishing]);
    const { summary, rows } = await report(`?courseId=${phishing}`, 'childB');
    await testService.query('update courses set pass_mark = 80 where id = $1', [phishing]);
    expect(summary).toMatchObject({ passedCount: 1, averageScore: 50.5 });
    expect(rows.map(({ grade }) => grade)).toEqual(['pass', 'fail', null]);
  });

  test('hostile names are returned unchanged', async () => {
    await insertHostileNames('prospect');
    const rows = await expectReport('prospect', '', 'prospect');
    const hostile = rows.filter((row) => row.learnerId.startsWith('0192d'));
    expect(hostile.map((row) => [row.learnerName, row.courseName])).toEqual(
      hostileTexts.flatMap((text) => hostileTexts.map((course) => [`${text} ${text}`, course])),
    );
  });

  test('the totals and 25,000 rows of 3,000 learners are exact', async () => {
    await insertManyResults('strangerMsp', 3000, 7);
    expect((await expectReport('strangerMsp', '', 'strangerMsp')).length).toBeGreaterThan(25_000);
  });

  test.each([1, 249, 250, 251, 499, 500, 501])('returns exactly %i rows', async (count) => {
    await emptyOut('directChild');
    await testService.query(
      `insert into learners (company_id, id, email, first_name, last_name)
       select $1, gen_random_uuid(), n || '@many.test', 'No', n from generate_series(1, $2::integer) as n`,
      [companies.directChild, count],
    );
    await testService.query(
      `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
       select company_id, id, $2, managed_catalogue(), '2026-01-01' from learners where company_id = $1`,
      [companies.directChild, phishing],
    );
    expect(await expectReport('directChild', '', 'directChild')).toHaveLength(count);
  });
});

describe('GET /reports/learning of a learner or a course', () => {
  beforeAll(async () => {
    await setResult('tenant', five, gapAnalysis, { startDate: '2026-01-05' });
  });

  test.each<[string, string, [string, string][]]>([
    [
      'a learner',
      `learnerId=${one}`,
      [
        [one, phishing],
        [one, passwords],
      ],
    ],
    ['a learner, without the gap analysis', `learnerId=${two}`, [[two, phishing]]],
    ['a learner with nothing', `learnerId=${four}`, []],
    ['an inactive learner, without the gap analysis', `learnerId=${five}`, [[five, phishing]]],
    ['a course, without inactive learners', `courseId=${phishing}`, [one, two, three].map((id) => [id, phishing])],
    ['an own course', `courseId=${ownCourseId('tenant')}`, [[three, ownCourseId('tenant')]]],
    ['the gap analysis, without inactive learners', `courseId=${gapAnalysis}`, [[two, gapAnalysis]]],
    ['both', `learnerId=${one}&courseId=${passwords}`, [[one, passwords]]],
    ['both in the other order', `courseId=${passwords}&learnerId=${one}`, [[one, passwords]]],
    ['both, without an enrolment', `learnerId=${two}&courseId=${passwords}`, []],
    ['a learner and the gap analysis', `learnerId=${two}&courseId=${gapAnalysis}`, [[two, gapAnalysis]]],
    ['an inactive learner and the gap analysis', `learnerId=${five}&courseId=${gapAnalysis}`, [[five, gapAnalysis]]],
    ['an inactive learner and a course', `learnerId=${five}&courseId=${phishing}`, [[five, phishing]]],
  ])('%s limits rows and totals', async (_case, query, wanted) => {
    const { summary, rows } = await report(`?${query}`);
    expect(pairs(rows)).toEqual(wanted);
    const enrolled = await enrolledIn('tenant');
    const isWanted = ({ learner, course }: Enrolled): boolean =>
      wanted.some(([wantedLearner, wantedCourse]) => learner.id === wantedLearner && course.id === wantedCourse);
    expect({ summary, rows }).toEqual(asLearningReport(enrolled.filter(isWanted)));
    if (wanted.length === 0) expect(summary).toEqual(nobody);
  });

  test('a course without enrolments has no rows', async () => {
    await testService.query('delete from enrollments where company_id = $1', [companies.msp]);
    expect(await report(`?courseId=${passwords}`, 'msp')).toMatchObject({ summary: nobody, rows: [] });
  });

  test.each([
    ['an unknown learner', 'learner', `learnerId=${unknownId}`],
    ['a learner of another company', 'learner', `learnerId=${learnerId('other', 1)}`],
    ['a group as the learner', 'learner', `learnerId=${groupId('tenant', 1)}`],
    ['a course as the learner', 'learner', `learnerId=${phishing}`],
    ['an unknown course', 'course', `courseId=${unknownId}`],
    ['a custom course of another company', 'course', `courseId=${ownCourseId('other')}`],
    ['a learner as the course', 'course', `courseId=${one}`],
    ['the nil UUID', 'course', 'courseId=00000000-0000-0000-0000-000000000000'],
    ['an unknown learner with a known course', 'learner', `learnerId=${unknownId}&courseId=${phishing}`],
    ['a known learner with an unknown course', 'course', `learnerId=${one}&courseId=${unknownId}`],
    [
      'a learner and a course of another company',
      '',
      `learnerId=${learnerId('other', 3)}&courseId=${ownCourseId('other')}`,
    ],
  ])('%s returns 404', async (_case, thing, query) => {
    const answer = await get(`${path}?${query}`);
    expectError(answer, 404, 'not_found');
    expect(answer.body.error!.message).toMatch(new RegExp(`${thing} not found`, 'i'));
  });

  describe.each(['learnerId', 'courseId'])('%s', (name) => {
    test.each([
      '',
      'nonsense',
      one.toUpperCase().replace('A', 'G'),
      `{${one}}`,
      `%20${one}`,
      '%00',
      `${one}&${name}=${two}`,
      '7',
      'null',
    ])('rejects "%s" with 400 naming the parameter', async (value) => {
      expectError(await get(`${path}?${name}=${value}`), 400, 'invalid_request', [`query/${name}`]);
    });
  });
});

describe('GET /reports/learning and other companies', () => {
  test.each([
    ['an MSP', 'msp', 'childB'],
    ['a distributor', 'distributor', 'childA'],
    ['a tenant itself', 'other', 'other'],
  ] as const)('%s reads only the named company', async (_case, key, company) => {
    await expectReport(company, `?companyId=${companies[company]}`, key);
    await expectNothingForeign((await get(`${path}?companyId=${companies[company]}`, key)).text, company);
  });

  test("the ids that filter a child's report must be ids of the child", async () => {
    const ofChild = `?companyId=${companies.childB}`;
    const learner = learnerId('childB', 3);
    const { rows } = await report(`${ofChild}&learnerId=${learner}&courseId=${ownCourseId('childB')}`, 'msp');
    expect(pairs(rows)).toEqual([[learner, ownCourseId('childB')]]);
    for (const query of [`learnerId=${learnerId('msp', 1)}`, `courseId=${ownCourseId('msp')}`]) {
      expectError(await get(`${path}${ofChild}&${query}`, 'msp'), 404, 'not_found');
      expect((await get(`${path}?${query}`, 'msp')).status).toBe(200);
    }
    expectError(await get(`${path}?learnerId=${learner}`, 'msp'), 404, 'not_found');
  });

  test('the same ids in another company change nothing', async () => {
    const [all, ofOne] = [await report(), await report(`?learnerId=${one}`)];
    await copyIdsTo('other');
    expect(await report()).toEqual({ ...all, generatedAt: expect.any(String) });
    expect(await report(`?learnerId=${one}`)).toEqual({ ...ofOne, generatedAt: expect.any(String) });
    expect((await report(`?learnerId=${one}`, 'other')).rows).toMatchObject([
      { courseId: phishing, enrollDate: '2020-01-01', learnerName: 'Copied Learner' },
      { courseId: passwords, enrollDate: '2020-01-01', status: 'not_started' },
    ]);
  });
});
