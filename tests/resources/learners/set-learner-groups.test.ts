import { type Answer, call, get, put } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { testIdList } from '../id-list-cases.ts';
import { expectNoFailure, expectRefused, groupsOf, meanwhile, whileSlow } from '../tenant-state.ts';

const [first, second] = [groupId('tenant', 1), groupId('tenant', 2)];
const two = learnerId('tenant', 2);
const set = (groupIds: unknown, learner = two): Promise<Answer> => put(`/learners/${learner}/groups`, { groupIds });
const race = (groupIds: string[], learner = two): Promise<Answer> =>
  call('tenant', 'PUT', `/learners/${learner}/groups`, { body: { groupIds }, alone: false });

afterEach(async () => {
  expect((await set([first])).status).toBe(200);
});

describe('PUT /learners/{learnerId}/groups', () => {
  test('replaces all groups and returns the changed learner', async () => {
    const { status, body } = await set([second]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: two, groups: [{ id: second, name: 'Group 2' }], manager: null });
    expect((await get(`/learners/${two}`)).body.data).toEqual(body.data);
    expect((await get(`/groups/${first}`)).body.data.learnerIds).not.toContain(two);
  });

  test('returns the groups by name, not in the order of the request', async () => {
    const { body } = await set([second, first]);
    expect(body.data.groups.map(({ name }: { name: string }) => name)).toEqual(['Group 1', 'Group 2']);
  });

  test('an empty list removes the learner from all groups', async () => {
    expect((await set([])).body.data).toMatchObject({ groups: [], manager: null });
    expect(await groupsOf(two)).toEqual([]);
  });

  test('a repeated call with the same groups changes nothing', async () => {
    const { body: before } = await set([first, second]);
    expect((await set([second, first])).body).toEqual(before);
  });

  test('keeps the other members and the managers of the groups', async () => {
    const one = learnerId('tenant', 1);
    expect((await set([], one)).body.data).toMatchObject({ isManager: true, groups: [] });
    expect((await get(`/groups/${first}`)).body.data).toMatchObject({
      learnerIds: [two, learnerId('tenant', 3)],
      managers: [{ id: one }],
    });
    await set([first], one);
  });

  test('adds an inactive learner to a group', async () => {
    expect((await set([first], learnerId('tenant', 5))).body.data.groups).toHaveLength(1);
    await set([], learnerId('tenant', 5));
  });

  test('unknown and foreign groups return 404 naming each and change nothing', async () => {
    const fields = ['body/groupIds/1', 'body/groupIds/2'];
    await expectRefused(() => set([second, unknownId, groupId('other', 1)]), 404, 'not_found', fields);
  });

  testIdList('groupIds', set, { mayBeEmpty: true });
});

describe('concurrent PUT /learners/{learnerId}/groups requests', () => {
  test('ten requests with the same groups all return 200', async () => {
    await set([]);
    expect(await expectNoFailure(Array.from({ length: 10 }, () => race([first, second])))).toEqual({ 200: 10 });
    expect(await groupsOf(two)).toEqual([first, second]);
  });

  test('requests with different groups leave the learner in one of the groups', async () => {
    await expectNoFailure(Array.from({ length: 10 }, (_, n) => race([n % 2 ? first : second])));
    expect(await groupsOf(two)).toHaveLength(1);
  });

  test('never return a 5xx if the group is deleted concurrently', async () => {
    const { data } = (await call('tenant', 'POST', '/groups', { body: { name: 'Short-lived' } })).body;
    await whileSlow('delete', 'group_learners', async () => {
      const requests = [race([data.id])];
      await meanwhile();
      requests.push(call('tenant', 'DELETE', `/groups/${data.id}`, { alone: false }));
      await expectNoFailure(requests);
    });
  });

  test('never return a 5xx if the learner is deleted concurrently', async () => {
    const gone = learnerId('tenant', 4);
    await whileSlow('delete', 'group_learners', async () => {
      const requests = [race([first], gone)];
      await meanwhile();
      requests.push(call('tenant', 'DELETE', `/learners/${gone}`, { alone: false }));
      await expectNoFailure(requests);
    });
  });
});
