/** @jest-environment-options {"TEST_DATABASE": "grown"} */
import pg from 'pg';
import { companies } from '../support/world.ts';
import { allStatements, sampleValues } from './samples.ts';

// Row-level security prevents the use of an index for a condition with a function that is not leakproof, such as
// lower(). The owner of the tables is exempt, so a statement that is much more expensive for the service has that
// problem.
const MAX_RATIO = 3;
/** Cost allowed for the policies' own conditions: Postgres assumes that a company watches ten domains. */
const MAX_MORE = 60;

let service: pg.Client;
let owner: pg.Client;

beforeAll(async () => {
  service = await connect(testService.database.serviceUrl);
  owner = await connect(testService.database.ownerUrl);
});
afterAll(() => Promise.all([service.end(), owner.end()]));

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`select set_config('app.company_id', $1, false)`, [companies.tenant]);
  // Parallel workers would make reading a whole table look cheap.
  await client.query('set max_parallel_workers_per_gather = 0');
  return client;
}

interface Estimate {
  cost: number;
  plan: string;
}

async function explain(client: pg.Client, text: string, values: unknown[]): Promise<Estimate> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return { cost: Number(/\.\.([\d.]+) rows=/.exec(plan)![1]), plan };
}

/** Describes a statement that row-level security makes expensive; returns an empty string for any other statement. */
async function judge(name: string, text: string, values: unknown[]): Promise<string> {
  const [held, free] = [await explain(service, text, values), await explain(owner, text, values)];
  if (held.cost <= free.cost * MAX_RATIO + MAX_MORE) return '';
  return `${name} costs the service ${held.cost}, the owner ${free.cost}:\n${held.plan}`;
}

test.each(allStatements().map((statement) => [statement.name, statement] as const))(
  'row-level security lets %s use its indexes',
  async (name, statement) => {
    expect(await judge(name, statement.text, await sampleValues(owner, statement))).toBe('');
  },
);

/** Matches each scan of learners in a plan, with its conditions. */
const SCANS = /Scan .*on learners\b.*\n(?:\s+(?:Index Cond|Recheck Cond|Filter): .*\n?)*/g;
const BY_ID = /Index Cond: .*\bid = /;

test.each(['learner_by_id', 'group_by_id', 'group_list'])(
  'no plan of %s reads learners other than by id',
  async (name) => {
    const statement = allStatements().find((one) => one.name === name)!;
    try {
      // Disables nested loops, because Postgres chooses them only with some statistics.
      await service.query('set enable_nestloop = off');
      const { plan } = await explain(service, statement.text, await sampleValues(owner, statement));
      expect(plan).toMatch(SCANS);
      expect(plan.match(SCANS)!.filter((scan) => !BY_ID.test(scan))).toEqual([]);
    } finally {
      await service.query('reset enable_nestloop');
    }
  },
);

test('the participation report counts groups in one pass over the memberships', async () => {
  const statement = allStatements().find(({ name }) => name === 'participation_tree')!;
  const { plan } = await explain(service, statement.text, await sampleValues(owner, statement));
  // A subplan per group would go through all learners each time.
  expect(plan.match(/Scan .*on group_learners/g)).toHaveLength(1);
  expect(plan).not.toMatch(/SubPlan/);
});

test.each(['learner_list', 'learner_list_by_id'])(
  '%s looks up the groups of each learner by index, without joins',
  async (name) => {
    const statement = allStatements().find((one) => one.name === name)!;
    const { plan } = await explain(service, statement.text, await sampleValues(owner, statement));
    expect(plan).toMatch(/SubPlan[^]*group_learners_learner[^]*Index Cond: .*learner_id = l\.id/);
    expect(plan).not.toMatch(/Join|Nested Loop/);
  },
);

test.each(
  allStatements()
    .map(({ name }) => name)
    .filter((name) => name.startsWith('learning_rows_') && !name.startsWith('learning_rows_past_')),
)('%s looks up the groups of each row by index, with any statistics', async (name) => {
  const statement = allStatements().find((one) => one.name === name)!;
  const values = await sampleValues(owner, statement);
  for (const setting of ['enable_nestloop', 'enable_hashjoin']) {
    try {
      await service.query(`set ${setting} = off`);
      const { plan } = await explain(service, statement.text, values);
      expect(plan).toMatch(/SubPlan[^]*group_learners_learner[^]*Index Cond: .*learner_id = (newest|gl)\.learner_id/);
      expect(plan).toMatch(/on groups g[^]*Index Cond: .*\bid = gl(_1)?\.group_id/);
      const scans = name === 'learning_rows_attempts_group' ? 3 : 2;
      expect(plan.match(/Scan .*on group(s|_learners)\b/g)).toHaveLength(scans);
      expect(plan).not.toMatch(/Seq Scan on group/);
    } finally {
      await service.query(`reset ${setting}`);
    }
  }
});

/** Matches each scan of messages in a plan, with its conditions. */
const MESSAGE_SCANS = /Scan .*on messages\b.*\n(?:\s+(?:Index Cond|Recheck Cond|Filter): .*\n?)*/g;

test.each(['policy_result_list', 'policy_result_profile', 'policy_result_of_learner'])(
  '%s reads only failed messages and those of its learners',
  async (name) => {
    const statement = allStatements().find((one) => one.name === name)!;
    const { plan } = await explain(service, statement.text, await sampleValues(owner, statement));
    const scans = plan.match(MESSAGE_SCANS)!;
    expect(scans).toHaveLength(2);
    expect(scans.filter((scan) => !/messages_failed|Index Cond: .*learner_id = /.test(scan))).toEqual([]);
  },
);

test('the check can fail: a lookup by lower(email) scans all admins', async () => {
  const text = 'select id from admins where company_id = $1 and lower(email) = $2';
  expect(await judge('admin_by_email', text, [companies.tenant, 'a@b.test'])).toMatch(
    /admin_by_email costs .*Seq Scan/s,
  );
});
