import { get, post, put } from '../../support/client.ts';
import { companies, groupId, learnerId } from '../../support/world.ts';

describe('GET /groups/{groupId}', () => {
  test('returns the group with its managers and the ids of its members', async () => {
    const { status, body } = await get(`/groups/${groupId('tenant', 1)}`);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: groupId('tenant', 1),
      name: 'Group 1',
      learnerCount: 3,
      managers: [{ id: learnerId('tenant', 1), name: 'Ada tenant', email: 'learner1@tenant.test' }],
      learnerIds: [learnerId('tenant', 1), learnerId('tenant', 2), learnerId('tenant', 3)],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('returns the ids of all members, including inactive ones, in order', async () => {
    const ids = ([5, 1] as const).map((n) => learnerId('childA', n));
    await post(`/groups/${groupId('childA', 2)}/learners/add`, { learnerIds: ids }, 'childA');
    const { body } = await get(`/groups/${groupId('childA', 2)}`, 'childA');
    expect(body.data.learnerIds).toEqual(([1, 3, 4, 5] as const).map((n) => learnerId('childA', n)));
    expect(body.data.learnerCount).toBe(4);
  });

  test('returns managers by name', async () => {
    const managerIds = ([3, 4, 2] as const).map((n) => learnerId('childB', n));
    await put(`/groups/${groupId('childB', 2)}/managers`, { managerIds }, 'childB');
    const { body } = await get(`/groups/${groupId('childB', 2)}`, 'childB');
    expect(body.data.managers.map(({ name }: { name: string }) => name)).toEqual([
      'Edsger childB',
      'Grace childB',
      'Katherine childB',
    ]);
  });

  test('an MSP reads a group of its child company only with its companyId', async () => {
    const path = `/groups/${groupId('childA', 1)}`;
    expect((await get(`${path}?companyId=${companies.childA}`, 'msp')).body.data.id).toBe(groupId('childA', 1));
    expect((await get(path, 'msp')).status).toBe(404);
    expect((await get(`${path}?companyId=${companies.childB}`, 'msp')).status).toBe(404);
  });
});
