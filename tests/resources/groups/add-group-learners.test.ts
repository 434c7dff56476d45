import { type Answer, call, get, post } from '../../support/client.ts';
import { companies, groupId, learnerId, unknownId } from '../../support/world.ts';
import { numbered } from '../id-list-cases.ts';
import { expectNoFailure, groupsOf, insertLearners, meanwhile, peopleOf, whileSlow } from '../tenant-state.ts';

const second = groupId('tenant', 2);
const path = `/groups/${second}/learners/add`;
const add = (learnerIds: unknown): Promise<Answer> => post(path, { learnerIds });
const race = (method: string, to: string, body?: object): Promise<Answer> =>
  call('tenant', method, to, { body, alone: false });

afterEach(async () => {
  await testService.query('delete from group_learners where group_id = $1 and learner_id <> all($2)', [
    second,
    [learnerId('tenant', 3), learnerId('tenant', 4)],
  ]);
});

describe('POST /groups/{groupId}/learners/add', () => {
  test('adds learners and returns the reason for each skipped id', async () => {
    const [one, three, five] = [learnerId('tenant', 1), learnerId('tenant', 3), learnerId('tenant', 5)];
    const { status, body } = await add([three, unknownId, one, learnerId('other', 1), five, second]);
    expect(status).toBe(200);
    const message = 'Learner not found.';
    expect(body.data).toEqual({
      groupId: second,
      changedIds: [one, five],
      skipped: [
        { learnerId: three, code: 'already_member', message: 'The learner is already in the group.' },
        { learnerId: unknownId, code: 'not_found', message },
        { learnerId: learnerId('other', 1), code: 'not_found', message },
        { learnerId: second, code: 'not_found', message },
      ],
    });
    expect((await get(`/groups/${second}`)).body.data).toMatchObject({
      learnerCount: 4,
      learnerIds: [one, three, learnerId('tenant', 4), five],
    });
  });

  test('keeps the other groups of the learners', async () => {
    await add([learnerId('tenant', 2)]);
    expect(await groupsOf(learnerId('tenant', 2))).toEqual([groupId('tenant', 1), second]);
  });

  test('a repeated call changes nothing, not even updatedAt', async () => {
    await add([learnerId('tenant', 2)]);
    const before = (await get(`/groups/${second}`)).body.data;
    const { body } = await add([learnerId('tenant', 2)]);
    expect(body.data).toMatchObject({ changedIds: [], skipped: [{ code: 'already_member' }] });
    expect((await get(`/groups/${second}`)).body.data).toEqual(before);
  });

  test('adds 10,000 learners', async () => {
    await insertLearners('directChild', 9_999);
    const ids = (await get('/learners', 'directChild')).body.data.map(({ id }: { id: string }) => id);
    const learnerIds = ids.slice(-10_000);
    const own = groupId('directChild', 2);
    const { body } = await post(`/groups/${own}/learners/add`, { learnerIds }, 'directChild');
    expect(body.data.changedIds).toHaveLength(10_000);
    expect((await get(`/groups/${own}`, 'directChild')).body.data.learnerIds.slice(-10_000)).toEqual(learnerIds);
  });

  test('skips 10,000 unknown ids in the order of the request', async () => {
    const learnerIds = Array.from({ length: 10_000 }, (_, n) => numbered(10_000 - n));
    const { body } = await add(learnerIds);
    expect(body.data.skipped.map((skip: { learnerId: string }) => skip.learnerId)).toEqual(learnerIds);
  });
});

describe('concurrent POST /groups/{groupId}/learners/add requests', () => {
  test('ten additions of the same learners in different orders add them once', async () => {
    const learnerIds = ([1, 2, 5] as const).map((n) => learnerId('tenant', n));
    const requests = Array.from({ length: 10 }, (_, n) =>
      race('POST', path, { learnerIds: n % 2 ? learnerIds : learnerIds.toReversed() }),
    );
    const answers = await Promise.all(requests);
    expect(await expectNoFailure(requests)).toEqual({ 200: 10 });
    expect(answers.filter(({ body }) => body.data.changedIds.length === 3)).toHaveLength(1);
  });

  test("adding to groups while replacing a learner's groups never returns a 5xx", async () => {
    const two = learnerId('tenant', 2);
    const groupIds = [groupId('tenant', 1), second];
    const requests = Array.from({ length: 18 }, (_, n) => {
      if (n % 3 === 0) return race('POST', path, { learnerIds: [two, learnerId('tenant', 1)] });
      if (n % 3 === 1) return race('PUT', `/learners/${two}/groups`, { groupIds: n % 2 ? groupIds : [] });
      return race('PATCH', `/learners/${two}`, { firstName: 'Grace', lastName: 'tenant', groupIds });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 18 });
  });

  test('never return a 5xx if a learner is deleted concurrently', async () => {
    const { body } = await post('/learners', { email: 'gone@tenant.test', firstName: 'Gone', lastName: 'Soon' });
    await whileSlow('insert', 'group_learners', async () => {
      const requests = [race('POST', path, { learnerIds: [body.data.id, learnerId('tenant', 5)] })];
      await meanwhile();
      requests.push(race('DELETE', `/learners/${body.data.id}`));
      await expectNoFailure(requests);
    });
    expect((await peopleOf(second)).members).not.toContain(body.data.id);
  });

  test('never return a 5xx if the group is deleted concurrently', async () => {
    const { body } = await post('/groups', { name: 'Short-lived' });
    await whileSlow('insert', 'group_learners', async () => {
      const requests = [race('POST', `/groups/${body.data.id}/learners/add`, { learnerIds: [learnerId('tenant', 5)] })];
      await meanwhile();
      requests.push(race('DELETE', `/groups/${body.data.id}`));
      await expectNoFailure(requests);
    });
  });

  test('bulk deletions and additions of learners in opposite orders never return a 5xx', async () => {
    await insertLearners('tenant', 200);
    const rows = await testService.query(
      `select id from learners where company_id = $1 and email like '%@many.test' order by id`,
      [companies.tenant],
    );
    const ids = rows.map((row) => row.id as string);
    const additions = [1, 2, 3].map(() => race('POST', path, { learnerIds: ids.toReversed() }));
    await expectNoFailure([...additions, race('DELETE', '/learners/bulk', { learnerIds: ids })]);
    expect((await peopleOf(second)).members).toEqual([learnerId('tenant', 3), learnerId('tenant', 4)]);
  });
});
