import { type Answer, call, get, post } from '../../support/client.ts';
import { groupId, learnerId, unknownId } from '../../support/world.ts';
import { expectNoFailure, expectRefused, fieldsOf, meanwhile, peopleOf, whileSlow } from '../tenant-state.ts';
import { keptTexts, refusedTexts } from '../text-cases.ts';

const create = (fields: object): Promise<Answer> => post('/groups', fields);

describe('POST /groups', () => {
  test('creates a group without members and returns what GET returns', async () => {
    const { status, body } = await create({ name: 'Engineering' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ name: 'Engineering', learnerCount: 0, learnerIds: [], managers: [] });
    expect(body.data.updatedAt).toBe(body.data.createdAt);
    expect((await get(`/groups/${body.data.id}`)).body).toEqual(body);
  });

  test('sets the managers, who do not become members', async () => {
    const managerIds = [learnerId('tenant', 3), learnerId('tenant', 2)];
    const { body } = await create({ name: 'With managers', managerIds });
    const managers = [{ name: 'Grace tenant' }, { name: 'Katherine tenant' }];
    expect(body.data).toMatchObject({ learnerIds: [], managers });
    expect(await peopleOf(body.data.id)).toEqual({ members: [], managers: managerIds.toReversed() });
    expect((await get(`/learners/${managerIds[0]}`)).body.data.isManager).toBe(true);
  });

  test('accepts an empty list of managers', async () => {
    expect((await create({ name: 'No managers', managerIds: [] })).body.data.managers).toEqual([]);
  });

  test('two companies can have groups with the same name', async () => {
    expect((await create({ name: 'Shared' })).status).toBe(200);
    expect((await post('/groups', { name: 'Shared' }, 'other')).status).toBe(200);
  });

  test.each(keptTexts)('%s is stored as the name without surrounding white space', async (_case, name) => {
    const { status, body } = await create({ name });
    expect(status).toBe(200);
    expect(body.data.name).toBe(name.trim());
    expect((await get(`/groups/${body.data.id}`)).body.data.name).toBe(name.trim());
  });

  test.each(refusedTexts)('a name of %s returns 400 naming the field and creates nothing', async (_case, name) => {
    const answer = await expectRefused(() => create({ name }), 400, 'invalid_request');
    expect(new Set(fieldsOf(answer))).toEqual(new Set(['body/name']));
  });

  test('a missing name and an unknown field return 400 naming the field', async () => {
    await expectRefused(() => create({}), 400, 'invalid_request', ['body/name']);
    const withMembers = { name: 'With members', learnerIds: [learnerId('tenant', 1)] };
    await expectRefused(() => create(withMembers), 400, 'invalid_request', ['body/learnerIds']);
  });

  test.each([
    ['Group 1', 'group 1'],
    ['Group 2', 'GROUP 2'],
    ['Ärzte & Straße', 'ÄRZTE & straße'],
    ['Инженеры', 'ИНЖЕНЕРЫ'],
  ])('the existing name %s returns 400 group_name_taken when spelled %s', async (existing, name) => {
    if (!existing.startsWith('Group')) await create({ name: existing });
    await expectRefused(() => create({ name }), 400, 'group_name_taken', ['body/name']);
  });

  test('unknown and foreign managers return 404 naming each and create nothing', async () => {
    const managerIds = [learnerId('tenant', 1), unknownId, learnerId('other', 1), groupId('tenant', 1)];
    const fields = ['body/managerIds/1', 'body/managerIds/2', 'body/managerIds/3'];
    await expectRefused(() => create({ name: 'Unmanageable', managerIds }), 404, 'not_found', fields);
  });

  test('exactly one of 10 concurrent creations with one name succeeds', async () => {
    const requests = Array.from({ length: 10 }, (_, n) => {
      const body = { name: n % 2 ? 'Wanted' : 'WANTED', managerIds: [learnerId('tenant', 1)] };
      return call('tenant', 'POST', '/groups', { body, alone: false });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 400: 9 });
  });

  test('never returns a 5xx if a manager is deleted concurrently', async () => {
    const gone = learnerId('tenant', 4);
    await whileSlow('insert', 'groups', async () => {
      const body = { name: 'Abandoned', managerIds: [gone] };
      const requests = [call('tenant', 'POST', '/groups', { body, alone: false })];
      await meanwhile();
      requests.push(call('tenant', 'DELETE', `/learners/${gone}`, { alone: false }));
      await expectNoFailure(requests);
    });
  });
});
