/** @jest-environment-options {"DATABASE_POOL_SIZE": "1"} */
import { noProfile, toProfile } from './profile-state.ts';
import { get, post } from '../../support/client.ts';
import {
  companies,
  type CompanyName,
  groupId,
  type KeyName,
  learnerId,
  managedCourses,
  ownCourseId,
} from '../../support/world.ts';
import {
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

const path = '/reports/course-participation';
const { phishing, passwords, gapAnalysis } = managedCourses;
const one = learnerId('tenant', 1);
const two = learnerId('tenant', 2);
const three = learnerId('tenant', 3);
const four = learnerId('tenant', 4);

type Report = { groupTree: any; courses: any[]; learners: any[] };

async function report(key: KeyName = 'tenant', query = ''): Promise<Report> {
  const { status, body } = await get(path + query, key);
  expect(status).toBe(200);
  return body.data;
}

/** Expects the complete report of a company. */
async function expectReport({ learners, ...rest }: Report, company: CompanyName): Promise<void> {
  const { learners: expectedLearners, ...expectedRest } = await expected(company);
  expectSame(learners, expectedLearners);
  expect(rest).toEqual(expectedRest);
}

const names = (all: { name: string }[]): string[] => all.map(({ name }) => name);

/** Builds the complete report from the stored rows. */
async function expected(company: CompanyName): Promise<Report> {
  const values = [companies[company]];
  const [root] = await testService.query('select name from companies where id = $1', values);
  const groups = await testService.query('select id, name from groups where company_id = $1', values);
  const members = await testService.query('select * from group_learners where company_id = $1', values);
  const active = await testService.query('select * from learners where company_id = $1 and not inactive', values);
  const enrolled = (await enrolledIn(company)).filter(({ course }) => course.type === 'training');
  const isActive = new Set(active.map(({ id }) => id));
  const groupsOf = Map.groupBy(members, ({ learner_id }) => learner_id);
  const membersOf = Map.groupBy(members, ({ group_id }) => group_id);
  const resultsOf = Map.groupBy(enrolled, ({ learner }) => learner.id);
  const courses = new Map(enrolled.map(({ course: { type: _type, ...course } }) => [course.id, course]));
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1);
  const children = groups.map(({ id, name }) => {
    const count = (membersOf.get(id) ?? []).filter(({ learner_id }) => isActive.has(learner_id)).length;
    return { id, name: name as string, learnerCount: count, children: [] };
  });
  return {
    groupTree: {
      id: null,
      name: root!.name,
      learnerCount: active.length,
      children: children.sort((a, b) => (a.name < b.name ? -1 : 1)),
    },
    courses: [...courses.values()].sort(byId),
    learners: active
      .map(({ id, first_name, last_name, ...learner }) => ({
        id: id as string,
        name: `${first_name as string} ${last_name as string}`,
        inactive: false,
        groups: (groupsOf.get(id) ?? []).map(({ group_id }) => group_id as string).sort(),
        courseResults: (resultsOf.get(id as string) ?? []).map(({ course, result }) => ({
          courseId: course.id,
          ...result,
        })),
        ...toProfile(learner),
      }))
      .sort(byId),
  };
}

