import { noProfile } from './profile-state.ts';
import { type Answer, call, get, post } from '../../support/client.ts';
import { companies, type CompanyName, learnerId, managedCourses, ownCourseId } from '../../support/world.ts';
import { insertLearners } from '../tenant-state.ts';
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
const path = '/reports/course-results';
const { phishing, passwords, gapAnalysis } = managedCourses;

async function expected(company: CompanyName): Promise<object[]> {
  const enrolled = await enrolledIn(company);
  return enrolled
    .filter(({ learner, course }) => !learner.inactive && course.type === 'training')
    .map((each) => asReportedResult(each));
}

const pairsOf = ({ body }: Answer): string[][] =>
  body.data.map(({ learnerId, courseId }: { learnerId: string; courseId: string }) => [learnerId, courseId]);

describe('GET /reports/course-results', () => {
  test('lists the training of active learners by learner and course, with no other fields', async () => {
    const { status, body } = await get(path);
    expect(status).toBe(200);
    const learner = {
      id: learnerId('tenant', 1),
      name: 'Ada tenant',
      email: 'learner1@tenant.test',
      externalLearnerId: 'HR-1',
      inactive: false,
      ...noProfile,
    };
    expect(body.data.slice(0, 2)).toEqual([
      {
        learnerId: learner.id,
        courseId: phishing,
        ...firstAttempt,
        enrollDate: '2026-03-02',
        startDate: '2026-03-03',
        finishDate: '2026-03-03',
        score: 92.5,
        grade: 'pass',
        course: { id: phishing, name: 'phishing-basics', difficulty: 1 },
        learner,
      },
      {
        learnerId: learner.id,
        courseId: passwords,
        ...firstAttempt,
        enrollDate: '2026-03-09',
        startDate: '2026-03-10',
        finishDate: null,
        score: null,
        grade: null,
        course: { id: passwords, name: 'strong-passwords', difficulty: 2 },
        learner,
      },
    ]);
    expect(body.data.slice(2)).toMatchObject([
      { learnerId: learnerId('tenant', 2), courseId: phishing, score: 60, grade: 'fail' },
      { learnerId: learnerId('tenant', 3), courseId: phishing, startDate: null, score: null, grade: null },
      { learnerId: learnerId('tenant', 3), courseId: ownCourseId('tenant'), startDate: '2026-04-02', grade: null },
    ]);
    expect(body.data).toHaveLength(5);
  });

  test('a learner without an external id has null for it', async () => {
    await setResult('childA', learnerId('childA', 4), phishing, {});
    const { body } = await get(path, 'childA');
    expect(body.data.at(-1)).toMatchObject({ learner: { id: learnerId('childA', 4), externalLearnerId: null } });
  });

  test('a deactivated learner leaves the report, and returns when activated', async () => {
    const before = await get(path);
    const learnerIds = [learnerId('tenant', 1)];
    await post('/learners/deactivate', { learnerIds });
    expect(pairsOf(await get(path))).toEqual(pairsOf(before).slice(2));
    await post('/learners/activate', { learnerIds });
    expect((await get(path)).text).toBe(before.text);
  });

  test('the order is by id, regardless of dates', async () => {
    await setResult('childB', learnerId('childB', 1), passwords, { enrollDate: '2020-01-01' });
    await setResult('childB', learnerId('childB', 4), ownCourseId('childB'), { enrollDate: '2019-01-01' });
    await setResult('childB', learnerId('childB', 4), phishing, { enrollDate: '2029-01-01' });
    const pairs = pairsOf(await get(path, 'childB'));
    expect(pairs).toEqual(pairs.toSorted((a, b) => (a.join() < b.join() ? -1 : 1)));
    expect(pairs).toHaveLength(7);
  });

  test.each([0, 0.01, 33.33, 66.67, 99.99, 100])('a score of %d is exact', async (score) => {
    const finished = { startDate: '2026-01-02', finishDate: '2026-02-28', score, passed: true };
    await setResult('childA', learnerId('childA', 1), phishing, finished);
    const { body } = await get(path, 'childA');
    expect(body.data[0]).toMatchObject({ score, grade: score < 80 ? 'fail' : 'pass', finishDate: '2026-02-28' });
  });

  test('a company without enrolments has an empty list', async () => {
    await emptyOut('directChild');
    expect((await get(path, 'directChild')).text).toBe('{"data":[]}');
  });

  test('hostile names, identifiers and courses are returned unchanged', async () => {
    await insertHostileNames('prospect');
    const { body } = await get(path, 'prospect');
    expect(body.data).toEqual(await expected('prospect'));
    const hostile = body.data.filter((row: any) => row.learnerId.startsWith('0192d'));
    expect(hostile).toHaveLength(hostileTexts.length ** 2);
    expect(hostile.map((row: any) => [row.learner.name, row.learner.externalLearnerId, row.course.name])).toEqual(
      hostileTexts.flatMap((text) => hostileTexts.map((course) => [`${text} ${text}`, text, course])),
    );
  });

  test('30,000 results of 3,000 learners are exact', async () => {
    await insertManyResults('strangerMsp', 3000, 7);
    const { body } = await get(path, 'strangerMsp');
    const rows = await expected('strangerMsp');
    expect(rows.length).toBeGreaterThan(25_000);
    expectSame(body.data, rows);
  });

  test.each([1, 249, 250, 251, 500, 501])('lists exactly %i results', async (count) => {
    await emptyOut('directChild');
    await insertLearners('directChild', count);
    await testService.query('update learners set inactive = false where company_id = $1', [companies.directChild]);
    await testService.query(
      `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
       select company_id, id, $2, managed_catalogue(), '2026-01-01' from learners where company_id = $1
        order by id limit $3`,
      [companies.directChild, phishing, count],
    );
    const answer = await get(path, 'directChild');
    expect(answer.body.data).toHaveLength(count);
    expect(answer.body.data).toEqual(await expected('directChild'));
    expect((await call('directChild', 'HEAD', path)).text).toBe('');
  });
});

describe('GET /reports/course-results and other companies', () => {
  test.each([
    ['an MSP', 'msp', 'childB'],
    ['a distributor', 'distributor', 'childA'],
    ['a tenant itself', 'other', 'other'],
  ] as const)('%s reads only the named company', async (_case, key, company) => {
    const answer = await get(`${path}?companyId=${companies[company]}`, key);
    expect(answer.body.data).toEqual(await expected(company));
    await expectNothingForeign(answer.text, company);
  });

  test('an MSP without companyId reads only its own company', async () => {
    const answer = await get(path, 'msp');
    expect(answer.body.data).toEqual(await expected('msp'));
    await expectNothingForeign(answer.text, 'msp');
  });

  test('the same ids in another company change nothing', async () => {
    const before = await get(path);
    await copyIdsTo('other');
    const after = await get(path);
    expect(after.text).toBe(before.text);
    await expectNothingForeign(after.text, 'tenant');
    expect(after.text).not.toContain(gapAnalysis);
    expect((await get(path, 'other')).body.data).toEqual(await expected('other'));
  });
});
