import pg from 'pg';
import { guardStatement } from '../../src/db/guarded-reader.ts';
import { pageAfter, type Statement } from '../../src/db/statement.ts';
import { managedLearner } from '../../src/resources/learners/shared/managed-learners.ts';
import { companies, learnerId } from '../support/world.ts';
import { allStatements, sampleValues } from './samples.ts';

/** Learner 1 manages the group of learners 2 and 3; learner 4 is in another group. */
const managerId = learnerId('tenant', 1);
const own = { learnerId: learnerId('tenant', 2), managerId };
const foreign = { learnerId: learnerId('tenant', 4), managerId };

const reads = allStatements().filter((one): one is Statement<never, unknown> => !one.isMutation);
let service: pg.Client;

beforeAll(async () => {
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
  await service.query(`select set_config('app.company_id', $1, false)`, [companies.tenant]);
});
afterAll(() => service.end());

/** Returns the number of rows of a statement, which runs with the sample values and those of the guard. */
async function countRows(statement: Statement<never, unknown>, guard: typeof own | undefined): Promise<number> {
  const values = await sampleValues(service, statement);
  if (!guard) return (await service.query(statement.text, values)).rowCount!;
  const { text } = guardStatement(statement, managedLearner, guard);
  return (await service.query(text, [...values, ...managedLearner.values(companies.tenant, guard)])).rowCount!;
}

test.each(reads.map((statement) => [statement.name, statement] as const))(
  '%s returns rows only while its guard holds',
  async (_name, statement) => {
    const all = await countRows(statement, undefined);
    expect(await countRows(statement, own)).toBe(all);
    expect(await countRows(statement, foreign)).toBe(0);
  },
);

test('the pages of a guarded list are guarded, and keep its order and name', () => {
  const list = reads.find(({ ordered }) => ordered)!;
  const guarded = guardStatement(list, managedLearner, foreign);
  for (const isFirst of [true, false]) {
    const page = pageAfter(guarded as Statement<object, unknown>, isFirst);
    expect(page.text).toContain('where exists (');
    expect(page.name).toBe(`${list.name}/own/${isFirst ? 'first' : 'after'}`);
    expect(
      page.text
        .match(/\$\d+/g)!
        .map((place) => Number(place.slice(1)))
        .every((n) => n <= page.parameterCount),
    ).toBe(true);
  }
  expect(guarded.text).toMatch(/order by [^)]*$/);
});
