import { expectError, post } from '../../support/client.ts';
import { companies, type KeyName } from '../../support/world.ts';
import { assignedTo, insertPolicies, message, policy, queuedMessages, restorePolicies } from './assignment-state.ts';
import { dayAgo, scheduleToday } from './signature-job.ts';

restorePolicies();
afterEach(async () => {
  await testService.query("delete from learners where email like 'new%'");
  await testService.query('update policies set signature_type = null, signature_set_on = null');
});

let made = 0;
const newLearner = (fields: object = {}) => ({
  ...{ email: `new${++made}@tenant.test`, firstName: 'Radia', lastName: 'Perlman' },
  ...fields,
});
const create = async (fields: object = {}, key: KeyName = 'tenant'): Promise<string> =>
  (await post('/learners', newLearner(fields), key)).body.data.id as string;

describe('a policy with signatureSettings of type newUsers', () => {
  test('asks a learner on creation, with one message about all such policies', async () => {
    const [one, two, other] = (await insertPolicies('tenant', 3)) as [string, string, string];
    await scheduleToday(one, { type: 'newUsers' });
    await scheduleToday(two, { type: 'newUsers', startDate: dayAgo(-30), intervalLength: 1 });
    await scheduleToday(other, { type: 'fixed', startDate: dayAgo(-30) });
    const id = await create();
    expect(await assignedTo(id)).toEqual([one, two].toSorted());
    expect(await queuedMessages()).toEqual([message('policy_request', id, ...[one, two].toSorted())]);
  });

  test('asks each learner of a bulk call', async () => {
    const [one] = (await insertPolicies('tenant', 1)) as [string];
    await scheduleToday(one, { type: 'newUsers' });
    const { body } = await post('/learners/bulk', { learners: [newLearner(), newLearner()] });
    const ids = body.data.created.map(({ learnerId }: { learnerId: string }) => learnerId);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(await assignedTo(id)).toEqual([one]);
  });

  test("follows the company's default settings while they are in force", async () => {
    const [one, follower] = (await insertPolicies('tenant', 2)) as [string, string];
    await scheduleToday(one, { type: 'newUsers', setDefault: true });
    await scheduleToday(follower, { type: 'none', useDefault: true });
    expect(await assignedTo(await create())).toEqual([one, follower].toSorted());
    await scheduleToday(one, { type: 'none', setDefault: true });
    expect(await assignedTo(await create())).toEqual([]);
  });

  test('asks neither excluded learners, nor for a draft, nor without the module, nor in another company', async () => {
    const [one] = (await insertPolicies('tenant', 1)) as [string];
    await scheduleToday(one, { type: 'newUsers' });
    await testService.query("update policies set signature_type = 'newUsers', signature_set_on = now() where id = $1", [
      policy(3),
    ]);
    expect(await assignedTo(await create({ excludedFromAutoEnrol: true }))).toEqual([]);
    expect(await assignedTo(await create())).toEqual([one]);
    expect(await assignedTo(await create({ email: `new${++made}@other.test` }, 'other'))).toEqual([]);
    await testService.query('update companies set smpolicy = false where id = $1', [companies.tenant]);
    expect(await assignedTo(await create())).toEqual([]);
    await testService.query('update companies set smpolicy = true where id = $1', [companies.tenant]);
  });

  test('rejects a call that would ask for more than 200,000 signatures', async () => {
    await insertPolicies('tenant', 401);
    await testService.query(
      "update policies set signature_type = 'newUsers', signature_set_on = now() where id::text like '0192b002-%'",
    );
    const learners = Array.from({ length: 500 }, () => newLearner());
    expectError(await post('/learners/bulk', { learners }), 400, 'invalid_request', ['body/learners']);
    expect((await post('/learners/bulk', { learners: learners.slice(0, 2) })).status).toBe(200);
    const excluded = learners.map((learner) => ({ ...learner, excludedFromAutoEnrol: true }));
    expect((await post('/learners/bulk', { learners: excluded.slice(2) })).body).toMatchObject({
      data: { success: true },
    });
  });
});
