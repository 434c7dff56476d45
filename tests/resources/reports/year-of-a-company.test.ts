import { get } from '../../support/client.ts';
import { companies, managedCourses, ownCourseId } from '../../support/world.ts';
import { run } from '../risk/risk-state.ts';
import { derive, external, ids, LEARNERS, liveAYear, policies } from './year-state.ts';

beforeAll(liveAYear);

// The newest attempt of each learner at each course. The attempt is open if it began after the last finish.
const NEWEST = `
  pairs as (
    select n, target, count(finished) as finishes, max(finished) as last_finish,
           (array_agg(score order by finished desc) filter (where finished is not null))[1] as last_score,
           max(started) filter (where finished is null) as last_start
      from told where kind = 'result' group by n, target),
  newest as (
    select n, target, coalesce(last_start > last_finish, finishes = 0) as open,
           finishes + coalesce(last_start > last_finish, finishes = 0)::integer as attempts, last_score, last_start
      from pairs)`;

const TRAINING = `target <> '${managedCourses.gapAnalysis}'`;

/** Each training enrolment, and whether it was started; the company's own course was not. */
const ENROLLED = `
  enrolled as (
    select n, true as begun, case when not open then last_score end as score from newest where ${TRAINING}
     union all select n, false, null from generate_series(0, 99) as n)`;

const COUNTS = `count(*)::integer as "enrollmentCount", (count(*) filter (where begun))::integer as "startedCount",
                count(score)::integer as "finishedCount", (count(*) filter (where score >= 80))::integer as "passedCount"`;

const numberOf = (email: string): number => Number(/\d+/.exec(email)![0]);

test.each([
  ['', 'active'],
  ['?includeInactive=true', 'true'],
])('the course results report%s returns the newest attempt of each learner, as recorded', async (query, who) => {
  const report = (await get(`/reports/course-results${query}`)).body.data.filter(
    ({ courseId }: { courseId: string }) => courseId !== ownCourseId('tenant'),
  );
  const found = report.map(({ learner: { email }, courseId, attempts, score, grade }: any) => {
    return [numberOf(email), courseId, attempts, score, grade];
  });
  const expected = await derive(
    `, ${NEWEST}
     select n, target, attempts::integer, case when not open then last_score::float end as score,
            case when open then null when last_score >= 80 then 'pass' else 'fail' end as grade
       from newest join here using (n) where ${who} and ${TRAINING} order by n, target`,
  );
  expect(found).toEqual(expected.map((row) => Object.values(row)));
});

test('the summary of the learning report counts learners and results as recorded', async () => {
  const { summary } = (await get('/reports/learning')).body.data;
  const [expected] = await derive(
    `, ${NEWEST}, ${ENROLLED}
     select count(distinct n)::integer as "learnerCount", ${COUNTS}, round(avg(score), 2)::float as "averageScore"
       from enrolled join here using (n) where active`,
  );
  expect(summary).toEqual(expected);
});

test('the gap analysis report compares the second attempt with the first', async () => {
  const read = async (query: string) =>
    (await get(`/reports/gap-analysis-results${query}`)).body.data.map(
      ({ learner: { email }, attempt, attempts, score }: any) => [numberOf(email), attempt, attempts, score],
    );
  const gaps = `, ${NEWEST}, gaps as (select * from newest join here using (n) where active and not ${TRAINING})`;
  const all = await derive(
    `${gaps}, finishes as (select n, score::float, row_number() over (partition by n order by finished)::integer as attempt
                             from told where finished is not null and kind = 'result' and not ${TRAINING})
     select n, attempt, attempts::integer, score from finishes join gaps using (n)
      union all select n, attempts::integer, attempts::integer, null from gaps where open order by n, attempt`,
  );
  expect(await read('?attempts=all')).toEqual(all.map((row) => Object.values(row)));
  const newest = all.filter(({ attempt, attempts }) => attempt === attempts);
  expect(await read('')).toEqual(newest.map((row) => Object.values(row)));
  expect(newest.filter(({ attempts }) => attempts === 2).length).toBeGreaterThan(50);
});

test('the group report counts the training and policies of active learners', async () => {
  const { groups } = (await get('/reports/groups')).body.data;
  const training = await derive(
    `, ${NEWEST}, ${ENROLLED} select ${COUNTS} from enrolled join here using (n) where active group by n % 3 order by n % 3`,
  );
  const policies = await derive(
    `select count(distinct (n, target))::integer as "assignedCount", count(distinct (n, target))::integer as "signedCount"
       from told join here using (n) where active and kind = 'signature' group by n % 3 order by n % 3`,
  );
  const found = ['North', 'South', 'West'].map((name) => groups.find((group: any) => group.name === name));
  expect(found.map((group) => group.training)).toEqual(training);
  expect(found.map((group) => group.policies)).toEqual(policies);
});

