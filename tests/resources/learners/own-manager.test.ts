import { type Answer, call, get, patch, post } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { eventsOf, here } from '../events/event-state.ts';
import { expectRefused, fieldsOf, forgetNewLearners } from '../tenant-state.ts';

const [one, two, three, four, five] = ([1, 2, 3, 4, 5] as const).map((n) => learnerId('tenant', n)) as [
  string,
  string,
  string,
  string,
  string,
];
const NAMES = { [one]: 'Ada', [two]: 'Grace', [three]: 'Katherine', [four]: 'Edsger', [five]: 'Alan' };
const read = async (id: string) => (await get(`/learners/${id}`)).body.data;
const setManager = (id: string, managerId: unknown): Promise<Answer> =>
  patch(`/learners/${id}`, { firstName: NAMES[id] ?? 'New', lastName: 'tenant', managerId });
const managed = async (managerId: string) =>
  (await get(`/learners?managerId=${managerId}`)).body.data.map(({ id }: { id: string }) => id);
const newcomer = { email: 'own.manager@tenant.test', firstName: 'New', lastName: 'tenant' };

afterEach(async () => {
  for (const id of [one, two, three, four, five]) expect((await setManager(id, null)).status).toBe(200);
});
afterEach(forgetNewLearners);

test("a learner's own manager takes precedence over the group's manager, and null clears it", async () => {
  expect((await read(three)).manager.id).toBe(one);
  const { body } = await setManager(three, four);
  expect(body.data).toMatchObject({ managerId: four, manager: { id: four, name: 'Edsger tenant' } });
  expect((await get(`/learners?externalLearnerId=HR-3`)).body.data).toMatchObject([{ managerId: four }]);
  expect((await setManager(three, null)).body.data).toMatchObject({ managerId: null, manager: { id: one } });
});

test("while the learner's own manager is inactive, the group's manager is in effect", async () => {
  await setManager(three, five);
  expect(await read(three)).toMatchObject({ managerId: five, manager: { id: one } });
  await setManager(four, five);
  expect(await read(four)).toMatchObject({ managerId: five, manager: null });
});

test('the filter managerId selects learners by their effective manager', async () => {
  expect(await managed(one)).toEqual([two, three]);
  await setManager(three, four);
  await setManager(five, four);
  await setManager(four, one);
  expect(await managed(four)).toEqual([three, five]);
  expect(await managed(one)).toEqual([two, four]);
  expect(await managed(three)).toEqual([]);
  const page = await get(`/learners?managerId=${four}&limit=1`);
  expect(page.body.data.map(({ id }: { id: string }) => id)).toEqual([three]);
  await setManager(three, five);
  expect(await managed(five)).toEqual([]);
});

test('learners can manage each other', async () => {
  expect((await setManager(one, two)).status).toBe(200);
  expect((await setManager(two, one)).status).toBe(200);
  expect((await read(one)).manager.id).toBe(two);
  expect((await read(two)).manager.id).toBe(one);
  expect(await managed(two)).toEqual([one]);
});

test.each([
  ['an unknown learner', unknownId, 404, 'not_found'],
  ['a learner of another company', learnerId('other', 1), 404, 'not_found'],
  ['a group', groupId('tenant', 1), 404, 'not_found'],
  ['the learner', three, 400, 'invalid_request'],
  ['no id', 'x', 400, 'invalid_request'],
  ['a number', 7, 400, 'invalid_request'],
])('%s as manager is rejected, and nothing changes', async (_case, id, status, code) => {
  const answer = await expectRefused(() => setManager(three, id), status, code);
  expect(new Set(fieldsOf(answer))).toEqual(new Set(['body/managerId']));
});

test('a new learner can have a manager, who must exist', async () => {
  const { body } = await post('/learners', { ...newcomer, managerId: two.toUpperCase() });
  expect(body.data).toMatchObject({ managerId: two, manager: { id: two } });
  const other = { ...newcomer, email: 'other.manager@tenant.test', managerId: learnerId('other', 1) };
  await expectRefused(() => post('/learners', other), 404, 'not_found', ['body/managerId']);
});

test('bulk calls set managers, and reject only rows with an unknown one', async () => {
  const rows = [two, unknownId, learnerId('other', 1)].map((managerId, index) => {
    return { ...newcomer, email: `row${index}@tenant.test`, managerId };
  });
  const created = (await post('/learners/bulk', { learners: rows })).body.data;
  expect(created.errors).toMatchObject([
    { index: 1, code: 'not_found' },
    { index: 2, code: 'not_found' },
  ]);
  expect(await read(created.created[0].learnerId)).toMatchObject({ managerId: two });
  const learners = [
    { learner: { id: three }, managerId: four },
    { learner: { id: four }, managerId: four },
    { learner: { id: one }, managerId: unknownId },
    { learner: { id: two }, managerId: null },
  ];
  const { updated, errors } = (await patch('/learners/bulk', { learners })).body.data;
  expect(updated).toMatchObject([
    { index: 0, changed: true },
    { index: 3, changed: false },
  ]);
  expect(errors).toMatchObject([
    { index: 1, code: 'invalid_request' },
    { index: 2, code: 'not_found' },
  ]);
});

test('deleting a manager clears managerId, sets updatedAt and emits learner.updated', async () => {
  const manager = (await post('/learners', newcomer)).body.data.id;
  await setManager(three, manager);
  await setManager(four, manager);
  const before = await read(three);
  await here();
  const events = await eventsOf(() => call('tenant', 'DELETE', '/learners/bulk', { body: { learnerIds: [manager] } }));
  expect(events.map(([type]) => type).toSorted()).toEqual(['learner.deleted', 'learner.updated', 'learner.updated']);
  const after = await read(three);
  expect(after).toMatchObject({ managerId: null, manager: { id: one } });
  expect(after.updatedAt > before.updatedAt).toBe(true);
});

test('learners who manage each other can be deleted in one call', async () => {
  const rows = [0, 1].map((index) => ({ ...newcomer, email: `ring${index}@tenant.test` }));
  const ids = (await post('/learners/bulk', { learners: rows })).body.data.created.map(
    ({ learnerId: id }: { learnerId: string }) => id,
  );
  await setManager(ids[0], ids[1]);
  await setManager(ids[1], ids[0]);
  const { status } = await call('tenant', 'DELETE', '/learners/bulk', { body: { learnerIds: ids } });
  expect(status).toBe(200);
});

test('a learner whose manager changes is in updatedSince', async () => {
  const from = (await get(`/learners?updatedSince=${encodeURIComponent(new Date().toISOString())}`)).body;
  const { syncedUntil } = from as unknown as { syncedUntil: string };
  await setManager(three, four);
  const { data } = (await get(`/learners?updatedSince=${encodeURIComponent(syncedUntil)}`)).body;
  expect(data).toEqual(expect.arrayContaining([expect.objectContaining({ id: three, managerId: four })]));
});
