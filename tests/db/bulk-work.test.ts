/** @jest-environment-options {"TEST_POOLER": "none", "TEST_THREADS": "none", "TEST_REPLICA": "none", "RATE_LIMIT_PER_MINUTE": "100000", "STATEMENT_TIMEOUT_MS": "120000"} */
import { call, TENANT_TABLES } from '../support/client.ts';
import { companies, groupId, keys, managedCourses, ownCourseId } from '../support/world.ts';
import { policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';
import { asSuperuser, type ExecutedPlan, reportPlans, takePlans } from './executed-plans.ts';

// The work of a bulk call must grow linearly with its items, whatever statistics Postgres has. A database that was just
// filled has no statistics, or statistics of its first few rows, and its sessions cache plans for these few rows. The
// tests count the rows read by plans, so a busy machine does not affect them.

const ITEMS = 800;
/**
 * Maximum number of rows that all plans of a call together read for each item. A plan that compares all items with each
 * other reads `ITEMS` rows for each item.
 */
const MAX_ROWS_AN_ITEM = 300;

/** Call without a row limit: its response can look up each manager by any index, because a group has few managers. */
const MANY_MANAGERS = 'PUT …/managers';

type Company = 'tenant' | 'other' | 'childA';

async function send(company: Company, method: string, path: string, body: unknown): Promise<any> {
  const answer = await call(company, method, path, { body, alone: false });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
  return answer.body.data;
}

async function sendScim(company: Company, method: string, path: string, body: unknown): Promise<void> {
  const headers = { authorization: `Bearer ${keys[company]}`, 'content-type': 'application/scim+json' };
  const response = await fetch(`${testService.url}/scim/v2${path}`, { method, headers, body: JSON.stringify(body) });
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

/** A call with the plans that the service executed for it. */
interface Measured {
  call: string;
  plans: ExecutedPlan[];
}

async function runAll(company: Company, count: number, round = 0): Promise<Measured[]> {
  const measured: Measured[] = [];
  let ids: string[] = [];
  const emailOf = (index: number) => `bulk${round}.${index}@${company}.test`;
  const step = async (name: string, run: () => Promise<unknown>) => {
    testService.notices.length = 0;
    await run();
    // Notices arrive before the result of their statement.
    measured.push({ call: name, plans: takePlans(count) });
  };
  const group = groupId(company, 1);
  const other = groupId(company, 2);
  const courseIds = [ownCourseId(company), managedCourses.phishing];
  const policyIds = [policyId(company, 1)];
  const now = () => new Date().toISOString();
  const update = (name: string, item: (id: string, index: number) => object) =>
    step(`PATCH /learners/bulk ${name}`, () =>
      send(company, 'PATCH', '/learners/bulk', { learners: ids.map(item) }).then((data) => {
        expect(data.errors).toEqual([]);
      }),
    );
  await step('POST /learners/bulk', async () => {
    const learners = Array.from({ length: count }, (_, index) => ({
      ...{ email: emailOf(index), firstName: 'Ada', lastName: `No ${index}`, externalLearnerId: `B-${round}-${index}` },
      groupIds: [group],
    }));
    const { created, errors } = await send(company, 'POST', '/learners/bulk', { learners });
    expect(errors).toEqual([]);
    ids = created.map(({ learnerId }: { learnerId: string }) => learnerId);
  });
  const pairs = { learnerIds: ids, courseIds };
  const enrol = () => send(company, 'POST', '/course-enrollments', pairs);
  await step('POST /course-enrollments', enrol);
  await step('POST /course-enrollments again', enrol);
  await step('POST /course-unenrollments', () => send(company, 'POST', '/course-unenrollments', pairs));
  await step('POST /course-enrollments after removal', enrol);
  await step('POST /course-reminders', () => send(company, 'POST', '/course-reminders', pairs));
  const results = () =>
    send(company, 'POST', '/course-results', {
      results: ids.map((id, index) => ({
        ...{ learner: { id }, course: { id: courseIds[0] }, startedAt: now(), finishedAt: now(), score: 90 },
        eventId: `bulk-${round}-${index}`,
      })),
    });
  await step('POST /course-results', results);
  await step('POST /course-results again', results);
  await step('POST /course-enrollments after a finish', enrol);
  const learnersAlone = { learnerIds: ids };
  await step('POST /gap-analysis/enrollments', () => send(company, 'POST', '/gap-analysis/enrollments', learnersAlone));
  await step('POST /gap-analysis/reminders', () => send(company, 'POST', '/gap-analysis/reminders', learnersAlone));
  await update('by id', (id) => ({ learner: { id }, lastName: 'By Id' }));
  await update('by email', (_, index) => ({ learner: { email: emailOf(index) }, lastName: 'By Email' }));
  await update('by externalLearnerId', (_, index) => ({
    learner: { externalLearnerId: `B-${round}-${index}` },
    lastName: 'By Number',
  }));
  await update('of addresses', (id, index) => ({ learner: { id }, email: `moved.${emailOf(index)}` }));
  await update('of numbers', (id, index) => ({ learner: { id }, externalLearnerId: `C-${round}-${index}` }));
  await update('of groups', (id) => ({ learner: { id }, addGroupIds: [other], removeGroupIds: [group] }));
  await update('that changes nothing', (id) => ({ learner: { id }, lastName: 'By Number' }));
  const of = (id: string, action: string) => `/groups/${id}/learners/${action}`;
  await step('POST …/learners/add', () => send(company, 'POST', of(group, 'add'), { learnerIds: ids }));
  await step('POST …/learners/remove', () => send(company, 'POST', of(other, 'remove'), { learnerIds: ids }));
  await step('POST /group-membership/move', () =>
    send(company, 'POST', '/group-membership/move', { fromGroupId: group, toGroupId: other, learnerIds: ids }),
  );
  await step(MANY_MANAGERS, () => send(company, 'PUT', `/groups/${group}/managers`, { managerIds: ids }));
  const members = ids.map((value) => ({ value }));
  const patchGroup = (Operations: object[]) =>
    sendScim(company, 'PATCH', `/Groups/${group}`, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations,
    });
  await step('SCIM add members', () => patchGroup([{ op: 'add', path: 'members', value: members }]));
  await step('SCIM replace members', () =>
    patchGroup([{ op: 'replace', path: 'members', value: members.slice(0, count / 2) }]),
  );
  await step('SCIM remove members', () => patchGroup([{ op: 'remove', path: 'members' }]));
  const assigned = { learnerIds: ids, policyIds };
  await step('POST /policy-assignments', () => send(company, 'POST', '/policy-assignments', assigned));
  await step('POST /policy-reminders', () => send(company, 'POST', '/policy-reminders', assigned));
  const signatures = () =>
    send(company, 'POST', '/policy-signatures', {
      signatures: ids.map((id, index) => ({
        ...{
          learner: { id },
          policyId: policyIds[0],
          signedAt: now(),
          offline: true,
          eventId: `bulk-${round}-${index}`,
        },
      })),
    });
  await step('POST /policy-signatures', signatures);
  await step('POST /policy-signatures again', signatures);
  await step('POST /policy-removals', () => send(company, 'POST', '/policy-removals', assigned));
  const events = () =>
    send(company, 'POST', '/simulation-events', {
      events: ids.map((id, index) => ({
        ...{ simulation: { id: simulationId(company, 1) }, learner: { id }, type: 'visited', occurredAt: now() },
        ...{ evidence: { address: '198.51.100.7', userAgent: 'Mozilla/5.0', input: true } },
        eventId: `bulk-${round}-${index}`,
      })),
    });
  await step('POST /simulation-events', events);
  await step('POST /simulation-events again', events);
  await step('POST /learners/deactivate', () => send(company, 'POST', '/learners/deactivate', learnersAlone));
  await step('POST /learners/activate', () => send(company, 'POST', '/learners/activate', learnersAlone));
  await step('DELETE /learners/bulk', () => send(company, 'DELETE', '/learners/bulk', learnersAlone));
  return measured;
}

/** Describes each call that read too much, with the statement that read the most. */
function excessOf(measured: readonly Measured[]): string[] {
  return measured.flatMap(({ call, plans }) => {
    if (plans.length === 0) return [`${call}: no plan was reported`];
    const [worst] = Object.values(Object.groupBy(plans, ({ text }) => text))
      .map((ofText) => ({ text: ofText![0]!.text, rows: sumRows(ofText!) }))
      .toSorted((a, b) => b.rows - a.rows);
    const rows = sumRows(plans);
    if (!worst || rows < MAX_ROWS_AN_ITEM * ITEMS || call === MANY_MANAGERS) return [];
    const inShort = worst.text.replace(/\s+/g, ' ').slice(0, 200);
    return [`${call}: ${rows / ITEMS} rows an item, ${worst.rows / ITEMS} of them in ${inShort}`];
  });
}

function sumRows(plans: readonly ExecutedPlan[]): number {
  return plans.reduce((sum, { rows }) => sum + rows, 0);
}

beforeAll(async () => {
  const tables = `select format('alter table %s set (autovacuum_enabled = false)', oid::regclass) as text from pg_class
                   where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  const rows = await testService.query(tables);
  await asSuperuser(...rows.map(({ text }) => text as string));
  await reportPlans();
});

if (process.env.TEST_CITUS_BIN) test.skip('plans of Citus differ from those of plain Postgres', () => undefined);
else {
  test('the work of a bulk call is linear with the statistics and plans of a small company', async () => {
    await asSuperuser('analyze');
    // Postgres keeps the plan of a prepared statement from its sixth execution on.
    for (let round = 1; round <= 7; round++) await runAll('tenant', 2, round);
    expect(excessOf(await runAll('tenant', ITEMS))).toEqual([]);
  });

  test('the work of a bulk call is linear in a company without statistics', async () => {
    const tables = (await testService.query(
      `select attrelid::regclass::text as name, string_agg(quote_ident(attname), ', ') as columns from pg_attribute
        where attrelid = any($1::regclass[]) and attnum > 0 and not attisdropped and attgenerated = '' group by 1`,
      [TENANT_TABLES],
    )) as { name: string; columns: string }[];
    const rows = (name: string) => `from ${name} where company_id = '${companies.other}'`;
    await asSuperuser(
      'set session_replication_role = replica',
      ...tables.map(({ name, columns }) => `create temp table kept_${name} as select ${columns} ${rows(name)}`),
      ...tables.map(({ name }) => `delete ${rows(name)}`),
      'analyze',
      ...tables.map(({ name, columns }) => {
        return `insert into ${name} (${columns}) overriding system value select * from kept_${name}`;
      }),
    );
    expect(excessOf(await runAll('other', ITEMS))).toEqual([]);
  });

  test('the work of a bulk call is linear without any statistics', async () => {
    await asSuperuser(
      'delete from pg_statistic',
      `update pg_class set reltuples = -1, relpages = 0 where relnamespace = 'public'::regnamespace`,
    );
    expect(excessOf(await runAll('childA', ITEMS))).toEqual([]);
  });
}