test('the participation report has the same scores, and counts the active members of groups', async () => {
  const { groupTree, learners } = (await get('/reports/course-participation')).body.data;
  const scores = learners
    .flatMap(({ courseResults }: any) => courseResults.map(({ score }: any) => score))
    .filter((score: unknown) => score !== null);
  const [expected] = await derive(
    `, ${NEWEST} select count(*)::integer as count, sum(last_score)::float as sum from newest join here using (n) where active and not open and ${TRAINING}`,
  );
  expect({ count: scores.length, sum: scores.reduce((a: number, b: number) => a + b, 0) }).toEqual(expected);
  const groups = groupTree.children.filter(({ name }: any) => ['North', 'South', 'West'].includes(name));
  const counted = await derive('select n % 3, count(*)::integer as count from here where active group by 1 order by 1');
  expect(groups.map(({ learnerCount }: any) => learnerCount)).toEqual(counted.map(({ count }) => count));
  expect(groupTree.learnerCount).toBe(280);
});

test('each simulation counts every recipient, even deleted learners', async () => {
  const { totalMetrics, simulations } = (await get('/simulations/metrics')).body.data;
  const expected = await derive(
    `select target as "externalId", (count(*) filter (where what = 'sent'))::integer as "sentCount",
            (count(*) filter (where what = 'opened'))::integer as "openCount",
            (count(*) filter (where what = 'visited'))::integer as "visitCount",
            (count(*) filter (where what = 'compromised'))::integer as "compromiseCount",
            (count(*) filter (where what = 'reported'))::integer as "reportCount"
       from told where kind = 'event' group by target`,
  );
  expect(simulations).toHaveLength(12);
  for (const one of expected) {
    expect(simulations.find(({ externalId }: any) => externalId === one.externalId)).toMatchObject(one);
  }
  expect(totalMetrics.total).toBe(12 * LEARNERS);
});

test('each policy returns the version that each learner signed, and keeps every signature', async () => {
  for (const id of policies) {
    const { results, signatures, versions, assignedCount, signedCount } = (
      await get(`/policies/${id}?outcome=all&includeSignatures=true`)
    ).body.data;
    const latest = await derive(
      `select n, active, max(what)::integer as version from told join here using (n)
        where kind = 'signature' and target = $1 group by n, active order by n`,
      [id],
    );
    const [all] = await derive(`select count(*)::integer as count from told where kind = 'signature' and target = $1`, [
      id,
    ]);
    const active = latest.filter((row) => row.active).length;
    expect({ assignedCount, signedCount }).toEqual({ assignedCount: active, signedCount: active });
    const versionOf = new Map(versions.map((version: any) => [version.id, version.majorVersion]));
    const found = results.map(({ learner: { email }, signedVersionId }: any) => [
      numberOf(email),
      versionOf.get(signedVersionId),
    ]);
    expect(found).toEqual(latest.map(({ n, version }) => [n, version]));
    expect(signatures).toHaveLength(all.count);
  }
});

test('a learner has every recorded attempt', async () => {
  for (const n of [0, 7, 33, 150, 275]) {
    const rows = (await get(`/learners/${ids.get(external(n))}/course-results?attempts=all`)).body.data;
    const scores = rows
      .filter(({ courseId }: any) => courseId === managedCourses.phishing)
      .map(({ score }: any) => score);
    const finishes = await derive(
      `select score::float as score from told where kind = 'result' and n = $1 and target = $2 and finished is not null order by finished`,
      [n, managedCourses.phishing],
    );
    expect(scores.filter((score: unknown) => score !== null).toSorted()).toEqual(
      finishes.map(({ score }) => score).toSorted(),
    );
  }
});

test('the risk history matches figures that are derived from the facts of the year', async () => {
  await testService.query(`update learners set created_at = now() - interval '1 year' where company_id = $1`, [
    companies.tenant,
  ]);
  await run('tenant', new Date().toISOString().slice(0, 10));
  const { rows } = (await get('/reports/risk-score-history')).body.data;
  // Weights: simulations 40, courses 25. Learners have signed all requested policies, and no address was breached.
  const [expected] = await derive(
    `, ${NEWEST},
       messages as (
         select n, target, max(case what when 'compromised' then 1 when 'visited' then 0.6 end) as did,
                bool_or(what = 'reported') as reported
           from told where kind = 'event' group by n, target),
       simulations as (
         select n, (0.3 + sum(coalesce(did, case when reported then 0 else 0.1 end))) / (2 + count(*)) as mean
           from messages group by n),
       courses as (
         select n, (0.2 + coalesce(sum(case when open and last_start::date < current_date - 31 then 1
                                            when last_score is null then 0.4 when last_score >= 80 then 0 else 0.8 end), 0))
                   / (1 + count(target)) as mean
           from here left join newest using (n) group by n),
       scores as (
         select n, round(40 * least(1, s.mean / 0.5) + 25 * least(1, c.mean / 0.5)) as score
           from here join simulations s using (n) join courses c using (n) where active)
     select round(avg(score), 1)::float as "averageScore", (count(*) filter (where score < 25))::integer as "lowCount",
            (count(*) filter (where score >= 25 and score < 50))::integer as "moderateCount",
            (count(*) filter (where score >= 50 and score < 75))::integer as "highCount",
            (count(*) filter (where score >= 75))::integer as "criticalCount"
       from scores`,
  );
  expect(rows.at(-1)).toMatchObject(expected);
});
