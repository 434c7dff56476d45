import { call, del, expectError, get, post } from '../../support/client.ts';
import { groupId, learnerId } from '../../support/world.ts';
import { expectNoFailure, groupsOf, peopleOf } from '../tenant-state.ts';

describe('DELETE /groups/{groupId}', () => {
  test('deletes the group and keeps its learners, managers and their other groups', async () => {
    const [first, second] = [groupId('tenant', 1), groupId('tenant', 2)];
    const { body: before } = await get('/learners');
    const { status, body } = await del(`/groups/${first}`);
    expect({ status, body }).toEqual({ status: 200, body: { data: { id: first } } });

    expectError(await get(`/groups/${first}`), 404, 'not_found');
    const left = before.data.map((learner: { groupIds: string[] }) => {
      return { ...learner, groupIds: learner.groupIds.filter((id) => id !== first) };
    });
    expect((await get('/learners')).body.data).toEqual(left);
    expect(await peopleOf(first)).toEqual({ members: [], managers: [] });
    expect(await groupsOf(learnerId('tenant', 3))).toEqual([second]);
    expect((await get(`/learners/${learnerId('tenant', 1)}`)).body.data).toMatchObject({
      isManager: false,
      groups: [],
    });
    expect((await get(`/learners/${learnerId('tenant', 2)}`)).body.data).toMatchObject({ manager: null, groups: [] });

    expectError(await del(`/groups/${first}`), 404, 'not_found');
  });

  test('a new group can take the name of a deleted group', async () => {
    expectError(await post('/groups', { name: 'group 2' }, 'childA'), 400, 'group_name_taken');
    await del(`/groups/${groupId('childA', 2)}`, undefined, 'childA');
    expect((await post('/groups', { name: 'group 2' }, 'childA')).status).toBe(200);
  });

  test('exactly one of 10 concurrent deletions succeeds', async () => {
    const path = `/groups/${groupId('other', 1)}`;
    const requests = Array.from({ length: 10 }, () => call('other', 'DELETE', path, { alone: false }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 404: 9 });
  });
});
