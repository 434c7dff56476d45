import { type Answer, call, get, post, put } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { testIdList } from '../id-list-cases.ts';
import { expectNoFailure, expectRefused, meanwhile, peopleOf, whileSlow } from '../tenant-state.ts';

const first = groupId('tenant', 1);
const path = `/groups/${first}/managers`;
const set = (managerIds: unknown): Promise<Answer> => put(path, { managerIds });
const race = (method: string, to: string, body?: object): Promise<Answer> =>
  call('tenant', method, to, { body, alone: false });
const [one, two, four] = [learnerId('tenant', 1), learnerId('tenant', 2), learnerId('tenant', 4)];

afterEach(() => set([one]));

describe('PUT /groups/{groupId}/managers', () => {
  test('replaces all managers, members or not, and returns the changed group', async () => {
    const { status, body } = await set([two, four]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: first,
      learnerCount: 3,
      managers: [
        { id: four, name: 'Edsger tenant', email: 'learner4@tenant.test' },
        { id: two, name: 'Grace tenant', email: 'learner2@tenant.test' },
      ],
    });
    expect((await get(`/groups/${first}`)).body).toEqual(body);
    expect((await get(`/learners/${one}`)).body.data.isManager).toBe(false);
    expect((await get(`/learners/${four}`)).body.data).toMatchObject({
      isManager: true,
      groups: [{ id: groupId('tenant', 2) }],
    });
  });

  test('an empty list removes all managers', async () => {
    expect((await set([])).body.data.managers).toEqual([]);
    expect((await get(`/learners/${two}`)).body.data.manager).toBeNull();
  });

  test('a repeated call changes nothing, not even updatedAt', async () => {
    const { body: before } = await set([two, one]);
    expect((await set([one, two])).body).toEqual(before);
  });

  test('a manager keeps their other managed groups', async () => {
    await put(`/groups/${groupId('tenant', 2)}/managers`, { managerIds: [one] });
    await set([]);
    expect((await peopleOf(groupId('tenant', 2))).managers).toEqual([one]);
    await put(`/groups/${groupId('tenant', 2)}/managers`, { managerIds: [] });
  });

  test('an inactive manager manages the group only while active', async () => {
    const five = learnerId('tenant', 5);
    const managers = async () => (await get(`/groups/${first}`)).body.data.managers;
    expect((await set([five])).body.data.managers).toEqual([]);
    await post('/learners/activate', { learnerIds: [five] });
    expect(await managers()).toMatchObject([{ name: 'Alan tenant' }]);
    await post('/learners/deactivate', { learnerIds: [five] });
    expect(await managers()).toEqual([]);
  });

  test('unknown and foreign managers return 404 naming each and change nothing', async () => {
    const managerIds = [unknownId, two, learnerId('other', 1), first];
    const fields = ['body/managerIds/0', 'body/managerIds/2', 'body/managerIds/3'];
    await expectRefused(() => set(managerIds), 404, 'not_found', fields);
  });

  testIdList('managerIds', set, { mayBeEmpty: true });
});

describe('concurrent PUT /groups/{groupId}/managers requests', () => {
  test('requests with different managers leave one of the sets', async () => {
    const sets = [[one, two], [four], []];
    const requests = Array.from({ length: 12 }, (_, n) => race('PUT', path, { managerIds: sets[n % 3] }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    expect(sets).toContainEqual((await peopleOf(first)).managers);
  });

  test('never return a 5xx if a manager is deleted concurrently', async () => {
    await whileSlow('insert', 'group_managers', async () => {
      const requests = [race('PUT', path, { managerIds: [four] })];
      await meanwhile();
      requests.push(race('DELETE', `/learners/${four}`));
      await expectNoFailure(requests);
    });
  });
});
