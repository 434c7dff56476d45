import type pg from 'pg';
import { changeSettings, listSettings } from '../../src/db/driver/statement-plan.ts';
import { companies, learnerId } from '../support/world.ts';
import { asSuperuser } from './executed-plans.ts';
import { allStatements, sampleValues } from './samples.ts';
import { connectToYoungDatabase, forgetStatistics, rowsReadBy } from './young-database.ts';

// With statistics of a small company, Postgres expects one row of the company in a table. It then estimates that a lookup
// costs the same by an index that shares only the company with the key, and picks the smaller index. The plan can be
// right for 20,000 learners, and read all rows of the company for each of 5,000. Changes that are rolled back enlarge
// indexes too, and so change the plan.

/** Maximum number of rows that a statement reads for each learner. */
const MAX_ROWS = 200;
/** Tables with two indexes by which a lookup seems to cost the same. */
const TABLES = ['learner_merges', 'group_managers', 'signatures'];
/** Number of updates of all rows after which one of these indexes has another level. */
const UPDATES = 5;

const STATEMENTS = [
  'assignments_of_group',
  'campaign_preview_figures',
  'campaign_preview_learners',
  'campaign_shared_learners',
  'group_list',
  'learning_rows_past_all',
  'learning_rows_past_profile',
  'participation_past_all',
  'report_past_group_figures',
  'result_report_past_all',
  'result_report_past_profile',
];

/** Enlarges the indexes of the tables, as a change that is rolled back does. */
async function enlargeIndexes(): Promise<void> {
  const updates = TABLES.map((table) => `update ${table} set company_id = company_id;`.repeat(UPDATES));
  await asSuperuser(`set session_replication_role = replica; begin; ${updates.join(' ')} rollback`);
}

/** Describes the statements that read too much. A list of learners is as long as a batch of a preview. */
async function excess(service: pg.Client, learners: number): Promise<string[]> {
  const newest = await testService.query('select id from learners where company_id = $1 order by id desc limit 1000', [
    companies.tenant,
  ]);
  const batch = newest.map(({ id }) => id as string);
  const found: string[] = [];
  for (const made of allStatements().filter(({ name }) => STATEMENTS.includes(name))) {
    const isList = !made.isMutation && (made.ordered || made.isAggregate);
    const values = (await sampleValues(service, made)).map((value) =>
      Array.isArray(value) && value[0] === learnerId('tenant', 1) ? batch : value,
    );
    const { text: settings } = isList ? listSettings : changeSettings;
    const rows = await rowsReadBy(service, settings, made.text, values).catch((error: Error) => error.message);
    if (typeof rows === 'string' || rows > MAX_ROWS * learners) found.push(`${made.name}: ${rows}`);
  }
  return found;
}

/**
 * Tests that the reports on a company of the given size read each learner once, with few statistics and without any.
 */
export function testReports(learners: number): void {
  if (process.env.TEST_CITUS_BIN) {
    test.skip('plans of Citus differ from those of plain Postgres', () => undefined);
    return;
  }
  let service: pg.Client;
  beforeAll(async () => {
    service = await connectToYoungDatabase(learners);
    await enlargeIndexes();
  });
  afterAll(() => service.end());

  test('reports read each learner once with the statistics of a small company', async () => {
    expect(await excess(service, learners)).toEqual([]);
  });

  test('reports read each learner once without statistics', async () => {
    await forgetStatistics();
    expect(await excess(service, learners)).toEqual([]);
  });
}
