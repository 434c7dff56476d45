import { type Answer, call, expectError, get, patch } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { expectNoFailure, expectRefused } from '../tenant-state.ts';
import { oddText } from '../text-cases.ts';

const path = `/groups/${groupId('tenant', 1)}`;
const rename = (name: unknown): Promise<Answer> => patch(path, { name });

afterEach(async () => {
  expect((await rename('Group 1')).status).toBe(200);
});

describe('PATCH /groups/{groupId}', () => {
  test('renames the group, keeps members and managers and returns what GET returns', async () => {
    const before = (await get(path)).body.data;
    const { status, body } = await rename('Engineering');
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, name: 'Engineering', updatedAt: body.data.updatedAt });
    expect(body.data.updatedAt > before.updatedAt).toBe(true);
    expect((await get(path)).body).toEqual(body);
    const { groups } = (await get(`/learners/${learnerId('tenant', 1)}`)).body.data;
    expect(groups).toEqual([{ id: groupId('tenant', 1), name: 'Engineering' }]);
  });

  test('a repeated name changes nothing, and the case of the name can change', async () => {
    const { body } = await rename('Engineering');
    expect((await rename('Engineering')).body).toEqual(body);
    expect((await rename('ENGINEERING')).body.data.name).toBe('ENGINEERING');
  });

  test('stores text of any script, and markup, without surrounding white space', async () => {
    expect((await rename(oddText)).body.data.name).toBe(oddText.trim());
  });

  test('the name of another group in any case returns 400 naming the field and changes nothing', async () => {
    for (const name of ['Group 2', 'GROUP 2']) {
      await expectRefused(() => rename(name), 400, 'group_name_taken', ['body/name']);
    }
  });

  test.each([undefined, null, '', ' '])('the name %j returns 400 and changes nothing', async (name) => {
    await expectRefused(() => rename(name), 400, 'invalid_request', ['body/name']);
  });

  test('foreign and unknown groups return 404', async () => {
    for (const id of [groupId('other', 1), unknownId]) {
      expectError(await patch(`/groups/${id}`, { name: 'Engineering' }), 404, 'not_found');
    }
  });

  test('exactly one of two concurrent changes to the same name succeeds', async () => {
    const requests = ([1, 2] as const).map((number) => {
      const body = { name: 'Wanted' };
      return call('tenant', 'PATCH', `/groups/${groupId('tenant', number)}`, { body, alone: false });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 1 });
    await patch(`/groups/${groupId('tenant', 2)}`, { name: 'Group 2' });
  });
});
