import { call, del, get } from '../../support/client.ts';
import { companies, type CompanyName, groupId, learnerId, unknownId } from '../../support/world.ts';
import { numbered } from '../id-list-cases.ts';
import { countActive, expectNoFailure, insertLearners, peopleOf } from '../tenant-state.ts';

const remove = (learnerIds: unknown, key: CompanyName = 'tenant') => del('/learners/bulk', { learnerIds }, key);
const idsOf = async (company: CompanyName): Promise<string[]> =>
  (await get('/learners', company)).body.data.map(({ id }: { id: string }) => id);

describe('DELETE /learners/bulk', () => {
  test('deletes learners with their memberships and manager roles', async () => {
    const gone = [learnerId('childA', 1), learnerId('childA', 3), learnerId('childA', 5)];
    const { status, body } = await remove(gone, 'childA');
    expect({ status, body }).toEqual({ status: 200, body: { data: true } });
    expect(await idsOf('childA')).toEqual([learnerId('childA', 2), learnerId('childA', 4)]);
    expect(await peopleOf(groupId('childA', 1))).toEqual({ members: [learnerId('childA', 2)], managers: [] });
    expect(await countActive('childA')).toBe(2);
  });

  test('ignores unknown ids, foreign ids and repeated calls', async () => {
    const two = learnerId('childB', 2);
    const ids = [unknownId, learnerId('other', 1), groupId('childB', 1), two];
    for (let round = 0; round < 2; round += 1) {
      const { status, body } = await remove(ids, 'childB');
      expect({ status, body }).toEqual({ status: 200, body: { data: true } });
    }
    expect(await idsOf('childB')).toEqual(([1, 3, 4, 5] as const).map((n) => learnerId('childB', n)));
    expect(await idsOf('other')).toContain(learnerId('other', 1));
    expect((await get(`/groups/${groupId('childB', 1)}`, 'childB')).status).toBe(200);
  });

  test('an MSP without companyId cannot delete learners of its child company', async () => {
    const before = await idsOf('childA');
    expect((await remove(before, 'msp')).status).toBe(200);
    expect(await idsOf('childA')).toEqual(before);
  });

  test('deletes 10,000 learners', async () => {
    await insertLearners('directChild', 10_000);
    const ids = (await idsOf('directChild')).filter((id) => id > learnerId('directChild', 5));
    expect(ids).toHaveLength(10_000);
    expect((await remove(ids, 'directChild')).status).toBe(200);
    expect(await idsOf('directChild')).toHaveLength(5);
    expect(await countActive('directChild')).toBe(4);
  });

  test.each([
    ['in a chain', 'lag(id) over (order by id)'],
    ['in a ring', 'coalesce(lag(id) over (order by id), first_value(id) over (order by id desc))'],
    ['through one manager', 'first_value(id) over (order by id)'],
  ])('deletes 2,500 learners who manage each other %s', async (_, manager) => {
    await insertLearners('directChild', 2500);
    await testService.query(
      `update learners l set manager_id = m.manager_id
         from (select id, ${manager} as manager_id from learners where company_id = $1 and id > $2) m
        where l.company_id = $1 and l.id = m.id and m.manager_id <> l.id`,
      [companies.directChild, learnerId('directChild', 5)],
    );
    const ids = (await idsOf('directChild')).filter((id) => id > learnerId('directChild', 5));
    expect((await remove(ids, 'directChild')).status).toBe(200);
    expect(await idsOf('directChild')).toHaveLength(5);
  });

  test('concurrent deletions of the same learners in different orders never return a 5xx', async () => {
    await insertLearners('prospect', 400);
    const ids = await idsOf('prospect');
    const requests = Array.from({ length: 8 }, (_, n) => {
      const learnerIds = n % 2 ? ids : ids.toReversed();
      return call('prospect', 'DELETE', '/learners/bulk', { body: { learnerIds }, alone: false });
    });
    expect(await expectNoFailure(requests)).toEqual({ 200: 8 });
    expect(await idsOf('prospect')).toEqual([]);
  });

  test('ignores 10,000 unknown ids', async () => {
    const [before] = await testService.query('select count(*) from learners where company_id = $1', [companies.tenant]);
    expect((await remove(Array.from({ length: 10_000 }, (_, n) => numbered(n)))).status).toBe(200);
    const [after] = await testService.query('select count(*) from learners where company_id = $1', [companies.tenant]);
    expect(after).toEqual(before);
  });
});
