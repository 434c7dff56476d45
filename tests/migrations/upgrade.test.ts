/** @jest-environment-options {"TEST_DATABASE": "demo", "RATE_LIMIT_PER_MINUTE": "0"} */
import { migrate, migrationStatus, rollBack } from '../../src/commands/database.ts';
import { ask, type Holder, holders } from '../seeds/seeded.ts';

/** The last migration of release 0.1.0. */
const RELEASED = '20261123053600_copy_templates_by_statement.ts';
const REPORTS = ['learning', 'course-results', 'gap-analysis-results', 'course-participation', 'risk-score-history'];

const { ownerUrl } = testService.database;

async function backToRelease(): Promise<void> {
  const { applied } = await migrationStatus(ownerUrl);
  await rollBack(ownerUrl, applied.length - 1 - applied.indexOf(RELEASED));
}

/** What differs from call to call, and what the release does not know: the attempts before the newest. */
const APART = new Set(['attemptId', 'generatedAt', 'attempt', 'attempts']);

/** Every report of every company that has a key, without what stands apart. */
async function reports(): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const holder of holders) {
    for (const name of REPORTS) found.set(`${holder} ${name}`, withoutApart(await ask(holder, `/reports/${name}`)));
  }
  return found;
}

function withoutApart(report: unknown): unknown {
  const text = JSON.stringify(report, (name, value) => (APART.has(name) ? undefined : (value as unknown)));
  return JSON.parse(text);
}

interface Figures {
  name: string;
  learnerCount: number;
  enrollmentCount: number;
  startedCount: number;
  finishedCount: number;
  passedCount: number;
  averageScore: number | null;
}

/** The figures of the learning report, by SQL that the schema of the release understands. */
async function figures(): Promise<Figures[]> {
  return (await testService.query(`
    select k.name, count(distinct e.learner_id)::integer as "learnerCount", count(*)::integer as "enrollmentCount",
           count(e.start_date)::integer as "startedCount", count(e.finish_date)::integer as "finishedCount",
           count(nullif(e.passed, false))::integer as "passedCount", round(avg(e.score), 2)::float as "averageScore"
      from enrollments e
      join companies k on k.id = e.company_id
      join courses c on c.id = e.course_id and c.type = 'training'
      join learners l on l.company_id = e.company_id and l.id = e.learner_id and not l.inactive
     group by k.name`)) as unknown as Figures[];
}

async function expectFigures(before: Figures[]): Promise<void> {
  for (const holder of holders) {
    const { name: company } = await ask(holder, '/company');
    const { name, ...summary } = before.find((row) => row.name === company)!;
    expect({ name, summary: (await ask(holder, '/reports/learning')).summary }).toEqual({ name, summary });
  }
}

/** Learners are enrolled as the release before does it, while the new schema is there already. */
const enrolAsReleased = () =>
  testService.query(`
    insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
    select l.company_id, l.id, c.id, c.owner_id, current_date
      from learners l join courses c on c.owner_id = managed_catalogue()
     where not l.inactive on conflict do nothing`);

test('an upgrade of the release with its data changes no figure of any report, nor does down and up again', async () => {
  const seeded = await reports();
  await backToRelease();
  const before = await figures();
  expect(before.length).toBeGreaterThan(4);
  for (const way of ['up', 'down', 'up']) {
    await (way === 'up' ? migrate(ownerUrl) : backToRelease());
    expect(await figures()).toEqual(before);
    if (way === 'down') continue;
    await expectFigures(before);
    const after = await reports();
    for (const [name, report] of after) expect({ name, report }).toEqual({ name, report: seeded.get(name) });
  }
}, 120_000);

test('what the release before writes beside the new schema is a first attempt with an id', async () => {
  const [before] = await testService.query('select count(*)::integer as rows from enrollments');
  await enrolAsReleased();
  const [after] = await testService.query(`
    select count(*)::integer as rows, count(distinct attempt_id)::integer as ids, max(attempt) as attempt from enrollments`);
  expect(after!.rows).toBeGreaterThan(before!.rows as number);
  expect(after).toEqual({ rows: after!.rows, ids: after!.rows, attempt: 1 });
});

test('an attempt that was begun again is what stays when the upgrade is taken back', async () => {
  const holder: Holder = 'tenant';
  const results = (await ask(holder, '/reports/course-results')) as Record<string, string | null>[];
  const { learnerId, courseId } = results.find(({ finishDate }) => finishDate !== null)!;
  await testService.query(
    `update enrollments set attempt = 2, attempt_id = new_id(), enroll_date = '2026-11-19', start_date = null,
                            finish_date = null, score = null, passed = null
      where learner_id = $1 and course_id = $2`,
    [learnerId, courseId],
  );
  const before = await figures();
  await backToRelease();
  expect(await figures()).toEqual(before);
  await migrate(ownerUrl);
  await expectFigures(before);
}, 60_000);
