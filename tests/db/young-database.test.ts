import type pg from 'pg';
import { listSettings, changeSettings } from '../../src/db/driver/statement-plan.ts';
import { companies, learnerId } from '../support/world.ts';
import { asSuperuser } from './executed-plans.ts';
import { allStatements, sampleValues } from './samples.ts';
import { connectToYoungDatabase, forgetStatistics, inTransaction, rowsReadBy } from './young-database.ts';

// While a company imports its data, Postgres has statistics of the few earlier rows, or of only some tables. A list
// that compares all rows of two tables then reads 400 million rows and times out.

/** Maximum number of rows that a statement reads. The largest tables have 20,000 rows of the company. */
const MAX_ROWS = 3_000_000;

const READS_MORE: Record<string, string> = {
  board_schedule_list: 'a company has at most 20 schedules',
  participation_learners: 'lists the courses of each learner: the company has 5,000 of its own here',
  signature_learners_due: 'is given the same two policies a thousand times here',
};

const LISTS = allStatements().filter(({ name, ...statement }) => {
  return !(name in READS_MORE) && !statement.isMutation && (statement.ordered || statement.isAggregate);
});

/** Statements that are neither lists nor point queries. */
const OTHERS = allStatements().filter(
  (made) => made.isMutation || !(made.ordered || made.isAggregate || made.isPointQuery),
);

let service: pg.Client;

beforeAll(async () => {
  service = await connectToYoungDatabase();
});
afterAll(() => service.end());

/** Rows read by the plans of lists so far. A plan that other statistics do not change reads the same rows again. */
const readByPlans = new Map<string, number>();

/** Returns the number of rows that a list reads. Runs it only if its plan is new. */
async function rowsReadByList(text: string, values: unknown[]): Promise<number> {
  const plan = await inTransaction(service, listSettings.text, () =>
    service.query(`explain (costs off) ${text}`, values),
  );
  const key = JSON.stringify([text, plan.rows]);
  const rows = readByPlans.get(key) ?? (await rowsReadBy(service, listSettings.text, text, values));
  readByPlans.set(key, rows);
  return rows;
}

/** Describes the lists that read too much, with their rows or the error that stopped them. */
async function excess(): Promise<string[]> {
  const found: string[] = [];
  for (const list of LISTS) {
    const values = await sampleValues(service, list);
    try {
      const rows = await rowsReadByList(list.text, values);
      if (rows > MAX_ROWS) found.push(`${list.name}: ${rows} rows`);
    } catch (error) {
      found.push(`${list.name}: ${(error as Error).message}`);
    }
  }
  return found;
}

/** Ids of imported learners, as many as one call imports. */
let imported: string[] = [];

/** Returns sample values as in an import: each list is as long as the list of learners. */
async function wideValues(made: (typeof OTHERS)[number]): Promise<unknown[]> {
  return (await sampleValues(service, made)).map((value) => {
    if (!Array.isArray(value) || imported.length === 0) return value;
    return value[0] === learnerId('tenant', 1) ? imported : imported.map((_, index) => value[index % value.length]);
  });
}

if (process.env.TEST_CITUS_BIN) test.skip('plans of Citus differ from those of plain Postgres', () => undefined);
else {
  test('no other statement, planned for its values, compares all rows of two tables', async () => {
    const learners = await testService.query(
      'select id from learners where company_id = $1 order by id desc limit 1000',
      [companies.tenant],
    );
    imported = learners.map(({ id }) => id as string);
    const found: string[] = [];
    for (const made of OTHERS) {
      const values = await wideValues(made);
      const rows = await rowsReadBy(service, changeSettings.text, made.text, values).catch(
        (error: { code: string; message: string }) => {
          // The sample values can violate a constraint. The statement then ends at once.
          if (!/^(2[123])/.test(error.code)) found.push(`${made.name}: ${error.message}`);
          return 0;
        },
      );
      if (rows > MAX_ROWS && !(made.name in READS_MORE)) found.push(`${made.name}: ${rows} rows`);
    }
    expect(found).toEqual([]);
  });

  test('no list compares all rows of two tables with the statistics of a small company', async () => {
    expect(await excess()).toEqual([]);
  });

  test.each(['nothing', 'enrollments', 'courses'])(
    'no list compares all rows of two tables with statistics of %s only',
    async (table) => {
      await forgetStatistics();
      if (table !== 'nothing') await asSuperuser(`analyze ${table}`);
      expect(await excess()).toEqual([]);
    },
  );
}
