/** @jest-environment-options {"TEST_DATABASE": "grown"} */
import pg from 'pg';
import { companies } from '../support/world.ts';
import { allStatements, sampleValues } from './samples.ts';

// Point queries of all companies share connections, so a point query that reads many rows delays the others.
/** Maximum number of rows that a point query reads in a company of 20,000 learners. */
const MAX_ROWS_READ = 50;

/** Functions that return the rows of their input, or one row. */
const BOUNDED: unknown[] = ['jsonb_each_text', 'unnest', 'pg_control_system'];

let service: pg.Client;

beforeAll(async () => {
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
  await service.query(`select set_config('app.company_id', $1, false)`, [companies.tenant]);
});
afterAll(() => service.end());

type AnyStatement = ReturnType<typeof allStatements>[number];

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Function Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Returns the reasons why a statement takes longer in a larger company; an empty list for a point query. */
async function judge(statement: AnyStatement): Promise<string[]> {
  const values = await sampleValues(service, statement);
  const { rows } = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, timing off, format json) ${statement.text}`,
    values,
  );
  const scans = nodesOf(rows[0]!['QUERY PLAN'][0].Plan).filter((node) => /Scan$/.test(node['Node Type']));
  const unbounded = scans.filter((node) => {
    return /^(Seq|Function|CTE|Subquery) Scan$/.test(node['Node Type']) && !BOUNDED.includes(node['Function Name']);
  });
  const rowsRead = scans.reduce((sum, node) => sum + readBy(node), 0);
  return [
    ...unbounded.map(
      (node) => `${node['Node Type']} of ${node['Relation Name'] ?? node['Function Name'] ?? 'a query'}`,
    ),
    ...(rowsRead > MAX_ROWS_READ ? [`reads ${rowsRead} rows`] : []),
  ];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function readBy(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

const lookups = allStatements().filter((made) => !made.isMutation && made.isPointQuery);

test('point queries exist', () => {
  expect(lookups.length).toBeGreaterThan(5);
});

test.each(lookups.map((made) => [made.name, made] as const))(
  '%s reads few rows, each by an index',
  async (_name, made) => {
    expect(await judge(made)).toEqual([]);
  },
);

test.each([
  ['learner_list', /reads \d+ rows/],
  ['policy_by_id', /reads \d+ rows|Scan/],
  ['template_by_id', /Function Scan of visible_templates/],
])('the check can fail: %s is not a point query', async (name, reason) => {
  expect(await judge(allStatements().find((one) => one.name === name)!)).toContainEqual(expect.stringMatching(reason));
});
