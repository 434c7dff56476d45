/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { expectError, get, post } from '../../support/client.ts';
import { groupId, learnerId, managedCourses, unknownId } from '../../support/world.ts';
import { insertLearners } from '../tenant-state.ts';
import { type AttemptFilter, attemptsIn, insertAttempts } from './attempt-state.ts';
import { asLearningReport, asReportedResult, type Enrolled, expectSame } from './report-state.ts';

const { phishing, passwords, gapAnalysis } = managedCourses;
const COMPANY = 'other';
const GROUP = groupId(COMPANY, 1);

const PERIODS: AttemptFilter[] = [
  {},
  { from: '2025-01-01', to: '2025-12-31' },
  { from: '2025-03-10', to: '2025-03-10' },
  { from: '2026-02-01' },
  { to: '2024-12-31' },
  { to: '1999-12-31' },
  { from: '2999-01-01' },
  { from: '1900-01-01', to: '2999-12-31' },
];
const CASES = PERIODS.flatMap((period) =>
  [undefined, 'latest', 'newest', 'best', 'all'].map((attempts) => ({ ...period, ...(attempts && { attempts }) })),
);

const ask = async (path: string, filter: object) => {
  const { status, body } = await get(`${path}?${new URLSearchParams({ ...filter }).toString()}`, COMPANY);
  expect(status).toBe(200);
  return body.data;
};
const isActive = ({ learner }: Enrolled): boolean => !learner.inactive;
const isTraining = ({ course }: Enrolled): boolean => course.type === 'training';
const isMember = ({ learner }: Enrolled): boolean =>
  learner.groups.some((group) => (group as { id: string }).id === GROUP);

beforeAll(async () => {
  await insertLearners(COMPANY, 60);
  await insertAttempts(COMPANY);
  await testService.query(
    `insert into group_learners
     select g.company_id, g.id, l.id from groups g join learners l using (company_id)
      where g.id = $1 and hashtext(l.id::text) % 3 = 0
     on conflict do nothing`,
    [GROUP],
  );
});

describe.each(CASES)('with %j', (filter) => {
  test('the course results have exactly the attempts of the period', async () => {
    const expected = (await attemptsIn(COMPANY, filter)).filter(isTraining);
    expectSame(await ask('/reports/course-results', filter), expected.filter(isActive).map(asReportedResult));
    expectSame(
      await ask('/reports/course-results', { ...filter, includeInactive: true }),
      expected.map(asReportedResult),
    );
    const members = expected.filter(isActive).filter(isMember);
    expectSame(await ask('/reports/course-results', { ...filter, groupId: GROUP }), members.map(asReportedResult));
  });

  test('the gap-analysis results have exactly the attempts of the period', async () => {
    const expected = (await attemptsIn(COMPANY, filter)).filter((one) => isActive(one) && !isTraining(one));
    expectSame(await ask('/reports/gap-analysis-results', filter), expected.map(asReportedResult));
  });

  test('the participation report has the same attempts, and members without results', async () => {
    const expected = (await attemptsIn(COMPANY, filter)).filter(isTraining);
    const participants = async (more: object) => {
      const { learners } = await ask('/reports/course-participation', { ...filter, ...more });
      return learners.map(({ id, courseResults }: any) => [id, courseResults]);
    };
    const people = await testService.query(
      `select l.id, exists (select from group_learners g where g.learner_id = l.id and g.group_id = $1) as member
         from learners l join groups on groups.company_id = l.company_id and groups.id = $1
        where not inactive order by l.id`,
      [GROUP],
    );
    const withResults = (of: typeof people) =>
      of.map(({ id }) => {
        const own = expected.filter(({ learner }) => learner.id === id);
        return [id, own.map(({ course, result }) => ({ courseId: course.id, ...result }))];
      });
    expect(await participants({})).toEqual(withResults(people));
    expect(await participants({ groupId: GROUP })).toEqual(withResults(people.filter(({ member }) => member)));
  });

  test('the learning report has the same attempts, and its totals count them', async () => {
    const active = (await attemptsIn(COMPANY, filter)).filter(isActive);
    const training = active.filter(isTraining);
    const [{ learner }] =
      training.length > 0 ? training : active.length > 0 ? active : [{ learner: { id: learnerId(COMPANY, 1) } }];
    const narrowed: [object, Enrolled[]][] = [
      [{}, training],
      [{ courseId: passwords }, training.filter(({ course }) => course.id === passwords)],
      [{ courseId: gapAnalysis }, active.filter((one) => !isTraining(one))],
      [{ groupId: GROUP }, training.filter(isMember)],
      [
        { groupId: GROUP, courseId: phishing },
        training.filter(isMember).filter(({ course }) => course.id === phishing),
      ],
      [{ learnerId: learner.id }, training.filter((one) => one.learner.id === learner.id)],
      [{ status: 'finished' }, training.filter(({ result }) => result.finishDate !== null)],
    ];
    for (const [more, rows] of narrowed) {
      const expected = asLearningReport(rows);
      const found = await ask('/reports/learning', { ...filter, ...more });
      expectSame(found.rows, expected.rows);
      expect(found.summary.enrollmentCount).toBe(rows.length);
      expect(found.summary.learnerCount).toBe(new Set(rows.map((row) => row.learner.id)).size);
      expect(found.summary.passedCount).toBe(rows.filter(({ result }) => result.grade === 'pass').length);
    }
  });
});

