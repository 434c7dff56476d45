import { noProfile } from './profile-state.ts';
import { type Answer, get, post } from '../../support/client.ts';
import { companies, type CompanyName, learnerId, managedCourses } from '../../support/world.ts';
import {
  asReportedResult,
  copyIdsTo,
  emptyOut,
  enrolledIn,
  expectNothingForeign,
  expectSame,
  hostileTexts,
  insertHostileNames,
  insertManyResults,
  setResult,
} from './report-state.ts';

const unmailed = { askedAt: null, remindedAt: null, mailFailedAt: null };
const firstAttempt = { attemptId: expect.any(String), attempt: 1, attempts: 1, ...unmailed };
const path = '/reports/gap-analysis-results';
const { gapAnalysis } = managedCourses;
const idsOf = ({ body }: Answer): string[] => body.data.map((row: { learnerId: string }) => row.learnerId);

async function expected(company: CompanyName): Promise<object[]> {
  const enrolled = await enrolledIn(company);
  return enrolled
    .filter(({ learner, course }) => !learner.inactive && course.id === gapAnalysis)
    .map((each) => asReportedResult(each));
}

describe('GET /reports/gap-analysis-results', () => {
  test('lists only the gap analysis, with the learner and no other fields', async () => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        learnerId: learnerId('tenant', 2),
        courseId: gapAnalysis,
        ...firstAttempt,
        enrollDate: '2026-02-01',
        startDate: '2026-02-02',
        finishDate: '2026-02-03',
        score: 71.25,
        grade: 'fail',
        course: { id: gapAnalysis, name: 'gap-analysis', difficulty: 1 },
        learner: {
          id: learnerId('tenant', 2),
          name: 'Grace tenant',
          email: 'learner2@tenant.test',
          externalLearnerId: 'HR-2',
          inactive: false,
          ...noProfile,
        },
      },
    ]);
  });

  test('lists only active learners, by id regardless of dates', async () => {
    await setResult('childA', learnerId('childA', 4), gapAnalysis, { enrollDate: '2019-01-01' });
    await setResult('childA', learnerId('childA', 1), gapAnalysis, { enrollDate: '2029-01-01' });
    await setResult('childA', learnerId('childA', 5), gapAnalysis, {});
    const answer = await get(path, 'childA');
    expect(idsOf(answer)).toEqual(([1, 2, 4] as const).map((n) => learnerId('childA', n)));
    const nothing = { startDate: null, finishDate: null, score: null, grade: null };
    expect(answer.body.data[2]).toMatchObject({ enrollDate: '2019-01-01', ...nothing });
    expect(answer.body.data[2].learner.externalLearnerId).toBeNull();
  });

  test('a deactivated learner leaves the report, and returns when activated', async () => {
    const learnerIds = [learnerId('tenant', 2)];
    await post('/learners/deactivate', { learnerIds });
    expect((await get(path)).text).toBe('{"data":[]}');
    await post('/learners/activate', { learnerIds });
    expect(idsOf(await get(path))).toEqual(learnerIds);
  });

  test.each([
    [0, false],
    [0.01, false],
    [79.99, false],
    [80, true],
    [100, true],
  ])('a score of %d is exact, and passed is %s', async (score, passed) => {
    const finished = { startDate: '2026-01-02', finishDate: '2026-01-03', score, passed };
    await setResult('childB', learnerId('childB', 2), gapAnalysis, finished);
    expect((await get(path, 'childB')).body.data).toMatchObject([{ score, grade: passed ? 'pass' : 'fail' }]);
  });

  test('a company without learners has an empty list', async () => {
    await emptyOut('directChild');
    expect((await get(path, 'directChild')).text).toBe('{"data":[]}');
  });

  test('hostile names, identifiers and course names are returned unchanged', async () => {
    const courseName = hostileTexts.join('');
    await testService.query('update courses set name = $2 where id = $1', [gapAnalysis, courseName]);
    await insertHostileNames('prospect');
    await insertManyResults('prospect', 1, 0);
    const { body } = await get(path, 'prospect');
    await testService.query(`update courses set name = 'gap-analysis' where id = $1`, [gapAnalysis]);
    const hostile = body.data.filter((row: any) => row.learnerId.startsWith('0192d'));
    expect(hostile.map((row: any) => [row.learner.name, row.learner.externalLearnerId, row.course.name])).toEqual(
      hostileTexts.map((text) => [`${text} ${text}`, text, courseName]),
    );
  });

  test('the results of 3,000 learners are exact', async () => {
    await insertManyResults('strangerMsp', 3000, 1);
    const { body } = await get(path, 'strangerMsp');
    const rows = await expected('strangerMsp');
    expect(rows.length).toBe(2576);
    expectSame(body.data, rows);
  });
});

describe('GET /reports/gap-analysis-results and other companies', () => {
  test.each([
    ['an MSP', 'msp', 'childA'],
    ['a distributor', 'distributor', 'childB'],
    ['a tenant itself', 'other', 'other'],
  ] as const)('%s reads only the named company', async (_case, key, company) => {
    const answer = await get(`${path}?companyId=${companies[company]}`, key);
    expect(answer.body.data).toEqual(await expected(company));
    expect(answer.body.data.length).toBeGreaterThan(0);
    await expectNothingForeign(answer.text, company);
  });

  test('an MSP without companyId reads only its own company', async () => {
    expect(idsOf(await get(path, 'msp'))).toEqual([learnerId('msp', 2)]);
  });

  test('the same ids in another company change nothing', async () => {
    const before = await get(path);
    await copyIdsTo('other');
    expect((await get(path)).text).toBe(before.text);
    expect((await get(path, 'other')).body.data).toEqual(await expected('other'));
  });
});
