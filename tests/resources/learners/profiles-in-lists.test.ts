import { type Answer, expectError, get, patch } from '../../support/client.ts';
import { companies, learnerId, unknownId } from '../../support/world.ts';
import { policyId } from '../../support/world-policies.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { noProfile, PROFILE_COLUMNS } from '../reports/profile-state.ts';
import { readCsv } from '../reports/report-pages.ts';

// Tests the profile filters of simulation recipients and policy results. The tests of the reports cover which learners
// the filters match, and the rows (tests/resources/reports/learner-profiles.test.ts).

const learner = (number: 1 | 2 | 3) => learnerId('tenant', number);
const SIMULATION = `/simulations/${simulationId('tenant', 1)}`;
const POLICY = `/policies/${policyId('tenant', 1)}`;
const SIGNERS = `${POLICY}?outcome=all`;

async function setDepartment(number: 1 | 2, department: string | null): Promise<void> {
  const { firstName, lastName } = (await get(`/learners/${learner(number)}`)).body.data;
  const answer = await patch(`/learners/${learner(number)}`, { firstName, lastName, ...noProfile, department });
  expect(answer.status).toBe(200);
}

beforeEach(async () => {
  await setDepartment(1, 'Sales');
  await setDepartment(2, 'Sales');
});
afterEach(async () => {
  await setDepartment(1, null);
  await setDepartment(2, null);
});

test('a profile narrows the list and not the counts, also with an outcome and page by page', async () => {
  const { recipients, ...counts } = (await get(`${SIMULATION}?department=sales&outcome=visited`)).body.data;
  expect(recipients.map((recipient: any) => recipient.learner.id)).toEqual([learner(2)]);
  expect(counts).toMatchObject({ recipientCount: 4, visitCount: 1 });
  const { results, ...policy } = (await get(`${POLICY}?outcome=unsigned&department=sales`)).body.data;
  expect(results.map((result: any) => result.learner.id)).toEqual([learner(2)]);
  expect(policy).toMatchObject({ signedCount: 1, assignedCount: 2 });
  for (const [path, name] of [
    [`${SIMULATION}?`, 'recipients'],
    [`${SIGNERS}&`, 'results'],
  ] as const) {
    const first = await get(`${path}department=sales&limit=1`);
    const { nextCursor } = (first.body as any).page;
    const second = await get(`${path}department=sales&limit=1&cursor=${nextCursor}`);
    const ids = [first, second].flatMap(({ body }) => body.data[name].map((row: any) => row.learner.id));
    expect([ids, (second.body as any).page.nextCursor]).toEqual([[learner(1), learner(2)], null]);
  }
});

test('CSV files have the columns of the profile', async () => {
  for (const path of [`${SIMULATION}?department=sales`, `${SIGNERS}&department=sales`]) {
    const { columns, text } = await readCsv(path, 'tenant');
    expect(columns).toEqual(expect.arrayContaining(PROFILE_COLUMNS.map((name) => `learner.${name}`)));
    expect(text.match(/,Sales,/g)).toHaveLength(2);
  }
});

test("a learner's policy result is removed from the former department's list and changed in the new department's", async () => {
  const changes = async (since: string, department: string) => {
    const answer = await get(`${SIGNERS}&updatedSince=${since}&department=${department}`);
    return answer.body as unknown as Answer['body'] & { removed: object[]; syncedUntil: string };
  };
  const { syncedUntil } = await changes(new Date().toISOString(), 'Sales');
  await setDepartment(2, null);
  await setDepartment(1, 'Marketing');
  const sales = await changes(syncedUntil, 'Sales');
  expect([sales.data.results, sales.removed]).toEqual([[], [1, 2].map((n) => ({ learnerId: learner(n as 1 | 2) }))]);
  const marketing = await changes(syncedUntil, 'marketing');
  expect(marketing.data.results).toMatchObject([{ learner: { id: learner(1), department: 'Marketing' } }]);
});

test.each([
  [`${SIMULATION}?country=Germany`, 'query/country'],
  [`${SIMULATION}?managerId=boss`, 'query/managerId'],
  [`${POLICY}?department=Sales`, 'query/outcome'],
  [`${SIGNERS}&location=`, 'query/location'],
  [`${SIGNERS}&managerId=${learner(1)}&updatedSince=${new Date().toISOString()}`, 'query/managerId'],
])('%s returns 400 and names %s', async (path, field) => {
  expectError(await get(path), 400, 'invalid_request', [field]);
});

test('the manager of another company returns 404, and a child has only its own learners', async () => {
  for (const managerId of [learnerId('other', 1), unknownId]) {
    expectError(await get(`${SIMULATION}?managerId=${managerId}`), 404, 'not_found');
    expectError(await get(`${SIGNERS}&managerId=${managerId}`), 404, 'not_found');
  }
  const ofChild = `/simulations/${simulationId('childA', 1)}?companyId=${companies.childA}&department=sales`;
  expect((await get(ofChild, 'msp')).body.data.recipients).toEqual([]);
});
