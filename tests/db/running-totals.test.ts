import pg from 'pg';
import { companies, groupId, learnerId, managedCourses } from '../support/world.ts';

// Triggers store the totals of each course, policy, group and company as differences, which add up to the total.

const KEPT = `
  select company_id, subject_id, kind, sum(assigned) as assigned, sum(started) as started, sum(completed) as completed,
         sum(passed) as passed, sum(risk_scores) as risk_scores
    from running_totals group by 1, 2, 3`;
const COUNTED = `
  select company_id, course_id, 'course', count(*), count(start_date), count(finish_date),
         count(*) filter (where passed), 0 from enrollments group by 1, 2
  union all
  select company_id, policy_id, 'policy', count(assigned_at), 0,
         count(*) filter (where assigned_at is not null and signed >= asked_at), 0, 0 from policy_results group by 1, 2
  union all
  select company_id, group_id, 'group', count(*), 0, 0, 0, 0 from group_learners group by 1, 2
  union all
  select company_id, company_id, 'risk', 0, 0, 0, 0, sum(risk_score) from learners where not inactive group by 1`;
/** Selects the totals that differ from the counted rows. A total of zero can lack a row. */
const WRONG = `
  with kept as (${KEPT}), counted as (${COUNTED}), wrong as (
    (table kept except table counted) union all (table counted except table kept))
  select * from wrong where assigned <> 0 or started <> 0 or completed <> 0 or passed <> 0 or risk_scores <> 0`;

const COURSE = managedCourses.phishing;
const added = `company_id = '${companies.tenant}' and email like '%@kept.test'`;
const ofAdded = `company_id = '${companies.tenant}' and learner_id in (select id from learners where ${added})`;

beforeAll(() =>
  testService.query(`
    insert into learners (company_id, id, email, first_name, last_name, risk_score)
    select '${companies.tenant}', new_id(), n || '@kept.test', 'Ada', 'Kept', n from generate_series(1, 50) as n`),
);

test.each([
  ['the test world', 'select'],
  [
    'enrolments',
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select company_id, id, '${COURSE}', managed_catalogue(), '2026-03-02' from learners where ${added}`,
  ],
  ['started courses', `update enrollments set start_date = '2026-03-02' where ${ofAdded}`],
  [
    'finished courses',
    `update enrollments set finish_date = '2026-03-03', score = 90, passed = true where ${ofAdded}
        and learner_id in (select id from learners where ${added} and risk_score < 20)`,
  ],
  ['reminders, which change no total', `update enrollments set reminded_at = now() where ${ofAdded}`],
  [
    'memberships',
    `insert into group_learners (company_id, group_id, learner_id)
     select company_id, '${groupId('tenant', 1)}', id from learners where ${added}`,
  ],
  ['changed scores', `update learners set risk_score = risk_score / 2 where ${added}`],
  ['inactive learners', `update learners set inactive = true where ${added} and last_name = 'Kept' and risk_score < 9`],
  ['removed memberships', `delete from group_learners where ${ofAdded}`],
  ['removed learners', `delete from learners where ${added} and risk_score > 20`],
  ['learners of a removed company', `delete from learners where company_id = '${companies.other}'`],
])('the running totals equal the counted ones after %s', async (_, change) => {
  await testService.query(change);
  expect(await testService.query(WRONG)).toEqual([]);
});

test('a change that no total counts adds no row', async () => {
  const count = () => testService.query('select count(*) from running_totals');
  const before = await count();
  await testService.query(`update enrollments set reminded_at = now()`);
  await testService.query(`update learners set first_name = 'Grace' where ${added}`);
  expect(await count()).toEqual(before);
});

test('adding up leaves one row for each total, and none for a total of zero', async () => {
  const subject = groupId('tenant', 2);
  const rows = () => testService.query(`select assigned from running_totals where subject_id = $1`, [subject]);
  const addUp = () => testService.query(`select add_up_total($1, $2)`, [companies.tenant, subject]);
  await testService.query('delete from group_learners where group_id = $1', [subject]);
  await addUp();
  expect(await rows()).toEqual([]);
  for (const n of [1, 2] as const)
    await testService.query('insert into group_learners (company_id, group_id, learner_id) values ($1, $2, $3)', [
      companies.tenant,
      subject,
      learnerId('tenant', n),
    ]);
  await addUp();
  expect(await rows()).toEqual([{ assigned: '2' }]);
});

test('a deleted group leaves no rows of its total', async () => {
  const [group] = await testService.query(
    `insert into groups (company_id, id, name) values ($1, new_id(), 'Kept') returning id`,
    [companies.tenant],
  );
  for (const n of [1, 2] as const)
    await testService.query('insert into group_learners (company_id, group_id, learner_id) values ($1, $2, $3)', [
      companies.tenant,
      group!.id,
      learnerId('tenant', n),
    ]);
  await testService.query('delete from groups where id = $1', [group!.id]);
  expect(
    await testService.query('select assigned from running_totals where subject_id = $1', [group!.id as string]),
  ).toEqual([]);
});

test('a total has few rows after many changes', async () => {
  await testService.query(`do $$ begin
    for n in 1..3000 loop
      update learners set risk_score = n % 100 where company_id = '${companies.tenant}' and id = '${learnerId('tenant', 1)}';
    end loop; end $$`);
  const rows = await testService.query(`select count(*)::integer from running_totals where subject_id = $1`, [
    companies.tenant,
  ]);
  expect(rows[0]!.count).toBeLessThan(1500);
  expect(await testService.query(WRONG)).toEqual([]);
});

test('two transactions that change the same total do not wait for each other', async () => {
  const other = new pg.Client(testService.database.ownerUrl);
  await other.connect();
  try {
    await other.query('begin');
    await other.query(`update learners set risk_score = risk_score + 1 where ${added}`);
    await testService.query(`update learners set risk_score = 7 where company_id = $1 and id = $2`, [
      companies.tenant,
      learnerId('tenant', 1),
    ]);
    await other.query('commit');
  } finally {
    await other.end();
  }
  expect(await testService.query(WRONG)).toEqual([]);
});