describe('GET /reports/course-participation', () => {
  test('returns the group tree, courses and active learners, with no other fields', async () => {
    const open = { finishDate: null, score: null, grade: null };
    const dates = (enrollDate: string, startDate: string, finishDate: string) => ({
      enrollDate,
      startDate,
      finishDate,
    });
    const [first, second] = [groupId('tenant', 1), groupId('tenant', 2)];
    expect(await report()).toEqual({
      groupTree: {
        id: null,
        name: 'The tenant company',
        learnerCount: 4,
        children: [
          { id: first, name: 'Group 1', learnerCount: 3, children: [] },
          { id: second, name: 'Group 2', learnerCount: 2, children: [] },
        ],
      },
      courses: [
        { id: phishing, name: 'phishing-basics', subject: 'Phishing', difficulty: 1 },
        { id: passwords, name: 'strong-passwords', subject: 'Passwords', difficulty: 2 },
        { id: ownCourseId('tenant'), name: 'own-tenant', subject: 'Own', difficulty: 1 },
      ],
      learners: [
        {
          id: one,
          name: 'Ada tenant',
          inactive: false,
          groups: [first],
          courseResults: [
            { courseId: phishing, ...dates('2026-03-02', '2026-03-03', '2026-03-03'), score: 92.5, grade: 'pass' },
            { courseId: passwords, enrollDate: '2026-03-09', startDate: '2026-03-10', ...open },
          ],
          ...noProfile,
        },
        {
          id: two,
          name: 'Grace tenant',
          inactive: false,
          groups: [first],
          courseResults: [
            { courseId: phishing, ...dates('2026-03-02', '2026-03-05', '2026-03-06'), score: 60, grade: 'fail' },
          ],
          ...noProfile,
        },
        {
          id: three,
          name: 'Katherine tenant',
          inactive: false,
          groups: [first, second],
          courseResults: [
            { courseId: phishing, enrollDate: '2026-03-02', startDate: null, ...open },
            { courseId: ownCourseId('tenant'), enrollDate: '2026-04-01', startDate: '2026-04-02', ...open },
          ],
          ...noProfile,
        },
        { id: four, name: 'Edsger tenant', inactive: false, groups: [second], courseResults: [], ...noProfile },
      ],
    });
  });

  test('counts only active members, which can be zero', async () => {
    const learnerIds = [learnerId('childA', 5)];
    await post(`/groups/${groupId('childA', 2)}/learners/add`, { learnerIds }, 'childA');
    const { id } = (await post('/groups', { name: 'An empty group' }, 'childA')).body.data;
    await post(`/groups/${id}/learners/add`, { learnerIds }, 'childA');
    const { groupTree } = await report('childA');
    expect(groupTree.learnerCount).toBe(4);
    expect(groupTree.children.map((child: any) => child.learnerCount)).toEqual([0, 3, 2]);
  });

  test('orders the groups by name, and the groups of a learner by id', async () => {
    await post('/groups', { name: 'Zebras' }, 'childB');
    const { id } = (await post('/groups', { name: 'Ants' }, 'childB')).body.data;
    const own = [groupId('childB', 1), groupId('childB', 2), id];
    await post(`/groups/${id}/learners/add`, { learnerIds: [learnerId('childB', 3)] }, 'childB');
    const { groupTree, learners } = await report('childB');
    expect(names(groupTree.children)).toEqual(['Ants', 'Group 1', 'Group 2', 'Zebras']);
    expect(learners[2].groups).toEqual(own);
  });

  test('a deactivated learner leaves the report, and returns when activated', async () => {
    const before = await get(path);
    await post('/learners/deactivate', { learnerIds: [three] });
    const { groupTree, learners } = await report();
    expect(learners.map(({ id }) => id)).toEqual([one, two, four]);
    expect(groupTree).toMatchObject({ learnerCount: 3, children: [{ learnerCount: 2 }, { learnerCount: 1 }] });
    await post('/learners/activate', { learnerIds: [three] });
    expect((await get(path)).text).toBe(before.text);
  });

  test('omits courses without enrolments, and always the gap analysis', async () => {
    await testService.query('delete from enrollments where company_id = $1 and course_id = any($2)', [
      companies.msp,
      [passwords, ownCourseId('msp')],
    ]);
    await setResult('msp', learnerId('msp', 4), gapAnalysis, {});
    const { courses, learners } = await report('msp');
    expect(names(courses)).toEqual(['phishing-basics']);
    expect(learners[3]).toMatchObject({ id: learnerId('msp', 4), courseResults: [] });
  });

  test.each([
    [0, false],
    [0.01, false],
    [79.99, false],
    [80, true],
    [100, true],
  ])('a score of %d is exact, and passed is %s', async (score, passed) => {
    const finished = { startDate: '2026-01-02', finishDate: '2026-01-03', score, passed };
    await setResult('msp', learnerId('msp', 1), phishing, finished);
    const { learners } = await report('msp');
    expect(learners[0].courseResults).toMatchObject([{ score, grade: passed ? 'pass' : 'fail' }]);
  });

  test('a company without learners and groups has an empty tree', async () => {
    await emptyOut('directChild');
    expect(await report('directChild')).toEqual({
      groupTree: { id: null, name: 'The directChild company', learnerCount: 0, children: [] },
      courses: [],
      learners: [],
    });
  });

  test('hostile names are returned unchanged', async () => {
    await insertHostileNames('prospect');
    const { groupTree, courses, learners } = await report('prospect');
    expect(groupTree.name).toBe(hostileTexts.join(''));
    expect(names(groupTree.children).sort()).toEqual(['Group 1', 'Group 2', ...hostileTexts].sort());
    expect(courses.slice(-hostileTexts.length)).toMatchObject(
      hostileTexts.map((text) => ({ name: text, subject: text })),
    );
    expect(names(learners).slice(-hostileTexts.length)).toEqual(hostileTexts.map((text) => `${text} ${text}`));
    expect(learners.at(-1)!.groups).toHaveLength(hostileTexts.length);
    expect(learners.at(-1)!.courseResults).toHaveLength(hostileTexts.length);
  });

  test.each([1, 49, 50, 51, 100, 250, 251, 500])('returns exactly %i learners', async (count) => {
    await emptyOut('directChild');
    await testService.query(
      `insert into learners (company_id, id, email, first_name, last_name)
       select $1, gen_random_uuid(), n || '@many.test', 'No', n from generate_series(1, $2::integer) as n`,
      [companies.directChild, count],
    );
    const data = await report('directChild');
    expect(data.learners.length).toBe(count);
    await expectReport(data, 'directChild');
  });

  test('a company that has grown since its first report is still read in time', async () => {
    for (let read = 0; read < 8; read++) await report('strangerMsp');
    await insertManyResults('strangerMsp', 3000, 7);
    expect((await report('strangerMsp')).learners.length).toBe(2576);
  });

  test('is exact for 3,000 learners with ten results each', async () => {
    await testService.query('analyze learners, courses, enrollments');
    const data = await report('strangerMsp');
    expect([data.learners.length, data.learners[4].courseResults.length]).toEqual([2576, 10]);
    await expectReport(data, 'strangerMsp');
  });

  test('is complete and in order for 600 courses, groups and learners', async () => {
    await emptyOut('directChild');
    await testService.query(
      `insert into groups (company_id, id, name)
       select $1, gen_random_uuid(), 'Group ' || lpad(n::text, 4, '0') from generate_series(1, 600) as n`,
      [companies.directChild],
    );
    await insertManyResults('directChild', 700, 600, 5);
    await testService.query(
      `insert into group_learners select company_id, g.id, l.id from groups g join learners l using (company_id)
        where company_id = $1 and right(l.id::text, 2) = '04'`,
      [companies.directChild],
    );
    await testService.query('analyze');
    const data = await report('directChild');
    expect([data.learners.length, data.courses.length, data.groupTree.children.length]).toEqual([600, 603, 600]);
    expect(data.learners[3]).toMatchObject({ groups: { length: 600 }, courseResults: { length: 603 } });
    await expectReport(data, 'directChild');
  });
});

describe('GET /reports/course-participation and other companies', () => {
  test.each([
    ['an MSP', 'msp', 'childB'],
    ['a distributor', 'distributor', 'childA'],
    ['a tenant itself', 'other', 'other'],
  ] as const)('%s reads only the named company', async (_case, key, company) => {
    const query = `?companyId=${companies[company]}`;
    expect(await report(key, query)).toEqual(await expected(company));
    await expectNothingForeign((await get(path + query, key)).text, company);
  });

  test('a distributor without companyId reads its own company', async () => {
    const data = await report('distributor');
    expect(data.groupTree).toMatchObject({ name: 'The distributor company', learnerCount: 4 });
    expect(data).toEqual(await expected('distributor'));
  });

  test('the same ids in another company change nothing', async () => {
    const before = await get(path);
    await copyIdsTo('other');
    expect((await get(path)).text).toBe(before.text);
    await expectNothingForeign(before.text, 'tenant');
    expect(await report('other')).toEqual(await expected('other'));
  });
});
