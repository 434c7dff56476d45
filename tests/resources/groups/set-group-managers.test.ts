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
  test('replaces all managers, members or not, and answers the group as it is now', async () => {
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

  test('an empty list leaves the group without a manager', async () => {
    expect((await set([])).body.data.managers).toEqual([]);
    expect((await get(`/learners/${two}`)).body.data.manager).toBeNull();
  });

  test('the same managers again change nothing, not even updatedAt', async () => {
    const { body: before } = await set([two, one]);
    expect((await set([one, two])).body).toEqual(before);
  });

  test('a manager keeps the other groups that it manages', async () => {
    await put(`/groups/${groupId('tenant', 2)}/managers`, { managerIds: [one] });
    await set([]);
    expect((await peopleOf(groupId('tenant', 2))).managers).toEqual([one]);
    await put(`/groups/${groupId('tenant', 2)}/managers`, { managerIds: [] });
  });

  test('an inactive learner who is set manages the group once active', async () => {
    const five = learnerId('tenant', 5);
    const managers = async () => (await get(`/groups/${first}`)).body.data.managers;
    expect((await set([five])).body.data.managers).toEqual([]);
    await post('/learners/activate', { learnerIds: [five] });
    expect(await managers()).toMatchObject([{ name: 'Alan tenant' }]);
    await post('/learners/deactivate', { learnerIds: [five] });
    expect(await managers()).toEqual([]);
  });

  test('each id that is no learner of the company is named in a 404, and nothing changes', async () => {
    const managerIds = [unknownId, two, learnerId('other', 1), first];
    const fields = ['body/managerIds/0', 'body/managerIds/2', 'body/managerIds/3'];
    await expectRefused(() => set(managerIds), 404, 'not_found', fields);
  });

  testIdList('managerIds', set, { mayBeEmpty: true });
});

describe('PUT /groups/{groupId}/managers at the same time', () => {
  test('different sets leave one of them', async () => {
    const sets = [[one, two], [four], []];
    const requests = Array.from({ length: 12 }, (_, n) => race('PUT', path, { managerIds: sets[n % 3] }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    expect(sets).toContainEqual((await peopleOf(first)).managers);
  });

  test('a manager who is deleted at that moment is no 5xx', async () => {
    await whileSlow('insert', 'group_managers', async () => {
      const requests = [race('PUT', path, { managerIds: [four] })];
      await meanwhile();
      requests.push(race('DELETE', `/learners/${four}`));
      await expectNoFailure(requests);
    });
  });
});
