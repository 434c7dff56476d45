import pg from 'pg';
import { listSettings } from '../../src/db/tenant-steps.ts';
import { companies, id, ownCourseId } from '../support/world.ts';
import { policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';
import { asSuperuser } from './executed-plans.ts';
import { growTenant } from './large-company.ts';
import { allStatements, sampleValues } from './samples.ts';

// While a company imports its data, Postgres has the statistics of the few rows that there were before, or of some tables
// only. A list that compares all rows of two tables with each other then reads 400 million rows, and ends in its timeout.

/** The largest tables have 20,000 rows of the company. */
const MAX_ROWS = 3_000_000;
/** Ends such a statement; on a busy machine, all others are through by then. */
const TIMEOUT_MS = 20_000;

const READS_MORE: Record<string, string> = {
  group_list: 'the managers of each group are looked up by whichever index: a group has few of them',
  participation_learners: 'lists the courses of each learner: the company has 5,000 of its own here',
};

const LISTS = allStatements().filter(({ name, ...statement }) => {
  return !(name in READS_MORE) && !statement.isChange && (statement.ordered || statement.isAggregate);
});

let service: pg.Client;

beforeAll(async () => {
  const tables = await testService.query(
    `select format('alter table %s set (autovacuum_enabled = false)', oid::regclass) as text from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  await asSuperuser(...tables.map(({ text }) => text as string), 'analyze');
  await growTenant({ analyze: false });
  const added = id('1', 65_536);
  await asSuperuser(`set session_replication_role = replica;
    update policy_results set policy_id = '${policyId('tenant', 1)}' where learner_id > '${added}';
    update simulation_recipients set simulation_id = '${simulationId('tenant', 1)}' where learner_id > '${added}';
    update enrollments set course_owner_id = company_id, course_id = '${ownCourseId('tenant')}' where learner_id > '${added}'`);
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
});
afterAll(() => service.end());

interface Node {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Node[];
}

function rowsRead(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = (node['Actual Rows'] + removed) * node['Actual Loops'];
  return own + (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0);
}

/** The lists that read too much, each with its rows or with the error that ended it. */
async function excess(): Promise<string[]> {
  const found: string[] = [];
  for (const list of LISTS) {
    const values = await sampleValues(service, list);
    await service.query('begin');
    await service.query(listSettings.text, [String(TIMEOUT_MS), companies.tenant]);
    try {
      const explained = await service.query(`explain (analyze, timing off, format json) ${list.text}`, values);
      const rows = rowsRead((explained.rows[0] as { 'QUERY PLAN': [{ Plan: Node }] })['QUERY PLAN'][0].Plan);
      if (rows > MAX_ROWS) found.push(`${list.name}: ${rows} rows`);
    } catch (error) {
      found.push(`${list.name}: ${(error as Error).message}`);
    }
    await service.query('rollback');
  }
  return found;
}

async function forgetStatistics(): Promise<void> {
  await asSuperuser(
    'delete from pg_statistic',
    `update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'public'::regnamespace`,
  );
}

if (process.env.TEST_CITUS_BIN) test.skip('plans of Citus are not those of plain Postgres', () => undefined);
else {
  test('no list compares all rows of two tables, with the statistics of a small company', async () => {
    expect(await excess()).toEqual([]);
  });

  test.each(['nothing', 'enrollments', 'courses'])(
    'no list compares all rows of two tables, with statistics of %s alone',
    async (table) => {
      await forgetStatistics();
      if (table !== 'nothing') await asSuperuser(`analyze ${table}`);
      expect(await excess()).toEqual([]);
    },
  );
}
