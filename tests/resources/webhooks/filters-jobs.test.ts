/** @jest-environment-options {"WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { del, expectError, patch, post } from '../../support/client.ts';
import { groupId, learnerId } from '../../support/world.ts';
import { simulationId } from '../../support/world-simulations.ts';
import { startReceiver } from './receiver.ts';

const [one, two] = [learnerId('tenant', 1), learnerId('tenant', 2)];
const url = 'https://soc.example.org/hook';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => (receiver = await startReceiver()));
afterAll(() => receiver.stop());
afterEach(() => testService.query(`delete from webhook_endpoints where url like 'http:%' or url = $1`, [url]));

const newGroup = async (name: string) => (await post('/groups', { name })).body.data.id as string;
const rename = (learner: string, lastName: string) => patch(`/learners/${learner}`, { firstName: 'New', lastName });

test('a filter by group sends events of the group and of its members at the time of sending', async () => {
  const [group, other] = [await newGroup('Told'), await newGroup('Not told')];
  const endpoint = await receiver.make({ groupIds: [group] });
  await rename(one, 'Before');
  await post(`/groups/${group}/learners/add`, { learnerIds: [one] });
  await post(`/groups/${other}/learners/add`, { learnerIds: [two] });
  await rename(two, 'Other');
  expect(await receiver.eventsOf(endpoint)).toEqual([
    ['learner.updated', { learnerId: one }],
    ['group.member.added', { groupId: group, learnerId: one }],
  ]);
  await post(`/groups/${group}/learners/remove`, { learnerIds: [one] });
  await rename(one, 'After');
  await del(`/groups/${group}`);
  expect(await receiver.eventsOf(endpoint)).toEqual([
    ['group.member.removed', { groupId: group, learnerId: one }],
    ['group.deleted', { groupId: group }],
  ]);
  // A deleted group stays in the filter and can be sent back.
  expect((await patch(`/webhook-endpoints/${endpoint.id}`, { groupIds: [group, other] })).body.data.groupIds).toEqual([
    group,
    other,
  ]);
  await rename(two, 'Again');
  expect(await receiver.eventsOf(endpoint)).toEqual([['learner.updated', { learnerId: two }]]);
});

test('a filter by simulation works together with a filter by type', async () => {
  const [running, scheduled] = [simulationId('tenant', 5), simulationId('tenant', 2)];
  const endpoint = await receiver.make({ simulationIds: [running], types: ['simulation.completed'] });
  await testService.query(`update simulations set status = 'running' where id = $1`, [scheduled]);
  await testService.query(`update simulations set status = 'completed' where id = any ($1)`, [[running, scheduled]]);
  await newGroup('No simulation');
  expect(await receiver.eventsOf(endpoint)).toEqual([['simulation.completed', { simulationId: running }]]);
});

test.each([
  ['body/groupIds/1', { groupIds: [groupId('tenant', 1), groupId('childA', 1)] }],
  ['body/simulationIds/0', { simulationIds: [simulationId('childA', 1)] }],
  ['body/simulationIds/0', { simulationIds: [groupId('tenant', 1)] }],
])('%s of another company returns 404 naming it, and changes nothing', async (field, ids) => {
  expectError(await post('/webhook-endpoints', { url, ...ids }), 404, 'not_found', [field]);
  const { id } = (await post('/webhook-endpoints', { url })).body.data;
  expectError(await patch(`/webhook-endpoints/${id}`, { enabled: false, ...ids }), 404, 'not_found', [field]);
  expect((await patch(`/webhook-endpoints/${id}`, { types: null })).body.data).toMatchObject({
    ...{ enabled: true, simulationIds: [], groupIds: [] },
  });
});

test('an empty list removes a filter, and an omitted list keeps it', async () => {
  const groupIds = [groupId('tenant', 1)];
  const { id } = (await post('/webhook-endpoints', { url, groupIds })).body.data;
  expect((await patch(`/webhook-endpoints/${id}`, { types: null })).body.data.groupIds).toEqual(groupIds);
  expect((await patch(`/webhook-endpoints/${id}`, { groupIds: [] })).body.data.groupIds).toEqual([]);
});

test('filters by id cannot be combined with children', async () => {
  const groupIds = [groupId('msp', 1)];
  const simulationIds = [simulationId('msp', 1)];
  const refused = await post('/webhook-endpoints', { url, children: true, simulationIds }, 'msp');
  expectError(refused, 400, 'invalid_request', ['body/simulationIds']);
  const { id } = (await post('/webhook-endpoints', { url, children: true }, 'msp')).body.data;
  expectError(await patch(`/webhook-endpoints/${id}`, { groupIds }, 'msp'), 400, 'invalid_request', ['body/groupIds']);
});
