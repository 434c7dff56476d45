import pg from 'pg';
import '../../src/auth/tenant-access.ts';
import { registeredStatements } from '../../src/db/statement.ts';
import '../../src/mail/message-repository.ts';
import '../../src/operations.ts';
import { TENANT_TABLES } from '../support/client.ts';
import { adminId, companies, groupId, learnerId, managedCourses, ownCourseId } from '../support/world.ts';
import { fileId, managedTemplate, policyId, templateId, versionId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';

const MARK = 'the company';
const EMPTY = '0192a3b4-0000-7000-8000-d00000000001';
const MESSAGE = '0192a3b4-0000-7000-8000-d00000000005';
const statements = registeredStatements().map((statement) => [statement.name, statement] as const);

/** Statements that have no scope to take away: they rest on row-level security alone. */
const UNSCOPED = ['learner_free_seats', 'course_gap_analysis'];

let service: pg.Client;

beforeAll(async () => {
  await testService.query(
    `insert into companies (id, name, account_type, plan_name) values ($1, 'Empty', 'tenant', 'business')`,
    [EMPTY],
  );
  await testService.query(
    `insert into messages (company_id, id, kind, learner_id, subject_ids) values ($1, $2, 'course_reminder', $3, '{}')`,
    [companies.tenant, MESSAGE, learnerId('tenant', 1)],
  );
  service = new pg.Client(testService.database.serviceUrl);
  await service.connect();
});
afterAll(() => service.end());

/** Values that would find rows of another company, whatever a statement asks for. */
const foreign: Record<string, unknown> = {
  learnerId: learnerId('tenant', 1),
  learnerIds: [1, 2, 3, 4, 5].map((number) => learnerId('tenant', number as 1)),
  groupId: groupId('tenant', 1),
  groupIds: [groupId('tenant', 1), groupId('tenant', 2)],
  target: companies.tenant,
  emails: ['learner1@tenant.test', 'learner2@tenant.test'],
  externalLearnerIds: ['HR-1', 'HR-2'],
  inactive: true,
  id: '0192a3b4-0000-7000-8000-d00000000002',
  ids: ['0192a3b4-0000-7000-8000-d00000000003', '0192a3b4-0000-7000-8000-d00000000004'],
  name: 'name',
  firstName: 'First',
  lastName: 'Last',
  firstNames: ['First', 'First'],
  lastNames: ['Last', 'Last'],
  locales: ['en', 'en'],
  excluded: [false, false],
  setsExternalLearnerId: false,
  adminId: adminId('tenant', 2),
  adminIds: [adminId('tenant', 1), adminId('tenant', 2)],
  email: 'new@tenant.test',
  token: 'token',
  tokenHash: Buffer.alloc(32),
  days: 7,
  courseId: ownCourseId('tenant'),
  courseIds: [ownCourseId('tenant')],
  targetIds: [ownCourseId('tenant'), managedCourses.phishing],
  type: 'training',
  source: null,
  messageId: MESSAGE,
  status: 'sent',
  attempts: 1,
  reason: 'reason',
  policyId: policyId('tenant', 1),
  policyIds: [policyId('tenant', 1), policyId('tenant', 2)],
  fileId: fileId('tenant'),
  versionId: versionId('tenant', 1),
  templateId: templateId('tenant', 1),
  templateIds: [templateId('tenant', 1)],
  companyIds: [companies.childA],
  simulationId: simulationId('tenant', 1),
  outcome: 'opened',
  publishedOnly: false,
  restrictToOwn: false,
  asks: ['everyone', 'unsigned'],
  dueDays: ['2030-01-01', '2030-01-01'],
  sha256: Buffer.alloc(32),
  content: Buffer.from('x'),
  major: 1,
  minor: 1,
  sizeBytes: 1,
  pageCount: 1,
  hours: 24,
  isPublic: false,
  useDefault: false,
  setDefault: false,
  isGlobal: false,
  companies: [],
  keepsFile: false,
};

function parameters(): never {
  return new Proxy({}, { ownKeys: () => Object.keys(foreign), getOwnPropertyDescriptor, get }) as never;
}
function get(_target: object, name: string): unknown {
  return foreign[name] ?? null;
}
function getOwnPropertyDescriptor(): PropertyDescriptor {
  return { enumerable: true, configurable: true };
}

/** The statement with every comparison with its company made true. */
function withoutScope(statement: ReturnType<typeof registeredStatements>[number]): string {
  const values = statement.values(MARK, parameters());
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
    await service.query("select set_config('app.company_id', $1, true)", [company]);
    return await service.query<{ id?: string }>(text, values);
  } finally {
    await service.query('rollback');
  }
}

test('there are statements to prove it with', () => {
  expect(statements.length).toBeGreaterThan(20);
});

describe.each(statements)('%s', (_name, statement) => {
  const values = statement.values(companies.tenant, parameters());
  const isInsert = /^\s*insert/i.test(statement.text);

  test('reaches no row of another company when its scope names that company', async () => {
    if (isInsert && !/\bfrom (learners|policy_results)\b/.test(statement.text)) {
      await expect(runAs(EMPTY, statement.text, values)).rejects.toThrow(/row-level security/);
      return;
    }
    const { rows, rowCount } = await runAs(EMPTY, statement.text, values);
    expectNothingForeign(rows, rowCount);
  });

  // An insert has no scope; what refuses its foreign row is shown above.
  if (isInsert) return;
  test('reaches no row of another company when its scope is taken away', async () => {
    const text = withoutScope(statement);
    if (!UNSCOPED.includes(statement.name)) expect(text).not.toBe(statement.text);
    const { rows, rowCount } = await runAs(EMPTY, text, values);
    expectNothingForeign(rows, rowCount);
  });
});

/** A company without people finds at most itself and the managed catalogue, and counts nothing. */
function expectNothingForeign(rows: { id?: string }[], rowCount: number | null): void {
  const own = [EMPTY, managedTemplate, ...Object.values(managedCourses)];
  const foreignRows = rows.filter(
    (row) => !own.includes(row.id!) && Object.values(row).some((value) => !isNothing(value)),
  );
  expect(foreignRows).toEqual([]);
  if (rows.length === 0) expect(rowCount).toBe(0);
}

function isNothing(value: unknown): boolean {
  return value === null || value === 0 || value === 'Empty' || (Array.isArray(value) && value.length === 0);
}

test('the proof can fail: with row-level security off, the same query finds the rows', async () => {
  const statement = registeredStatements().find(({ name }) => name === 'learner_list')!;
  await testService.query('alter table learners disable row level security');
  const { rows } = await runAs(EMPTY, statement.text, statement.values(companies.tenant, parameters()));
  await testService.query('alter table learners enable row level security');
  expect(rows).toHaveLength(5);
});

test('without a company nothing is seen at all', async () => {
  for (const table of ['companies', ...TENANT_TABLES]) {
    expect((await service.query(`select * from ${table}`)).rows).toEqual([]);
  }
});

test('the service may not read keys, nor change a company', async () => {
  await expect(service.query('select * from api_keys')).rejects.toThrow(/permission denied/);
  await expect(service.query(`update companies set plan_name = 'x'`)).rejects.toThrow(/permission denied/);
});
