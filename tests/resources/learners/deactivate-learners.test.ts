import { call, get, post, put } from '../../support/client.ts';
import { companies, groupId, learnerId, unknownId } from '../../support/world.ts';
import { testIdList } from '../id-list-cases.ts';
import { countActive, expectNoFailure, insertLearners, setPlan } from '../tenant-state.ts';

const deactivate = (learnerIds: unknown) => post('/learners/deactivate', { learnerIds });
const [two, five] = [learnerId('tenant', 2), learnerId('tenant', 5)];

afterEach(async () => {
  await countActive();
  await setPlan({});
  await testService.query('update learners set inactive = (id = $2) where company_id = $1', [companies.tenant, five]);
});

describe('POST /learners/deactivate', () => {
  test('deactivates active learners and returns the reason for each skipped learner', async () => {
    const { status, body } = await deactivate([five, learnerId('other', 1), two, unknownId]);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      changedIds: [two],
      skipped: [
        { learnerId: five, code: 'already_inactive', message: 'The learner is already inactive.' },
        { learnerId: learnerId('other', 1), code: 'not_found', message: 'Learner not found.' },
        { learnerId: unknownId, code: 'not_found', message: 'Learner not found.' },
      ],
    });
    expect(await countActive()).toBe(3);
  });

  test('keeps the groups, risk score and address of the learner', async () => {
    const one = learnerId('tenant', 1);
    await testService.query('update learners set risk_score = 80 where id = $1', [one]);
    const before = (await get(`/learners/${one}`)).body.data;
    await deactivate([one]);
    const after = (await get(`/learners/${one}`)).body.data;
    const changed = { inactive: true, updatedAt: expect.any(String) };
    expect(before.isManager).toBe(true);
    expect(after).toEqual({ ...before, ...changed, riskScoreLevel: 'critical', isManager: false });
  });

  test('a deactivated manager manages no groups until activated again', async () => {
    const [one, four] = [learnerId('tenant', 1), learnerId('tenant', 4)];
    const group = `/groups/${groupId('tenant', 1)}`;
    const shown = async () => ({
      managers: (await get(group)).body.data.managers.map(({ id }: { id: string }) => id),
      managerOfTwo: (await get(`/learners/${two}`)).body.data.manager?.id,
      isManager: (await get(`/learners/${one}`)).body.data.isManager,
    });
    await deactivate([one]);
    expect(await shown()).toEqual({ managers: [], managerOfTwo: undefined, isManager: false });
    await put(`${group}/managers`, { managerIds: [one, four] });
    expect(await shown()).toEqual({ managers: [four], managerOfTwo: four, isManager: false });
    await post('/learners/activate', { learnerIds: [one] });
    expect(await shown()).toEqual({ managers: [one, four], managerOfTwo: one, isManager: true });
    await put(`${group}/managers`, { managerIds: [one] });
  });

  test('a repeated call changes nothing', async () => {
    await deactivate([two]);
    const before = (await get(`/learners/${two}`)).body.data;
    expect((await deactivate([two])).body.data).toMatchObject({
      changedIds: [],
      skipped: [{ learnerId: two, code: 'already_inactive' }],
    });
    expect((await get(`/learners/${two}`)).body.data).toEqual(before);
  });

  test('frees a seat in a full plan, but not the address of the learner', async () => {
    await setPlan({ limit: 4 });
    await deactivate([two]);
    const grace = { email: 'LEARNER2@tenant.test', firstName: 'Grace', lastName: 'Hopper' };
    expect((await post('/learners', grace)).body.error!.code).toBe('email_taken');
    const { status, body } = await post('/learners', { ...grace, email: 'grace@tenant.test' });
    expect(status).toBe(200);
    expect((await post('/learners/activate', { learnerIds: [two] })).status).toBe(403);
    await testService.query('delete from learners where id = $1', [body.data.id]);
  });

  test('works if the limit is below the number of learners', async () => {
    await setPlan({ limit: 1 });
    expect((await deactivate([two])).body.data.changedIds).toEqual([two]);
    expect(await countActive()).toBe(3);
  });

  test('exactly one of 10 concurrent calls for one learner changes it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        call('tenant', 'POST', '/learners/deactivate', { body: { learnerIds: [two] }, alone: false }),
      ),
    );
    expect(answers.filter(({ body }) => body.data?.changedIds.length === 1)).toHaveLength(1);
  });

  test('concurrent activations and deactivations in different orders never return a 5xx', async () => {
    await insertLearners('tenant', 300);
    const ids = (await get('/learners')).body.data.map(({ id }: { id: string }) => id);
    const requests = Array.from({ length: 12 }, (_, n) =>
      call('tenant', 'POST', n % 2 ? '/learners/activate' : '/learners/deactivate', {
        body: { learnerIds: n % 3 ? ids : ids.toReversed() },
        alone: false,
      }),
    );
    expect(await expectNoFailure(requests)).toEqual({ 200: 12 });
    await countActive();
    await testService.query("delete from learners where email like '%@many.test'");
  });

  testIdList('learnerIds', deactivate);
});
