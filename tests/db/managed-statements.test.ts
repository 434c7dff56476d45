import pg from 'pg';
import { Parameter } from '../../src/db/sql.ts';
import { NO_PROFILE } from '../../src/resources/learners/shared/learner-profile.ts';
import { NOBODY } from '../../src/resources/learners/shared/managed-learners.ts';
import { companies, learnerId } from '../support/world.ts';
import { allStatements, sampleValues } from './samples.ts';

type AnyStatement = ReturnType<typeof allStatements>[number];

const unfilled = new Proxy({}, { get: (_, name) => new Parameter(name as string) }) as never;
const namesOf = (statement: AnyStatement) =>
  statement
    .values(companies.tenant, unfilled)
    .map((place) => (place instanceof Parameter ? (place as { name: string }).name : undefined));

/**
 * Statements with the manager filter. Lists of removed rows name the learners who do not match the filters, but no
 * operation combines these lists with a manager (`readProfile`).
 */
const filtered = allStatements().filter((statement) => {
  return !statement.isMutation && !statement.name.endsWith('_removed') && namesOf(statement).includes('managerId');
});

let service: pg.Client;
beforeAll(async () => {
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
  await service.query(`select set_config('app.company_id', $1, false)`, [companies.tenant]);
});
afterAll(() => service.end());

/** Runs a statement with no other filter than this manager. Returns the rows that have any value. */
async function readFor(statement: AnyStatement, managerId: string | null): Promise<object[]> {
  const samples = await sampleValues(service, statement);
  const filters: Record<string, unknown> = { ...NO_PROFILE, managerId };
  const values = namesOf(statement).map((name, index) => {
    return name !== undefined && name in filters ? filters[name] : samples[index];
  });
  const { rows } = await service.query<object>(statement.text, values);
  return rows.filter((row) => Object.entries(row).some(([name, value]) => name !== 'name' && !isNothing(value)));
}

function isNothing(value: unknown): boolean {
  return value === null || Number(value) === 0 || (Array.isArray(value) && value.length === 0);
}

test.each(filtered.map((statement) => [statement.name, statement] as const))(
  '%s finds nobody for a manager without people',
  async (_name, statement) => {
    expect(await readFor(statement, NOBODY)).toEqual([]);
  },
);

test('the check can fail: a manager of a group finds people, and statements without the filter find more', async () => {
  const found = { own: 0, all: 0 };
  for (const statement of filtered.filter(({ name }) => name !== 'managed_learner')) {
    found.own += (await readFor(statement, learnerId('tenant', 1))).length;
    found.all += (await readFor(statement, null)).length;
  }
  expect(filtered.length).toBeGreaterThan(20);
  expect(found.own).toBeGreaterThan(0);
  expect(found.all).toBeGreaterThan(found.own);
});
