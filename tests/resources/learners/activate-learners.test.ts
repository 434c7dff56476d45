import { call, get, post } from '../../support/client.ts';
import { companies, groupId, learnerId, unknownId } from '../../support/world.ts';
import { countActive, expectNoFailure, expectRefused, insertLearners, setPlan } from '../tenant-state.ts';

const activate = (learnerIds: unknown) => post('/learners/activate', { learnerIds });
const five = learnerId('tenant', 5);

afterEach(async () => {
  await countActive();
  await setPlan({});
  await testService.query('update learners set inactive = (id = $2) where company_id = $1', [companies.tenant, five]);
});

describe('POST /learners/activate', () => {
  test('activates inactive learners and returns the reason for each skipped learner', async () => {
    const active = learnerId('tenant', 1);
    const { status, body } = await activate([unknownId, five, learnerId('other', 5), active]);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      changedIds: [five],
      skipped: [
        { learnerId: unknownId, code: 'not_found', message: 'Learner not found.' },
        { learnerId: learnerId('other', 5), code: 'not_found', message: 'Learner not found.' },
        { learnerId: active, code: 'already_active', message: 'The learner is already active.' },
      ],
    });
    expect((await get(`/learners/${five}`)).body.data.inactive).toBe(false);
    expect(await countActive()).toBe(5);
  });

  test('a repeated call changes nothing', async () => {
    await activate([five]);
    const before = (await get(`/learners/${five}`)).body.data;
    expect((await activate([five])).body.data).toMatchObject({ changedIds: [], skipped: [{ code: 'already_active' }] });
    expect((await get(`/learners/${five}`)).body.data).toEqual(before);
  });

  test('takes the last seat of the plan', async () => {
    await setPlan({ limit: 5 });
    expect((await activate([five])).body.data.changedIds).toEqual([five]);
  });

  test('a full plan returns 200 if no learner needs a seat', async () => {
    await setPlan({ limit: 2 });
    const { status, body } = await activate([learnerId('tenant', 1), unknownId]);
    expect(status).toBe(200);
    expect(body.data.changedIds).toEqual([]);
  });

  test.each([
    ['a full plan', 4],
    ['a limit lowered below the number of learners', 3],
    ['a limit of 0', 0],
  ])('%s returns 403 and activates no learner', async (_case, limit) => {
    await setPlan({ limit });
    await expectRefused(() => activate([learnerId('tenant', 1), five]), 403, 'learner_limit_reached');
  });

  test('a plan with too few seats for all learners returns 403 and activates no learner', async () => {
    await post('/learners/deactivate', { learnerIds: [learnerId('tenant', 4)] });
    await setPlan({ limit: 4 });
    await expectRefused(() => activate([learnerId('tenant', 4), five]), 403, 'learner_limit_reached');
    expect((await activate([five])).status).toBe(200);
  });

  test('concurrent activations of different learners never exceed the limit', async () => {
    await insertLearners('tenant', 70);
    const seats = (await countActive()) + 4;
    await testService.query('update companies set learner_limit = $2 where id = $1', [companies.tenant, seats]);
    const inactive = (await get('/learners')).body.data.filter((learner: { inactive: boolean }) => learner.inactive);
    const requests = inactive
      .slice(0, 10)
      .map(({ id }: { id: string }) =>
        call('tenant', 'POST', '/learners/activate', { body: { learnerIds: [id] }, alone: false }),
      );
    expect(await expectNoFailure(requests)).toEqual({ 200: 4, 403: 6 });
    expect(await countActive()).toBe(seats);
    await testService.query("delete from learners where email like '%@many.test'");
  });

  test('the id of a group is skipped as not_found', async () => {
    const id = groupId('tenant', 1);
    expect((await activate([id])).body.data.skipped).toMatchObject([{ learnerId: id, code: 'not_found' }]);
  });

  test('a list of 250,000 invalid ids is rejected within two seconds', async () => {
    const startedAt = performance.now();
    await expectRefused(() => activate(Array.from({ length: 250_000 }, () => 1)), 400, 'invalid_request');
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});
