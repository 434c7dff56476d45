import { call, del, expectError, get, post } from '../../support/client.ts';
import { groupId, learnerId } from '../../support/world.ts';
import { countActive, expectNoFailure, groupsOf, peopleOf } from '../tenant-state.ts';

describe('DELETE /learners/{learnerId}', () => {
  test('deletes the learner with memberships and manager roles, and a repeated call returns 404', async () => {
    const [ada, first, second] = [learnerId('tenant', 1), groupId('tenant', 1), groupId('tenant', 2)];
    await post(`/groups/${second}/learners/add`, { learnerIds: [ada] });
    const { status, body } = await del(`/learners/${ada}`);
    expect({ status, body }).toEqual({ status: 200, body: { data: true } });

    expectError(await get(`/learners/${ada}`), 404, 'not_found');
    expect(await groupsOf(ada)).toEqual([]);
    expect(await peopleOf(first)).toEqual({ members: [learnerId('tenant', 2), learnerId('tenant', 3)], managers: [] });
    expect((await get(`/groups/${second}`)).body.data.learnerIds).not.toContain(ada);
    expect((await get(`/learners/${learnerId('tenant', 2)}`)).body.data.manager).toBeNull();
    expect((await get('/learners')).body.data).toHaveLength(4);

    expectError(await del(`/learners/${ada}`), 404, 'not_found');
  });

  test('frees the seat of an active learner; an inactive learner has none', async () => {
    expect(await countActive('childA')).toBe(4);
    await del(`/learners/${learnerId('childA', 2)}`, undefined, 'childA');
    expect(await countActive('childA')).toBe(3);
    await del(`/learners/${learnerId('childA', 5)}`, undefined, 'childA');
    expect(await countActive('childA')).toBe(3);
  });

  test('a new learner can take the email and externalLearnerId of a deleted learner', async () => {
    const learner = { email: 'learner2@childB.test', firstName: 'G', lastName: 'H', externalLearnerId: 'HR-2' };
    expectError(await post('/learners', learner, 'childB'), 400, 'email_taken');
    await del(`/learners/${learnerId('childB', 2)}`, undefined, 'childB');
    expect((await post('/learners', learner, 'childB')).status).toBe(200);
  });

  test('exactly one of ten concurrent deletions of one learner succeeds', async () => {
    const path = `/learners/${learnerId('other', 1)}`;
    const requests = Array.from({ length: 10 }, () => call('other', 'DELETE', path, { alone: false }));
    expect(await expectNoFailure(requests)).toEqual({ 200: 1, 404: 9 });
  });

  test('an MSP without companyId cannot delete a learner of its child company', async () => {
    expectError(await del(`/learners/${learnerId('childA', 1)}`, undefined, 'msp'), 404, 'not_found');
    expect((await get(`/learners/${learnerId('childA', 1)}`, 'childA')).status).toBe(200);
  });
});
