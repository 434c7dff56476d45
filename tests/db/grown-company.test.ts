/** @jest-environment-options {"DATABASE_POOL_SIZE": "1", "TEST_REPLICA": "none", "TEST_POOLER": "none"} */
import { get } from '../support/client.ts';
import { companies, managedCourses } from '../support/world.ts';
import { simulationId } from '../support/world-simulations.ts';
import { insertManyResults } from '../resources/reports/report-state.ts';
import { asSuperuser, reportPlans, takePlans } from './executed-plans.ts';

const COMPANY = 'strangerMsp';
const LEARNERS = 800;
const REPORTS = [
  '/reports/learning',
  `/reports/learning?courseId=${managedCourses.phishing}`,
  `/reports/learning?simulationId=${simulationId(COMPANY, 1)}&outcome=opened`,
  '/reports/course-participation',
  '/reports/groups',
  '/company',
];

async function read(path: string): Promise<void> {
  const { status, text } = await get(path, COMPANY);
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
}

beforeAll(async () => {
  await reportPlans();
  await asSuperuser(
    ...['learners', 'enrollments', 'simulation_recipients', 'courses'].map((table) => {
      return `alter table ${table} set (autovacuum_enabled = false)`;
    }),
    'analyze',
  );
  // Postgres keeps the plan of a prepared statement from its sixth execution on.
  for (let round = 1; round <= 7; round++) for (const path of REPORTS) await read(path);
  await insertManyResults(COMPANY, LEARNERS, 6);
  await testService.query(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, opened_at)
     select company_id, $2, id, '2026-02-10Z', '2026-02-11Z' from learners where company_id = $1
     on conflict do nothing`,
    [companies[COMPANY], simulationId(COMPANY, 1)],
  );
});

if (process.env.TEST_CITUS_BIN) test.skip('plans of Citus differ from those of plain Postgres', () => undefined);
else
  test.each(REPORTS)('%s reads each row only a few times in a company that has grown', async (path) => {
    testService.notices.length = 0;
    await read(path);
    const rows = takePlans(0).reduce((sum, plan) => sum + plan.rows, 0);
    expect(rows / LEARNERS).toBeLessThan(1000);
  });