test('pages of all attempts, joined, equal the report', async () => {
  const filter = { attempts: 'all', from: '2024-06-01', to: '2026-06-01' };
  for (const path of ['/reports/course-results', '/reports/learning'] as const) {
    const rowsOf = (data: any): unknown[] => (Array.isArray(data) ? data : data.rows);
    const whole = rowsOf(await ask(path, filter));
    const pages: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = new URLSearchParams({ ...filter, limit: '7', ...(cursor && { cursor }) }).toString();
      const { body } = await get(`${path}?${query}`, COMPANY);
      pages.push(...rowsOf(body.data));
      cursor = (body as unknown as { page: { nextCursor: string | null } }).page.nextCursor;
    }
    expect(whole.length).toBeGreaterThan(50);
    expect(pages).toEqual(whole);
  }
});

describe('a learner', () => {
  test.each(['latest', 'newest', 'best', 'all'])('has the %s attempts in the list of the learner', async (attempts) => {
    const all = await attemptsIn(COMPANY, { attempts });
    const { id } = all.find(({ attempt }) => attempt.attempts > 2)!.learner;
    const expected = all.filter((one) => one.learner.id === id && isTraining(one));
    const found = await ask(`/learners/${id}/course-results`, { attempts });
    const ids = (rows: { attemptId: string }[]) => rows.map(({ attemptId }) => attemptId).toSorted();
    expect(ids(found)).toEqual(ids(expected.map(({ attempt }) => attempt)));
  });
});

describe('the results of a past year', () => {
  const learners = [1, 2, 3].map((n) => learnerId('tenant', n as 1));
  const year = '?from=2025-01-01&to=2025-12-31';
  const paths = ['course-results', 'course-results&attempts=all', 'learning'].map((path) => {
    const [report, more = ''] = path.split('&');
    return `/reports/${report}${year}${more && `&${more}`}`;
  });
  const read = () =>
    Promise.all(paths.map(async (path) => ({ ...(await get(path)).body.data, generatedAt: undefined })));

  test('are the same after everybody is enrolled again and finishes again', async () => {
    const results = learners.map((id, n) => ({
      ...{ eventId: `2025-${n}`, learner: { id }, course: { id: passwords } },
      ...{ startedAt: `2025-0${n + 3}-01T09:00:00Z`, finishedAt: `2025-0${n + 3}-02T09:00:00Z`, score: 70 + n * 10 },
    }));
    await post('/course-results', { results });
    const before = await read();
    expect(before[0]![2]).toMatchObject({ attempt: 1, grade: 'pass' });
    await post('/course-enrollments', { learnerIds: learners, courseIds: [passwords] });
    expect(await read()).toEqual(before);
    const now = new Date().toISOString();
    const again = results.map((result) => ({
      ...result,
      eventId: `again-${result.eventId}`,
      startedAt: now,
      finishedAt: now,
    }));
    await post('/course-results', { results: again });
    expect(await read()).toEqual(before);
  });
});

describe('a period or group is rejected', () => {
  const paths = ['course-results', 'gap-analysis-results', 'learning', 'course-participation'].map(
    (report) => `/reports/${report}`,
  );

  test.each(paths)('by %s if the period ends before it begins', async (path) => {
    const answer = await get(`${path}?from=2025-01-02&to=2025-01-01`);
    expectError(answer, 400, 'invalid_request', ['query/from']);
  });

  test.each(paths)('by %s if a day does not exist', async (path) => {
    for (const day of ['2025-02-29', '2026-13-01', '0999-12-31', 'today', '']) {
      expectError(await get(`${path}?from=${day}`), 400, 'invalid_request', ['query/from']);
      expectError(await get(`${path}?to=${day}`), 400, 'invalid_request', ['query/to']);
    }
    expect((await get(`${path}?from=2024-02-29&to=2024-02-29`)).status).toBe(200);
  });

  test.each(paths)('by %s if the company has no such group', async (path) => {
    for (const id of [unknownId, groupId('childA', 1)])
      expectError(await get(`${path}?groupId=${id}`), 404, 'not_found');
  });

  test.each(paths)('by %s if the attempts are unknown', async (path) => {
    expectError(await get(`${path}?attempts=first`), 400, 'invalid_request', ['query/attempts']);
  });
});
