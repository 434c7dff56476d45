/** @jest-environment-options {"TEST_DATABASE": "grown"} */
import pg from 'pg';
import { toKeyset } from '../../src/db/keyset.ts';
import { Parameter } from '../../src/db/sql.ts';
import { pageAfter, type Statement } from '../../src/db/statement.ts';
import { companies, id, ownCourseId } from '../support/world.ts';
import { campaignId } from '../support/world-campaigns.ts';
import { policyId, versionId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';
import { asSuperuser } from './executed-plans.ts';
import { allStatements, sampleValues } from './samples.ts';

// A page costs as much as its rows, however deep in the list the page begins, because a page is a range of an index. A
// page deep in a list of 20,000 rows therefore reads few rows.

const LIMIT = 10;
/** Maximum number of rows that a page reads, including the rows of joins, subqueries and filters. */
const MAX_ROWS = 400;

/** Lists whose pages read more than `MAX_ROWS`, with the reason. The test fails for a list that no longer does. */
const READS_MORE: Record<string, string> = {
  assignments_of_group: 'the assignments of each learner are sorted, and are few outside this test',
  assignments_of_profile: 'the assignments of each learner are sorted, and are few outside this test',
  breach_accounts: 'the accounts of all domains are put in the order of their addresses',
  campaign_preview_learners: 'each learner after the beginning of the page is compared with the audience',
  breach_services: 'the accounts in each breach are gathered',
  learning_rows_course_simulation: 'the recipients of the simulation are found first',
  learning_rows_learner_simulation: 'the recipients of the simulation are found first',
  learning_rows_simulation: 'the recipients of the simulation are found first',
  learning_rows_attempts_simulation: 'the recipients of the simulation are found first',
  overdue_by_manager: 'the open assignments of all learners are counted',
  campaign_progress_by_manager: 'the assignments of all learners in the campaign are counted',
  participation_attempts: 'the training courses are found first, and are few',
  participation_learners: 'the training courses are found first, and are few',
  participation_group: 'the training courses are found first, and are few',
  participation_profile: 'the training courses are found first, and are few',
  participation_past_all: 'the training courses are found first, and are few',
  participation_past_group: 'the training courses are found first, and are few',
  participation_past_profile: 'the training courses are found first, and are few',
  policy_figures: 'the signatures of each policy of the page are counted',
  policy_list: 'the drafts are found first, and are few',
  report_department_figures: 'what all learners have done is counted once, and not for each department',
  report_past_group_figures: 'the groups and the training courses are found first, and are few',
  report_group_figures: 'what all learners have done is counted once, and not for each group',
  simulation_list: 'the recipients of all simulations are counted',
  template_list: 'a function finds all that the company may see, and they are few',
};

/** Lists that are empty here, because the tests' sample parameters match no rows. */
const EMPTY = [
  'companies_report_by_activity',
  'companies_report_by_breaches',
  'companies_report_by_clicks',
  'companies_report_by_learners',
  'companies_report_by_name',
  'companies_report_by_overdue',
  'companies_report_by_reports',
  'companies_report_by_risk',
  'company_children',
  'due_assignments',
  'group_list_changed',
  'learner_list_changed',
  'learner_list_of_ids',
  'learner_list_of_mail_status',
  'learning_rows_learner_course',
  'learning_rows_learner_course_simulation',
  'policy_result_changed',
  'result_changed',
  'session_list_of_admin',
  'webhook_delivery_attempts',
  'webhook_delivery_attempts_delivered',
  'webhook_delivery_attempts_failed',
  'webhook_delivery_attempts_of_event',
];

/** The last id before the ids of the learners that `growTenant` adds. */
const LAST = id('1', 65_536);

let service: pg.Client;

beforeAll(async () => {
  // All added rows get the same policy, simulation and course.
  await asSuperuser(`set session_replication_role = replica;
    update policy_results set policy_id = '${policyId('tenant', 1)}' where learner_id > '${LAST}';
    update simulation_recipients set simulation_id = '${simulationId('tenant', 1)}' where learner_id > '${LAST}';
    update enrollments set course_owner_id = company_id, course_id = '${ownCourseId('tenant')}'
     where learner_id > '${LAST}';
    analyze policy_results; analyze simulation_recipients; analyze enrollments`);
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
  await service.query(`select set_config('app.company_id', $1, false)`, [companies.tenant]);
  await service.query('set max_parallel_workers_per_gather = 0');
});
afterAll(() => service.end());

interface Node {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Node[];
}

/** Returns the number of rows that a plan reads from tables, functions and indexes. */
function rowsRead(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const own = / Scan$/.test(node['Node Type']) ? (node['Actual Rows'] + removed) * node['Actual Loops'] : 0;
  return own + (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0);
}

const unfilled = new Proxy({}, { get: (_, name) => new Parameter(name as string) }) as never;

/** Maps sample values to the parameter names of a list. */
function named(list: Statement<never, unknown>, values: unknown[]): never {
  const places = list.values(companies.tenant, unfilled);
  const entries = places.flatMap((place, index) => (place instanceof Parameter ? [[place.name, values[index]]] : []));
  return Object.fromEntries(entries) as never;
}

/** Relative start positions of the pages. Near the end Postgres might underestimate the remaining rows. */
const DEPTHS = [0.5, 0.9, 0.97];

/** Returns the highest number of rows that a page of the list reads; undefined if the list is empty. */
async function rowsReadByPage(list: Statement<never, unknown>, params: object = {}): Promise<number | undefined> {
  const sample: object = named(list, await sampleValues(service, list));
  const values = list.values(companies.tenant, { ...sample, ...params } as never);
  const starts = await rowsAtDepths(list, values);
  if (starts.length === 0) return undefined;
  const read: number[] = [];
  for (const start of starts) read.push(await rowsReadAfter(start, list, values));
  return Math.max(...read);
}

/** Returns the rows of a list at `DEPTHS`; none if the list is empty. Runs the list once, because it is long. */
async function rowsAtDepths(list: Statement<never, unknown>, values: unknown[]): Promise<object[]> {
  const offsets = DEPTHS.map((depth) => `floor(list_length * ${depth})`).join(', ');
  const { rows } = await service.query<object>(
    `select * from (select list.*, row_number() over () - 1 as list_offset, count(*) over () as list_length
                      from (${list.text}) as list) as list
      where list_offset in (${offsets})`,
    values,
  );
  return rows;
}

async function rowsReadAfter(row: object, list: Statement<never, unknown>, values: unknown[]): Promise<number> {
  const keyset = toKeyset(list.ordered!.order, row);
  const page = pageAfter(list, false);
  return explainRowsRead(
    page.text,
    page.values(companies.tenant, { params: named(list, values), keyset, limit: LIMIT }),
  );
}

async function explainRowsRead(page: string, values: unknown[]): Promise<number> {
  const text = `explain (analyze, timing off, format json) ${page}`;
  const { rows } = await service.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(text, values);
  return rowsRead(rows[0]!['QUERY PLAN'][0].Plan);
}

const lists = allStatements().filter((one): one is Statement<never, unknown> => !one.isMutation && !!one.ordered);

test.each(lists.map((list) => [list.name, list] as const))(
  'a page of %s reads few rows, even deep in the list',
  async (name, list) => {
    const rows = await rowsReadByPage(list);
    if (EMPTY.includes(name)) expect(rows).toBeUndefined();
    else if (name in READS_MORE) expect(rows).toBeGreaterThan(MAX_ROWS);
    else expect(rows).toBeLessThan(MAX_ROWS);
  },
);

test('each exception is an existing list', () => {
  const named = [...Object.keys(READS_MORE), ...EMPTY];
  expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
});

describe('with a campaign for all added learners', () => {
  beforeAll(async () => {
    await testService.query(
      `insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, due_on, due_at, results_from)
       select company_id, $1, $2, id, 1, '2026-03-16', '2026-03-17Z', '2026-03-02' from learners
        where company_id = $3 and id > $4`,
      [campaignId('tenant'), ownCourseId('tenant'), companies.tenant, LAST],
    );
    await testService.query('analyze campaign_assignments');
  });

  test.each(['learning_rows_attempts_profile', 'policy_report_profile', 'policy_report_assigned_profile'])(
    'a page of %s reads few rows for the learners of the campaign',
    async (name) => {
      const list = lists.find((one) => one.name === name)!;
      const rows = await rowsReadByPage(list, { department: null, assignedBy: campaignId('tenant') });
      expect(rows).toBeLessThan(MAX_ROWS);
    },
  );
});

describe('with 20,000 learners who have signed and followed no link', () => {
  beforeAll(() =>
    asSuperuser(`set session_replication_role = replica;
      update policy_results set assigned_at = '2026-03-01Z', asked_at = '2026-03-01Z', signed = '2026-03-02Z',
                                signed_version_id = '${versionId('tenant', 1)}' where learner_id > '${LAST}';
      update simulation_recipients set visited_at = null, compromised_at = null where learner_id > '${LAST}';
      analyze policy_results; analyze simulation_recipients`),
  );

  test.each([
    ['repeat_clickers_all', { minimum: 1 }],
    ['policy_report_unsigned_all', { outcome: 'unsigned', policyId: null }],
  ])('the first page of %s reads few rows', async (name, params) => {
    const list = lists.find((one) => one.name === name)!;
    const sample: object = named(list, await sampleValues(service, list));
    const page = pageAfter(list, true);
    const given = page.values(companies.tenant, {
      params: { ...sample, ...params } as never,
      keyset: null,
      limit: LIMIT,
    });
    expect(await explainRowsRead(page.text, given)).toBeLessThan(MAX_ROWS);
  });
});
