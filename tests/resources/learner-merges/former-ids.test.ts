/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test"} */
import { del, expectError, get, patch, post, put } from '../../support/client.ts';
import { learnerId, unknownId } from '../../support/world.ts';
import { policyId } from '../../support/world-policies.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { forgetSimulations, makeDraft } from '../../support/own-simulations.ts';
import { createLearner } from '../reports/past-state.ts';
import { merged } from './merge-state.ts';

const member = learnerId('tenant', 2);
const names = { firstName: 'Grace', lastName: 'tenant' };
let former: string;
let current: string;

beforeAll(async () => {
  [former, current] = [await createLearner(), await createLearner()];
  await merged(former, current);
  expect((await patch(`/learners/${member}`, { ...names, managerId: current })).status).toBe(200);
});
afterAll(() => patch(`/learners/${member}`, { ...names, managerId: null }));

const LISTS = [
  '/learners?',
  `/simulations/${simulationId('tenant', 1)}?`,
  `/policies/${policyId('tenant', 1)}?outcome=all&`,
  ...['course-results', 'gap-analysis-results', 'learning', 'course-participation', 'policy-results'].map(
    (report) => `/reports/${report}?`,
  ),
  ...['simulation-results', 'repeat-clickers'].map((report) => `/reports/${report}?`),
];

/** Reads a list, and clears the generation time of reports. */
async function read(path: string): Promise<unknown> {
  const { status, body } = await get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return Array.isArray(body.data) ? body.data : { ...body.data, generatedAt: null };
}

test.each(LISTS)('%smanagerId finds the same learners by the former id, in any case', async (path) => {
  const expected = await read(`${path}managerId=${current}`);
  expect(await read(`${path}managerId=${former}`)).toEqual(expected);
  expect(await read(`${path}managerId=${former.toUpperCase()}`)).toEqual(expected);
  if (path === '/learners?') expect(expected).toMatchObject([{ id: member }]);
});

test('the former id of a manager is replaced in bodies, in single and bulk calls', async () => {
  const email = 'former-manager@tenant.test';
  const created = await post('/learners', { ...names, email, locale: 'en', managerId: former });
  expect(created.body.data).toMatchObject({ managerId: current });
  const { id } = created.body.data;
  const other = { ...names, email: 'former-manager2@tenant.test', locale: 'en', managerId: former };
  const [two] = (await post('/learners/bulk', { learners: [other] })).body.data.created;
  for (const learner of [id, two.learnerId]) {
    await patch(`/learners/${learner}`, { ...names, managerId: null });
    const single = await patch(`/learners/${learner}`, { ...names, managerId: former });
    expect(single.body.data).toMatchObject({ managerId: current });
    await patch(`/learners/${learner}`, { ...names, managerId: null });
    const { body } = await patch('/learners/bulk', { learners: [{ learner: { id: learner }, managerId: former }] });
    expect(body.data).toMatchObject({ success: true, updated: [{ changed: true }] });
    expect((await get(`/learners/${learner}`)).body.data).toMatchObject({ managerId: current });
    await del(`/learners/${learner}`);
  }
});

test('groups, exclusions and simulations follow the former id', async () => {
  const created = await post('/groups', { name: 'Former', managerIds: [former, current, member] });
  expect(created.status).toBe(200);
  const managers = async (id: string) => (await get(`/groups/${id}`)).body.data.managers.map((one: any) => one.id);
  const { id } = created.body.data;
  expect((await managers(id)).toSorted()).toEqual([current, member].toSorted());
  await put(`/groups/${id}/managers`, { managerIds: [] });
  expect((await put(`/groups/${id}/managers`, { managerIds: [former] })).status).toBe(200);
  expect(await managers(id)).toEqual([current]);
  await del(`/groups/${id}`);
  const exclusion = await post('/simulation-exclusions', { learnerId: former });
  expect(exclusion.body.data).toMatchObject({ learnerId: current });
  await del(`/simulation-exclusions/${exclusion.body.data.id}`);
  const draft = await makeDraft({ recipients: { learnerIds: [former, member] } });
  expect((await get(`/simulations/${draft}`)).body.data.plan.recipients.learnerIds).toEqual([current, member]);
  await forgetSimulations();
});

test('an unknown id next to a former one returns 404, and calls with outcomes per learner ignore former ids', async () => {
  expectError(await post('/groups', { name: 'Unknown', managerIds: [former, unknownId] }), 404, 'not_found');
  const { body } = await post('/learners/deactivate', { learnerIds: [former] });
  expect(body.data).toMatchObject({ skipped: [{ learnerId: former }] });
  expect((await get(`/learners/${current}`)).body.data).toMatchObject({ inactive: false });
  expectError(await del(`/learners/${former}`), 404, 'not_found');
});

test('the former id of another company finds nobody', async () => {
  expectError(await get(`/reports/learning?managerId=${former}`, 'other'), 404, 'not_found');
  expect((await get(`/learners?managerId=${former}`, 'other')).body.data).toEqual([]);
  expectError(await post('/groups', { name: 'Other', managerIds: [former] }, 'other'), 404, 'not_found');
});
