/** @jest-environment-options {"TEST_DATABASE": "demo", "RATE_LIMIT_PER_MINUTE": "0"} */
import { migrate, migrationStatus, rollBack } from '../../src/commands/database.ts';
import { ask, type Holder, holders } from '../seeds/seeded.ts';

/** The last migration of release 0.1.0. */
const RELEASED = '20261123053600_copy_templates_by_statement.ts';
const REPORTS = ['learning', 'course-results', 'gap-analysis-results', 'course-participation', 'risk-score-history'];
/** A policy that is there no more. */
const DELETED = '0192a3b4-0000-7000-8000-6000000000ff';

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

/** Every figure about policies and simulations, as the demo's tenant is answered. The release knows no external ids. */
async function policyFigures(): Promise<unknown[]> {
  const policies = await ask('tenant', '/policies');
  const details = policies.map(({ id }: { id: string }) => ask('tenant', `/policies/${id}?outcome=all`));
  const { totalMetrics, simulations } = await ask('tenant', '/simulations/metrics');
  const counted = simulations.map((simulation: object) => ({ ...simulation, externalId: undefined }));
  return [policies, await Promise.all(details), totalMetrics, counted];
}

/** Rows of a query as texts. */
const rowsOf = async (text: string): Promise<unknown[]> =>
  (await testService.query(`select q::text as row from (${text}) as q order by 1`)).map(({ row }) => row);
const results = () =>
  rowsOf(`select id, policy_id, learner_id, assigned_at, asked_at, reminded_at, sent_version_id, visit,
                 visited_version_id, signed, signed_version_id, signed_offline from policy_results`);
const signatures = () =>
  rowsOf(`select s.*, n.learner_name, n.learner_email from signatures s
            left join signature_names n using (company_id, learner_id, policy_id, signed, version_id)`);

/** Records signatures on a policy that is deleted, of a learner who is there and of one who is not, as release 0.1.0 did. */
async function deletePolicyAsBefore(): Promise<void> {
  await testService.query(
    `insert into signature_records
     select r.company_id, new_id(), $1, 'Gone', r.signed_version_id, 1, 0, sha256('x'), who.id, who.email, who.name, r.signed, false, now()
       from (select * from policy_results where signed is not null order by id limit 1) as r,
            lateral (select l.id, l.email, 'As of then' from learners l
                      where l.company_id = r.company_id and l.id = r.learner_id
                     union all select new_id(), 'left@acme-industries.test', 'Who Left') as who (id, email, name)`,
    [DELETED],
  );
}

const seeded = { reports: new Map<string, unknown>(), policies: [] as unknown[] };
const released = { figures: [] as Figures[], results: [] as unknown[] };

async function expectAsSeeded(): Promise<void> {
  expect(await figures()).toEqual(released.figures);
  await expectFigures(released.figures);
  for (const [name, report] of await reports())
    expect({ name, report }).toEqual({ name, report: seeded.reports.get(name) });
  expect(await policyFigures()).toEqual(seeded.policies);
}

beforeAll(async () => {
  seeded.reports = await reports();
  seeded.policies = await policyFigures();
  await backToRelease();
  released.figures = await figures();
  await deletePolicyAsBefore();
  released.results = await results();
  await migrate(ownerUrl);
});

test('an upgrade of the release with its data changes no figure of any report, of policies or of simulations', async () => {
  expect(released.figures.length).toBeGreaterThan(4);
  expect(JSON.stringify(seeded.policies)).toMatch(/"signedCount":[1-9]/);
  await expectAsSeeded();
  expect(await results()).toEqual(released.results);
});

test('every signature is there, and names stay only of learners', async () => {
  const missing = `select from policy_results r where signed is not null and not exists (
    select from signatures s join signature_names n using (company_id, learner_id, policy_id, signed, version_id)
      join policy_versions v on v.id = s.version_id join policy_files f on f.id = v.file_id and f.sha256 = s.file_sha256
      join learners l on l.id = s.learner_id and l.email = n.learner_email
     where s.company_id = r.company_id and s.learner_id = r.learner_id and s.policy_id = r.policy_id
       and s.signed = r.signed and s.version_id = r.signed_version_id and s.signed_offline = r.signed_offline)`;
  expect(await testService.query(missing)).toEqual([]);
  const gone = await testService.query(
    `select n.learner_name as name, n.learner_email as email, orphaned_at is not null as ends from signatures s
       left join signature_names n using (company_id, learner_id, policy_id, signed, version_id)
      where policy_id = $1 order by 1 nulls last`,
    [DELETED],
  );
  expect(gone).toEqual([
    { name: 'As of then', email: expect.stringContaining('@'), ends: true },
    { name: null, email: null, ends: true },
  ]);
  expect(await testService.query('select from signature_records')).toEqual([]);
});

test('taken back and upgraded again, every figure and signature is as before', async () => {
  const kept = await signatures();
  await backToRelease();
  expect(await figures()).toEqual(released.figures);
  expect(await testService.query('select from signature_records')).toHaveLength(2);
  await migrate(ownerUrl);
  await expectAsSeeded();
  expect(await signatures()).toEqual(kept);
});

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
});
