import { get, post, put } from '../../support/client.ts';
import { companies, groupId, learnerId } from '../../support/world.ts';
import { insertLearners } from '../tenant-state.ts';

describe('GET /groups', () => {
  test('lists groups by id with managers and learnerCount and exactly the documented fields', async () => {
    const { status, body } = await get('/groups');
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        id: groupId('tenant', 1),
        name: 'Group 1',
        learnerCount: 3,
        managers: [{ id: learnerId('tenant', 1), name: 'Ada tenant', email: 'learner1@tenant.test' }],
      },
      { id: groupId('tenant', 2), name: 'Group 2', learnerCount: 2, managers: [] },
    ]);
  });

  test('counts inactive members', async () => {
    const path = `/groups/${groupId('childA', 2)}/learners/add`;
    await post(path, { learnerIds: [learnerId('childA', 5)] }, 'childA');
    expect((await get('/groups', 'childA')).body.data[1].learnerCount).toBe(3);
  });

  test('lists active managers by name, members or not', async () => {
    const managerIds = ([1, 2, 3, 4, 5] as const).map((n) => learnerId('childB', n));
    await put(`/groups/${groupId('childB', 1)}/managers`, { managerIds }, 'childB');
    const { body } = await get('/groups', 'childB');
    const names = body.data[0].managers.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Ada childB', 'Edsger childB', 'Grace childB', 'Katherine childB']);
  });

  test('lists a new group last', async () => {
    const { body } = await post('/groups', { name: 'A first name' }, 'other');
    const { body: list } = await get('/groups', 'other');
    expect(list.data.at(-1)).toEqual({ id: body.data.id, name: 'A first name', learnerCount: 0, managers: [] });
    expect(list.data).toHaveLength(3);
  });

  test.each([
    ['an MSP', 'msp', 'childA'],
    ['a distributor', 'distributor', 'directChild'],
  ] as const)('%s lists only the groups of the company in companyId', async (_case, key, company) => {
    const { body } = await get(`/groups?companyId=${companies[company]}`, key);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([groupId(company, 1), groupId(company, 2)]);
  });

  test('the list is empty for a company without groups', async () => {
    await testService.query('delete from groups where company_id = $1', [companies.prospect]);
    expect((await get('/groups', 'prospect')).text).toBe('{"data":[]}');
  });

  test('counts 10,005 members', async () => {
    await insertLearners('strangerMsp', 10_000);
    await testService.query(
      `insert into group_learners (company_id, group_id, learner_id)
       select company_id, $2, id from learners where company_id = $1 on conflict do nothing`,
      [companies.strangerMsp, groupId('strangerMsp', 1)],
    );
    expect((await get('/groups', 'strangerMsp')).body.data[0].learnerCount).toBe(10_005);
  });
});
