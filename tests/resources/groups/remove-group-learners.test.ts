import { type Answer, call, get, post } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { expectNoFailure, groupsOf } from '../tenant-state.ts';

const first = groupId('tenant', 1);
const path = `/groups/${first}/learners/remove`;
const remove = (learnerIds: unknown): Promise<Answer> => post(path, { learnerIds });
const [one, two, three] = [learnerId('tenant', 1), learnerId('tenant', 2), learnerId('tenant', 3)];

afterEach(() => post(`/groups/${first}/learners/add`, { learnerIds: [one, two, three] }));

describe('POST /groups/{groupId}/learners/remove', () => {
  test('removes members and returns the reason for each skipped id', async () => {
    const four = learnerId('tenant', 4);
    const { status, body } = await remove([four, three, unknownId, two, learnerId('other', 1)]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      groupId: first,
      skipped: [
        { learnerId: four, code: 'not_member', message: 'The learner is not in the group.' },
        { learnerId: unknownId, code: 'not_found', message: 'Learner not found.' },
        { learnerId: learnerId('other', 1), code: 'not_found', message: 'Learner not found.' },
      ],
    });
    expect(body.data.changedIds.toSorted()).toEqual([two, three]);
    expect((await get(`/groups/${first}`)).body.data).toMatchObject({ learnerCount: 1, learnerIds: [one] });
  });

  test('keeps the other groups of the learners', async () => {
    await remove([three]);
    expect(await groupsOf(three)).toEqual([groupId('tenant', 2)]);
  });

  test('a removed member who manages the group still manages it', async () => {
    await remove([one]);
    expect((await get(`/groups/${first}`)).body.data).toMatchObject({
      learnerIds: [two, three],
      managers: [{ id: one }],
    });
  });

  test('a repeated call changes nothing, not even updatedAt', async () => {
    await remove([two]);
    const before = (await get(`/groups/${first}`)).body.data;
    expect((await remove([two])).body.data).toMatchObject({ changedIds: [], skipped: [{ code: 'not_member' }] });
    expect((await get(`/groups/${first}`)).body.data).toEqual(before);
  });

  test('exactly one of 10 concurrent removals of the same members removes them', async () => {
    const body = { learnerIds: [two, three] };
    const requests = Array.from({ length: 10 }, () => call('tenant', 'POST', path, { body, alone: false }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    const changes = (await Promise.all(requests)).map((answer) => answer.body.data.changedIds.length);
    expect(changes.toSorted()).toEqual([...Array<number>(9).fill(0), 2]);
  });
});
