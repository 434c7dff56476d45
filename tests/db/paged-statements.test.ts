import type pg from 'pg';
import { operations } from '../../generated/operations.ts';
import { tools } from '../../generated/tools.ts';
import type { Caller } from '../../src/auth/caller.ts';
import { BreachFeed } from '../../src/breach-feed/breach-feed.ts';
import { LocalSource } from '../../src/breach-feed/local-source.ts';
import { openPool } from '../../src/db/pool.ts';
import type { Place } from '../../src/db/list-order.ts';
import { Rows } from '../../src/db/rows.ts';
import { registeredStatements, type Statement } from '../../src/db/statement.ts';
import { createTenantReader, createTenantWriter } from '../../src/db/tenant-session.ts';
import type { TenantReader } from '../../src/db/tenant.ts';
import { createLogs } from '../../src/logger.ts';
import { SealedSecrets } from '../../src/auth/sealed-secrets.ts';
import { createHandlers, type Handlers } from '../../src/operations/operations.ts';
import { insertLearners } from '../resources/tenant-state.ts';
import { routeOfService } from '../support/routes.ts';
import { companies, learnerId, managedCourses } from '../support/world.ts';
import { firstIdsOf } from '../support/world-ids.ts';
import { worldFeed } from '../support/world-breaches.ts';
import { policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';

/** Those of tools, and some that have none. */
type Operation = keyof Handlers &
  ((typeof tools)[number]['operations'][number]['operationId'] | 'listApiKeys' | 'listSources');
type Input = Record<string, unknown>;

/** A company that has children and a few hundred of everything, most of it alike but for its id. */
const COMPANY = 'msp';
const LEARNER = learnerId(COMPANY, 1);
const numbered = (kind: string) => `('0192b00${kind}-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;

let pool: pg.Pool;
let handlers: Handlers;
const read = new Set<string>();

/** A tenant handle that remembers which lists were asked for. */
function watched(tenant: TenantReader): TenantReader {
  return {
    companyId: tenant.companyId,
    find: (statement, params) => tenant.find(statement, params),
    all: (statement, params) => tenant.all(statement, params),
    rows<P, R>(statement: Statement<P, R>, params: P, batchSize?: number) {
      read.add(statement.name);
      return tenant.rows(statement, params, batchSize);
    },
  };
}

/** Every list in the answer of an operation, run as a tool runs it. */
async function listsOf(operationId: Operation, input: Input): Promise<Rows<unknown>[]> {
  const id = companies[COMPANY];
  const caller: Caller = {
    companyId: id,
    accountType: 'msp',
    keyId: 'key',
    modules: [],
    scopes: null,
    expiresAt: null,
  };
  const handler = handlers[operationId] as (input: Input, tenant: TenantReader, caller: Caller) => unknown;
  const answer = await handler(input, watched(createTenantReader(pool, id, id)), caller);
  return [answer, ...Object.values(answer as object)].filter((value) => value instanceof Rows);
}

async function wholeOf(rows: Rows<unknown>): Promise<unknown[]> {
  const cursor = await rows.open();
  const all: unknown[] = [];
  for (let last = false; !last;) {
    const batch = await cursor.next();
    all.push(...batch.rows);
    last = batch.last;
  }
  return JSON.parse(`[${rows.json(all)}]`) as unknown[];
}

beforeAll(async () => {
  const company = companies[COMPANY];
  await insertLearners(COMPANY, 150);
  const inserts = [
    `insert into groups (company_id, id, name) select $1, ${numbered('1')}, 'Numbered ' || n from generate_series(1, 120) as n`,
    `insert into admins (company_id, id, email, first_name, last_name, status)
     select $1, ${numbered('2')}, 'same' || n || '@msp.test', 'Same', 'Name', 'active' from generate_series(1, 120) as n`,
    `insert into simulations (company_id, id, name, status, delivery_method, start_date)
     select $1, ${numbered('3')}, 'Same', 'running', 'email', '2026-01-01Z' from generate_series(1, 120) as n`,
    `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, sent_at)
     select $1, s.id, l.id, '2030-01-01Z', case when l.id = '${LEARNER}' then null else timestamptz '2030-01-01Z' end
       from simulations s, learners l where s.company_id = $1 and l.company_id = $1 and s.name = 'Same'
        and l.id in ('${LEARNER}', '${learnerId(COMPANY, 2)}')`,
    `insert into simulation_recipients (company_id, simulation_id, learner_id)
     select $1, '${simulationId(COMPANY, 2)}', id from learners where company_id = $1 and email like 'many%'`,
    `update simulation_recipients set sent_at = '2026-03-02Z', compromised_at = '2026-03-02Z', reported_at = '2026-03-02Z'
      where company_id = $1 and simulation_id = '${simulationId(COMPANY, 2)}'`,
    `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
     select $1, ${numbered('4')}, 'training', 'Same', 'Same', 'Same', 1, 80, '{en}' from generate_series(1, 120) as n`,
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select $1, '${LEARNER}', id, $1, '2026-03-02' from courses where owner_id = $1 and name = 'Same'`,
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select $1, id, '${managedCourses.passwords}', managed_catalogue(), '2026-03-02' from learners
      where company_id = $1 and email like 'many%'`,
    `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
     select $1, id, '${managedCourses.gapAnalysis}', managed_catalogue(), '2026-03-02' from learners
      where company_id = $1 and email like 'many%'`,
    `insert into policies (company_id, id, name, is_public, major_version, minor_version, file_id)
     select company_id, ${numbered('5')}, 'Same', false, 1, 0, file_id from policies, generate_series(1, 120) as n
      where company_id = $1 and id = '${policyId(COMPANY, 3)}'`,
    `insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at)
     select $1, ('0192b006' || substr(id::text, 9))::uuid, id, '${LEARNER}', now(), now() from policies
      where company_id = $1 and name = 'Same'`,
    `insert into policy_templates (company_id, id, name, locales)
     select $1, ${numbered('7')}, 'Same', '{en}' from generate_series(1, 120) as n`,
    `insert into companies (id, name, account_type, parent_id, managed_by, plan_name)
     select ${numbered('8')}, 'Same', 'tenant', $1, array[$1::uuid], 'business' from generate_series(1, 120) as n`,
    `insert into risk_history (company_id, date, average_score, low_count, moderate_count, high_count, critical_count)
     select $1, date '2026-01-01' + n, 30, 1, 1, 0, 0 from generate_series(0, 119) as n`,
  ];
  for (const text of inserts) await testService.query(text, [company]);
  pool = openPool({
    ...routeOfService(),
    poolSize: 5,
    statementTimeoutMs: 5000,
    connectTimeoutMs: 2000,
    onIdleError: () => undefined,
  });
  const { logger } = createLogs('silent');
  const breachFeed = new BreachFeed({ pool, source: new LocalSource(worldFeed), logger });
  const ownCompany = ({ companyId }: Caller) => createTenantWriter(pool, companyId);
  const sealedSecrets = new SealedSecrets([]);
  const webhookRules = { ports: [], ownHosts: [], allowsLoopback: false };
  const enterReads = () => Promise.resolve();
  const services = {
    breachFeed,
    freeMail: new Set<string>(),
    sealedSecrets,
    webhookRules,
    ownCompany,
    enterReads,
  };
  handlers = createHandlers(services);
  await listsOf('listBreachAccounts', {});
  await testService.query(
    `insert into breaches (name, title, category, breach_date, data_classes)
     select 'same' || n, 'Same', 'x', case when n % 2 = 0 then date '2023-01-01' end, array['Names'] from generate_series(1, 120) as n`,
  );
  await testService.query(
    `insert into breached_accounts (domain, email, breach_id)
     select 'msp.test', 'learner1@msp.test', id from breaches where title = 'Same'
     union select 'msp.test', 'same' || n || '@msp.test', id from breaches, generate_series(1, 120) as n where name = 'same1'`,
  );
  await testService.query(
    `insert into api_keys (id, company_id, public_id, key_hash, name)
     select new_id(), $1, 'same' || n, sha256(n::text::bytea), 'Same' from generate_series(1, 120) as n`,
    [companies[COMPANY]],
  );
  await testService.query(
    `insert into sources (company_id, id, name, kind, secret_hash)
     select $1, new_id(), 'Same', 'xapi', sha256(n::text::bytea) from generate_series(1, 120) as n`,
    [companies[COMPANY]],
  );
});
afterAll(() => pool.end());

const cases: [Operation, Input][] = [
  ['listCompanies', {}],
  ['listAdmins', {}],
  ['listApiKeys', {}],
  ['listSources', {}],
  ['listLearners', {}],
  ['listGroups', {}],
  ['listCourses', { type: 'all', source: 'all' }],
  ['listCourses', { type: 'training', source: 'custom' }],
  ['listPolicies', {}],
  ['listPolicies', { publishedOnly: true, pdfOnly: true }],
  ['getPolicy', { policyId: policyId(COMPANY, 1), outcome: 'all' }],
  ['getPolicy', { policyId: policyId(COMPANY, 1), outcome: 'unsigned' }],
  ['listPolicyTemplates', {}],
  ['listPolicyTemplates', { restrictToOwn: true, publishedOnly: false }],
  ['listSimulations', {}],
  ['getSimulation', { simulationId: simulationId(COMPANY, 2) }],
  ['getSimulation', { simulationId: simulationId(COMPANY, 2), outcome: 'opened' }],
  ['listBreachAccounts', {}],
  ['listBreachAccounts', { accountType: 'nonLearner' }],
  ['listBreachServices', {}],
  ['listBreachServices', { hasAffectedAccounts: true, accountType: 'employee' }],
  ['listBreachServices', { hasAffectedAccounts: false }],
  ['listLearnerBreaches', { learnerId: LEARNER }],
  ['listLearnerCourseResults', { learnerId: LEARNER }],
  ['listLearnerGapAnalysisResults', { learnerId: learnerId(COMPANY, 2) }],
  ['listLearnerPolicyResults', { learnerId: LEARNER }],
  ['listLearnerPolicyResults', { learnerId: LEARNER, policyId: policyId(COMPANY, 1) }],
  ['listLearnerSimulationQueue', { learnerId: LEARNER }],
  ['listLearnerSimulationResults', { learnerId: learnerId(COMPANY, 2) }],
  ['getCourseParticipationReport', {}],
  ['getCourseResultsReport', {}],
  ['getGapAnalysisResultsReport', {}],
  ...learningCases(),
  ['getRiskScoreHistoryReport', { fromDate: '2026-01-01', toDate: '2026-12-31' }],
];

/** Every way to narrow the learning report: each is a statement of its own. */
function learningCases(): [Operation, Input][] {
  const either = (filter: Input) => [{}, filter];
  return either({ learnerId: LEARNER }).flatMap((learner) =>
    either({ courseId: managedCourses.passwords }).flatMap((course) =>
      either({ simulationId: simulationId(COMPANY, 2), outcome: 'visited' }).flatMap((simulation) =>
        either({ status: 'unfinished' }).map((status): [Operation, Input] => [
          'getLearningReport',
          { ...learner, ...course, ...simulation, ...status },
        ]),
      ),
    ),
  );
}

/** The other operations whose answer has a list, which may be answered in one piece or be empty here. */
const others = tools.flatMap(({ operations: behind }) =>
  behind
    .filter(({ operationId, rows }) => rows !== null && !cases.some(([one]) => one === operationId))
    .map(({ operationId }): [Operation, Input] => [operationId, firstIdsOf(COMPANY, operations[operationId].pathIds)]),
);

/** The pages of a list, each begun behind the last row of the one before. */
async function pagesOf(rows: Rows<unknown>, limit: number): Promise<unknown[]> {
  const pages: unknown[] = [];
  let place: Place | null = null;
  do {
    const { page, next }: { page: Rows<unknown>; next: Place | null } = await rows.behind(place, limit);
    const items = await wholeOf(page);
    expect(items).toHaveLength(next ? limit : items.length);
    pages.push(...items);
    place = next && (JSON.parse(JSON.stringify(next)) as Place);
  } while (place);
  return pages;
}

async function expectParts(rows: Rows<unknown>): Promise<void> {
  const whole = await wholeOf(rows);
  if (rows.order) for (const limit of [13, 50, whole.length || 1]) expect(await pagesOf(rows, limit)).toEqual(whole);
  for (const limit of [13, 50, whole.length]) {
    const parts: unknown[] = [];
    for (let offset = 0; offset < whole.length; offset += limit) {
      const { items, total } = await rows.page(offset, limit);
      expect(items.length).toBe(Math.min(limit, whole.length - offset));
      expect(total).toBe(whole.length);
      parts.push(...(JSON.parse(JSON.stringify(items)) as unknown[]));
    }
    expect(parts).toEqual(whole);
  }
  expect(await rows.page(whole.length, 10)).toEqual({ items: [], total: whole.length });
  expect(await rows.page(999_999_999, 200)).toEqual({ items: [], total: whole.length });
}

test.each([...cases, ...others])(
  '%s %j: its parts put together are the list, as are its pages, and it is as long as it is counted',
  async (operationId, input) => {
    for (const rows of await listsOf(operationId, input)) await expectParts(rows);
  },
);

test.each(cases)('%s %j: there is something in each of its lists', async (operationId, input) => {
  const lists = await listsOf(operationId, input);
  expect(lists.length).toBeGreaterThan(0);
  for (const rows of lists) expect((await rows.page(0, 1)).items).toHaveLength(1);
});

test('in a list of a hundred and more, half of its parts begin among rows that are alike', async () => {
  for (const [operationId, input] of cases.filter(([, given]) => Object.keys(given).length === 0)) {
    const [rows] = await listsOf(operationId, input);
    expect({ operationId, isLong: (await rows!.page(0, 1)).total > 100 }).toEqual({ operationId, isLong: true });
  }
});

test('these cases run every statement that is a list', () => {
  const named = registeredStatements().map(({ name }) => name);
  expect(named).toEqual(expect.arrayContaining([...read]));
  const likeLists = named.filter((name) =>
    /_list$|_of_learner$|^learning_rows_|^participation_(courses|learners)$/.test(name),
  );
  expect([...read]).toEqual(expect.arrayContaining(likeLists));
});
