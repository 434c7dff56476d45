import { type Answer, call, get, post, put } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { expectNoFailure, expectRefused, fieldsOf, meanwhile, peopleOf, whileSlow } from '../tenant-state.ts';

const [first, second] = [groupId('tenant', 1), groupId('tenant', 2)];
const [one, two] = [learnerId('tenant', 1), learnerId('tenant', 2)];
const [three, four] = [learnerId('tenant', 3), learnerId('tenant', 4)];
const forth = { fromGroupId: first, toGroupId: second };
const move = (fields: object = {}): Promise<Answer> => post('/group-membership/move', { ...forth, ...fields });
const race = (body: object): Promise<Answer> =>
  call('tenant', 'POST', '/group-membership/move', { body, alone: false });

beforeEach(async () => {
  await testService.query('delete from group_learners where group_id = any($1)', [[first, second]]);
  await post(`/groups/${first}/learners/add`, { learnerIds: [one, two, three] });
  await post(`/groups/${second}/learners/add`, { learnerIds: [three, four] });
  await put(`/groups/${first}/managers`, { managerIds: [one] });
  await put(`/groups/${second}/managers`, { managerIds: [] });
});

describe('POST /group-membership/move', () => {
  test('without learnerIds moves all members, including members of both groups', async () => {
    const { status, body } = await move();
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...forth, skipped: [] });
    expect(body.data.movedIds.toSorted()).toEqual([one, two, three]);
    expect(await peopleOf(first)).toEqual({ members: [], managers: [] });
    expect(await peopleOf(second)).toEqual({ members: [one, two, three, four], managers: [] });
  });

  test('moves the given members and returns the reason for each skipped id', async () => {
    const ids = [four, two, unknownId, learnerId('other', 1)];
    const { body } = await move({ learnerIds: ids });
    expect(body.data).toEqual({
      ...forth,
      movedIds: [two],
      skipped: [
        { learnerId: four, code: 'not_member', message: 'The learner is not in the group.' },
        { learnerId: unknownId, code: 'not_found', message: 'Learner not found.' },
        { learnerId: learnerId('other', 1), code: 'not_found', message: 'Learner not found.' },
      ],
    });
    expect(await peopleOf(first)).toEqual({ members: [one, three], managers: [one] });
    expect((await peopleOf(second)).members).toEqual([two, three, four]);
  });

  test('a repeated call moves no members', async () => {
    await move({ learnerIds: [two] });
    const before = (await get(`/groups/${second}`)).body.data;
    expect((await move({ learnerIds: [two] })).body.data).toMatchObject({
      movedIds: [],
      skipped: [{ learnerId: two }],
    });
    expect((await get(`/groups/${second}`)).body.data).toEqual(before);
  });

  test('moving the members of an empty group moves nobody', async () => {
    await move();
    expect((await move()).body.data).toMatchObject({ movedIds: [], skipped: [] });
  });

  test('removes a member of both groups from the old group', async () => {
    expect((await move({ learnerIds: [three] })).body.data).toMatchObject({ movedIds: [three], skipped: [] });
    expect((await get(`/learners/${three}`)).body.data.groups).toMatchObject([{ id: second }]);
  });

  test.each([
    ['with preserveManagerRole true becomes a manager of the new group', true, [one]],
    ['with preserveManagerRole false manages neither group', false, []],
    ['without preserveManagerRole manages neither group', undefined, []],
  ])('a moved manager %s', async (_case, preserveManagerRole, managers) => {
    await move({ learnerIds: [one], preserveManagerRole });
    expect((await peopleOf(first)).managers).toEqual([]);
    expect((await peopleOf(second)).managers).toEqual(managers);
  });

  test('preserveManagerRole adds only moved managers and keeps the managers of the new group', async () => {
    await put(`/groups/${second}/managers`, { managerIds: [one, four] });
    await move({ preserveManagerRole: true });
    expect(await peopleOf(first)).toEqual({ members: [], managers: [] });
    expect((await peopleOf(second)).managers).toEqual([one, four]);
  });

  test('a manager who is not moved keeps the role', async () => {
    await put(`/groups/${first}/managers`, { managerIds: [one, four] });
    await move({ learnerIds: [two, four], preserveManagerRole: true });
    expect((await peopleOf(first)).managers).toEqual([one, four]);
    expect((await peopleOf(second)).managers).toEqual([]);
  });
});

describe('POST /group-membership/move with invalid input', () => {
  test('equal groups return 400 naming the field and change nothing', async () => {
    await expectRefused(() => move({ toGroupId: first }), 400, 'invalid_request', ['body/toGroupId']);
  });

  test.each(['fromGroupId', 'toGroupId'])('a missing or malformed %s returns 400 naming the field', async (field) => {
    for (const value of [undefined, null, '', 'nonsense', `${first} `, [second]]) {
      const answer = await expectRefused(() => move({ [field]: value }), 400, 'invalid_request');
      expect(new Set(fieldsOf(answer))).toEqual(new Set([`body/${field}`]));
    }
  });

  test('an invalid preserveManagerRole and an unknown field return 400 naming both', async () => {
    const fields = { preserveManagerRole: 'true', notify: true };
    const answer = await expectRefused(() => move(fields), 400, 'invalid_request');
    expect(fieldsOf(answer).toSorted()).toEqual(['body/notify', 'body/preserveManagerRole']);
  });

  test.each<[string, object, string[]]>([
    ['an unknown old group', { fromGroupId: unknownId }, ['body/fromGroupId']],
    ['an unknown new group', { toGroupId: unknownId }, ['body/toGroupId']],
    ['a foreign old group', { fromGroupId: groupId('other', 1) }, ['body/fromGroupId']],
    ['a foreign new group', { toGroupId: groupId('other', 2) }, ['body/toGroupId']],
  ])('%s returns 404 naming the field and changes nothing', async (_case, fields, named) => {
    await expectRefused(() => move(fields), 404, 'not_found', named);
  });

  test('an unknown and a foreign group are both named in the error', async () => {
    const fields = { fromGroupId: unknownId, toGroupId: groupId('other', 2) };
    const answer = await expectRefused(() => move(fields), 404, 'not_found');
    expect(fieldsOf(answer).toSorted()).toEqual(['body/fromGroupId', 'body/toGroupId']);
  });
});

describe('concurrent POST /group-membership/move requests', () => {
  test('moves in opposite directions never return a 5xx and lose no member', async () => {
    const back = { fromGroupId: second, toGroupId: first };
    const requests = Array.from({ length: 16 }, (_, n) => race(n % 2 ? { ...forth, preserveManagerRole: true } : back));
    expect(await expectNoFailure(requests)).toEqual({ 200: 16 });
    const everyone = [...(await peopleOf(first)).members, ...(await peopleOf(second)).members];
    expect(everyone.toSorted()).toEqual([one, two, three, four]);
  });

  test('never return a 5xx if a member is deleted concurrently', async () => {
    const { body } = await post('/learners', { email: 'gone@tenant.test', firstName: 'Gone', lastName: 'Soon' });
    await post(`/groups/${first}/learners/add`, { learnerIds: [body.data.id] });
    await whileSlow('insert', 'group_learners', async () => {
      const requests = [race(forth)];
      await meanwhile();
      requests.push(call('tenant', 'DELETE', `/learners/${body.data.id}`, { alone: false }));
      await expectNoFailure(requests);
    });
  });
});
