import pg from 'pg';
import { TENANT_TABLES } from '../support/client.ts';
import { companies, groupId, id, learnerId, managedCourses } from '../support/world.ts';
import { managedTemplate } from '../support/world-policies.ts';
import { MESSAGE } from './large-company.ts';
import { allStatements, sampleValues } from './samples.ts';

const MARK = 'the company';
const EMPTY = id('d', 2);
const statements = allStatements().map((statement) => [statement.name, statement] as const);

/** Statements without a scope to remove, which rely only on row-level security. */
const UNSCOPED = [
  'audit_entry_insert',
  'identity_provider_lock_places',
  'audit_reads_of_children',
  'course_begin_removal',
  'course_gap_analysis',
  'campaign_lock_external_id',
  'course_keep',
  'event_after_of_children',
  'event_at_of_children',
  'campaign_complete_assignments',
  'campaign_move_due_dates',
  'event_between_of_children',
  'event_together_of_children',
  'event_write',
  'message_invites',
  'message_job',
  'template_adopt',
  'role_lock_places',
  'board_schedule_lock_places',
];
/** Values of the server that belong to no company. */
const OF_SERVER = ['transactionId', 'now', 'today', 'log'];

/** A company that must find nothing, and rows of `tenant` in tables that the test world leaves empty. */
const ROWS = [
  `insert into companies (id, name, account_type, plan_name) values ('${EMPTY}', 'Empty', 'tenant', 'business')`,
  `insert into messages (company_id, id, kind, learner_id, subject_ids)
   values ('${companies.tenant}', '${MESSAGE}', 'course_reminder', '${learnerId('tenant', 1)}', '{}')`,
  `insert into simulation_recipient_addresses
   select company_id, simulation_id, 'learner1@tenant.test', learner_id, '2030-01-01' from simulation_recipients
    where company_id = '${companies.tenant}'`,
  `insert into risk_history values ('${companies.tenant}', '2030-01-01', 10, 1, 0, 0, 0)`,
  `insert into learner_risks values ('${companies.tenant}', '${learnerId('tenant', 1)}', '2030-01-01', 10)`,
  `insert into group_risks values ('${companies.tenant}', '${groupId('tenant', 1)}', '2030-01-01', 2, null, 10)`,
  `insert into company_settings values ('${companies.tenant}', 5)`,
  `insert into webhook_delivery_attempts (company_id, endpoint_id, id, event_id, event_type, number, tried_at, duration_ms, delivered,
                              status, answer)
   select company_id, id, id, id, 'webhook.test', 1, now(), 1, false, 500, 'broken' from webhook_endpoints
    where company_id = '${companies.tenant}'`,
];

let service: pg.Client;

beforeAll(async () => {
  for (const text of ROWS) await testService.query(text);
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
});
afterAll(() => service.end());

/** Returns the statement's text with every comparison with the company made true. */
function withoutScope(statement: ReturnType<typeof allStatements>[number]): string {
  const values = statement.values(MARK, {} as never);
  const places = values.flatMap((value, index) => (value === MARK ? [`\\$${index + 1}(?!\\d)`] : []));
  if (places.length === 0) return statement.text;
  const ofCompany = `(${places.join('|')})`;
  const comparison = `("?\\w+"?\\.)?"?\\w+"? = ${ofCompany}|managed_by @> array\\[${ofCompany}::uuid\\]`;
  return statement.text.replace(new RegExp(comparison, 'g'), (scope) => `(${scope} or true)`);
}

/** Runs a statement in the scope of a company and rolls it back. */
async function runAs(company: string, text: string, values: unknown[]): Promise<pg.QueryResult<{ id?: string }>> {
  await service.query('begin');
  try {
    // The service sets the company in this form on Citus, where a different form would hide all rows.
    await service.query(`set local app.company_id = '${company}'`);
    return await service.query<{ id?: string }>(text, values);
  } finally {
    await service.query('rollback');
  }
}

test('statements are registered', () => {
  expect(statements.length).toBeGreaterThan(20);
});

describe.each(statements)('%s', (_name, statement) => {
  const isInsert = /^\s*(with \w+ as \(\s*)?insert/i.test(statement.text);

  test('reaches no row of another company if its scope names that company', async () => {
    const values = await sampleValues(service, statement);
    if (
      isInsert &&
      !/\bfrom (learners|admins|policy_results|courses|enrollments e|webhook_endpoints e|learner_merge_records r|\w+ t)\b/.test(
        statement.text,
      )
    ) {
      await expect(runAs(EMPTY, statement.text, values)).rejects.toThrow(/row-level security/);
      return;
    }
    const { rows, rowCount } = await runAs(EMPTY, statement.text, values);
    expectNothingForeign(rows, rowCount);
  });

  // An insert has no scope; the test above shows that its foreign row is rejected.
  if (isInsert) return;
  test('reaches no row of another company if its scope is removed', async () => {
    const text = withoutScope(statement);
    if (!UNSCOPED.includes(statement.name)) expect(text).not.toBe(statement.text);
    const { rows, rowCount } = await runAs(EMPTY, text, await sampleValues(service, statement));
    expectNothingForeign(rows, rowCount);
  });
});

/**
 * Expects no rows of other companies. A company without people finds at most itself and the managed catalogue, and
 * counts nothing.
 */
function expectNothingForeign(rows: { id?: string; courseId?: string }[], rowCount: number | null): void {
  const own = [EMPTY, managedTemplate, ...Object.values(managedCourses)];
  const foreignRows = rows.filter(
    (row) =>
      !own.includes(row.id ?? row.courseId!) &&
      Object.entries(row).some(([name, value]) => !OF_SERVER.includes(name) && !isNothing(value)),
  );
  expect(foreignRows).toEqual([]);
  if (rows.length === 0) expect(rowCount).toBe(0);
}

function isNothing(value: unknown): boolean {
  return value === null || value === 0 || value === 'Empty' || (Array.isArray(value) && value.length === 0);
}

test('the check can fail: without row-level security the same query finds the rows', async () => {
  const statement = allStatements().find(({ name }) => name === 'learner_list')!;
  await testService.query('alter table learners disable row level security');
  const { rows } = await runAs(EMPTY, statement.text, await sampleValues(service, statement));
  await testService.query('alter table learners enable row level security');
  expect(rows).toHaveLength(5);
});

test('without a company no row is visible', async () => {
  for (const table of ['companies', ...TENANT_TABLES]) {
    expect((await service.query(`select * from ${table}`)).rows).toEqual([]);
  }
});

test("the service cannot read key hashes, nor change keys' permissions or companies", async () => {
  for (const text of ['select *', 'select key_hash'])
    await expect(service.query(`${text} from api_keys`)).rejects.toThrow(/permission denied/);
  for (const change of ['scopes = null', 'company_id = current_company()', `key_hash = ''`])
    await expect(service.query(`update api_keys set ${change}`)).rejects.toThrow(/permission denied/);
  await expect(service.query('delete from api_keys')).rejects.toThrow(/permission denied/);
  expect((await service.query('select id from api_keys')).rows).toEqual([]);
  await expect(service.query(`update companies set plan_name = 'x'`)).rejects.toThrow(/permission denied/);
});
